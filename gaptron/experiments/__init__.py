"""Experiments: learners side by side on streams, over seeds and parameters."""
