"""Proofs of a paper's claims: settings and statements as text, and a kernel whose rules alone make theorems.

Terms, formulas, rules, facts, textbook, trees and statements are trusted; they import the language, the certificate
kernel and the standard library alone. What searches (scope, premise_search, proof_lines) is not.
The ledger and the verbs import it.
"""
