"""Search for proofs and for witnesses. None of it is trusted: every verdict names its evidence.

From a claim to a certificate that the kernel replays, to solvers' answers, or to a round that breaks the theorem. Which
claims there are is said in ``obligations``; processes, limits and what is kept are in ``checking``.
"""
