"""``python -m gaptron`` is the command line."""

from gaptron.commands.cli import main

main()
