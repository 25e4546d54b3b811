"""Kinds of numbers, and expressions of the language evaluated in them.

Nothing here knows a theorem: an expression and a point go in, a number comes out.
"""
