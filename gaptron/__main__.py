"""``python -m gaptron`` is the command line."""

from gaptron.cli import main

main()
