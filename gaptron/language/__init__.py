"""The one language of theorems, claims and certificates: expressions and relations as data, and what they mean.

It imports the standard library alone, and nothing of the project.
"""
