"""``python -m gaptron`` is the command line."""

from gaptron.commands.cli import main

if __name__ == "__main__":
    main()
