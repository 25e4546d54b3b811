"""The command line, one verb a file: arguments in, work by the other rooms, tables or JSON out, an exit code.

No mathematics here; no other room imports this one.
"""
