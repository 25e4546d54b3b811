"""Largest learning rates: for a given gap map, over all gap maps, and over all randomized predictions.

Numbers are searched here and certified like any theorem: by ``obligations``, ``prove`` and ``checking``.
"""
