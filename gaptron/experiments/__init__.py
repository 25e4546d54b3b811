"""Experiments: learners side by side on streams, over seeds and parameters.

Runs, their curves, tables and figures. No learner (``learners``) and no source of rounds (``streams``) is defined here.
"""
