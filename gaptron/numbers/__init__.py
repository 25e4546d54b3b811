"""Kinds of numbers, and sympy expressions evaluated in them.

Nothing here knows a theorem: an expression and a point go in, a number comes out.
"""
