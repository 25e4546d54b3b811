"""From theorem files to outcomes: obligations decided in processes of their own, certificates kept and replayed.

No search for proofs (``prove``), no verdict about a paper's claim (``ledger``), no printing (``commands``).
"""
