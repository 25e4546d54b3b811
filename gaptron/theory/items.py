"""What is checked: theorems of one margin or probability, structured ones, and lemmas."""

from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Lemma, Theorem

Item = Theorem | StructuredTheorem | Lemma
