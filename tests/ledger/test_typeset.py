"""Words with formulas as the report shows them."""

import pytest

from gaptron.ledger.html.mathml import typeset


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("K X^2 ||U||^2/(2 eta)", "K X² ‖U‖²/(2 η)"),
        ("T = 4 K^2 k/gamma^2, 1/eta", "T = 4 K² k/γ², 1/η"),
        ("sum l_t(U) <= sqrt(2 L)", "∑ l<sub>t</sub>(U) ≤ √(2 L)"),
        ("gaptron/eta, proofs/alpha.py and beta-test", "gaptron/eta, proofs/alpha.py and beta-test"),
    ],
)
def test_formulas_are_shown_and_names_of_files_stay(text: str, shown: str) -> None:
    assert typeset(text) == shown
