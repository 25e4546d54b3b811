"""Input error: a file without a theorem."""
