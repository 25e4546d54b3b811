"""Gaptron in other libraries' clothes: ``scikit_learn`` and ``river_ml``, each of which needs its library installed.

Names and shapes are translated here; what is learned, and how, is in ``learners``.
"""
