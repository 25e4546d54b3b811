"""Input error: a file that fails when it is run."""

raise SystemExit("no theorem today")
