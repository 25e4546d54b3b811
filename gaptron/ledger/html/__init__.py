"""The audit as one offline HTML file: ``page(rows)``."""

from gaptron.ledger.html.page import page

__all__ = ["page"]
