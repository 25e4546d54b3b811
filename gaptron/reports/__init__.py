"""What is said of theorems that were checked, to people and to programs: lines, witnesses, JUnit, SARIF, annotations.

From the documents of ``checking``; it decides nothing. Claims of the documents are the ``ledger``'s.
"""
