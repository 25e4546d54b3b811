"""Verdicts of the documents' claims: every ground decided, compared with what is recorded, and reported.

It asks ``checking`` for verdicts and reaches none of its own about real numbers; options and exits are ``commands``.
"""
