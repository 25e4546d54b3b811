"""Gaptron in other libraries' clothes: ``scikit_learn`` and ``river_ml``, each of which needs its library installed."""
