"""Search for proofs and for witnesses. None of it is trusted: every verdict names its evidence."""
