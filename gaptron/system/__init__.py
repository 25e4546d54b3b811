"""What any program needs: files written whole, deadlines, child processes, exit codes, checked arguments, digits.

Nothing here knows a theorem, a loss or a learner.
"""
