"""Second routes: rounds and streams written out by hand, which the audit compares with what everything else says.

Nothing here imports another room: that is the point.
"""
