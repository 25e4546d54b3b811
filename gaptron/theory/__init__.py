"""The vocabulary: theorems, losses, gap maps, decoders, claims and verdicts, and the files that hold them.

Nothing here decides, learns or prints; what a word means is said once, here.
"""
