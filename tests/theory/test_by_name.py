"""Theorems with a name: the data that learners are given is what is read of the same theorem in sympy."""

from collections.abc import Callable
from copy import copy
from dataclasses import replace

import pytest

from gaptron import Gaptron, Theorem
from gaptron.language.expressions import Expression
from gaptron.language.theorems import TheoremData
from gaptron.numbers.evaluate import value_at
from gaptron.theory import by_name, named

BOTH: dict[str, tuple[Callable[[str], Theorem], Callable[[str], TheoremData], tuple[str, ...]]] = {
    "gradient": (named.named_theorem, by_name.theorem, by_name.MULTICLASS),
    "proximal": (named.named_proximal_theorem, by_name.proximal_theorem, by_name.MULTICLASS),
    "binary": (named.named_binary_theorem, by_name.binary_theorem, by_name.BINARY),
    "binary, proximal": (named.named_binary_proximal_theorem, by_name.binary_proximal_theorem, by_name.BINARY),
}
CASES = [(kind, name) for kind, (*_, names) in BOTH.items() for name in names]


def value(part: Expression | None) -> str:
    assert part is not None
    return str(value_at(part, {}))


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_what_is_read_of_sympy_is_the_data(kind: str, name: str) -> None:
    """To the letter; but a rate may be written otherwise where it follows from the regret."""
    in_sympy, as_data, _ = BOTH[kind]
    shown, data = in_sympy(name).data, as_data(name)
    assert shown == replace(data, learning_rate=shown.learning_rate)
    for n_classes in (2, 3, 10):
        (shown_rate, _), (rate, regret) = shown.rates(n_classes), data.rates(n_classes)
        assert value(shown_rate) == value(rate)
        assert float(value_at(rate or 0, {}) * value_at(regret or 0, {}) * 2) == pytest.approx(1)


def test_a_loss_is_sent_without_its_hash() -> None:
    loss = by_name.theorem("hinge").loss
    assert (copy(loss), hash(copy(loss))) == (loss, hash(loss))
    assert "_hash" in vars(loss)
    assert "_hash" not in vars(copy(loss))


def test_a_learner_takes_a_theorem_in_sympy_or_as_data_and_nothing_that_looks_like_one() -> None:
    theorem = named.named_theorem("hinge")
    learners = [Gaptron(3, 1, loss=loss) for loss in (theorem, theorem.data, "hinge")]
    for learner in learners:
        assert (learner.surrogate.loss, learner.learning_rate) == (theorem.data.loss, 2 / 9)
    for other in (theorem.loss, theorem.loss.data, theorem.gap_map, memoryview(b""), 5):
        for update in (None, "proximal"):
            with pytest.raises(ValueError, match=r"is neither one of .* nor a gaptron\.Theorem"):
                Gaptron(3, 1, loss=other, update=update)  # type: ignore[arg-type]
