"""Largest learning rates: for a given gap map, over all gap maps, and over all randomized predictions."""
