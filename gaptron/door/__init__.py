"""The door between sympy and the language: what a theorem file writes, read as data.

Nothing is simplified, sorted or judged here, and what is not on the list of exact types is an error that names it.
"""
