"""Degenerate theorem files and an oracle for them.

``describe`` says what a theorem claims in plain data of our own, ``write`` turns that into the text of a theorem file,
``oracle`` decides it by exact points of its own, ``generate`` makes descriptions from seeds, and ``decide`` asks the
package. Only ``decide`` imports gaptron; nothing here imports sympy.
"""
