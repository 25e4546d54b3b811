"""The search for streams that come closest to a theorem's bound, or break it; every find is verified exactly.

Candidates and their improvement. What a bound is stands in ``bounds``, what is expected in ``expectation``.
"""
