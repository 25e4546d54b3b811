"""Proofs of a paper's claims: settings and statements as text, and a kernel whose rules alone make theorems.

Terms, formulas, rules, facts, trees and statements are trusted; they import the language, the certificate kernel and
the standard library alone. What searches (scope, pool, search, proofs) is not. Nothing below imports this room.
"""
