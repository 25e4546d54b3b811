"""What is said of theorems, to people and to programs: verdicts of claims, and reports as text, JSON, JUnit and HTML.

It asks ``checking`` for verdicts and reaches none of its own about real numbers; options and exits are ``commands``.
"""
