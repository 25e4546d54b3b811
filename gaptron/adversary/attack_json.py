"""Attacks as JSON: written with what the theorem says and both sides of its bound, read back with nothing trusted."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from gaptron.bounds.exact_stream import ExactStream, Matrix, Vector, is_rational
from gaptron.bounds.sides import Sides
from gaptron.numbers.evaluate import Number, ball, enclosure
from gaptron.prove.exact_text import exact
from gaptron.prove.forced import StructuredAdversary
from gaptron.rounds.geometry import geometry_of
from gaptron.system.documents import Document
from gaptron.theory.theorem import Theorem


@dataclass(frozen=True)
class Attack:
    """A stream with ||x|| <= 1, in blocks, and U: K rows of d fractions, one for a BinaryLoss."""

    stream: ExactStream
    comparator: Matrix

    @property
    def rounds(self) -> int:
        """T."""
        return self.stream.horizon

    def sides(self, theorem: Theorem) -> Sides:
        """Both sides of the bound: in fractions where they stay short, else in balls.

        With bandit feedback fractions double in length with every update, and projections need roots.

        Raises
        ------
        ValueError
            If the theorem does not speak of such a stream.
        gaptron.numbers.evaluate.UncertainError
            If balls cannot settle a branch.
        """
        if theorem.abstention_cost is not None:
            raise ValueError(f'theorem "{theorem.name}" is about abstaining: it bounds a cost, not mistakes')
        game = self.stream.game(theorem)
        arithmetic = "rational" if not game.bandit and is_rational(game) else "ball"
        return game.sides_of_blocks(self.stream.blocks, self.comparator, arithmetic=arithmetic)


@dataclass(frozen=True)
class Verified:
    """An attack of a family with both sides of the bound, exactly; ``low`` is certainly not above its ratio."""

    family: str
    attack: Attack | StructuredAdversary
    sides: Sides

    @property
    def low(self) -> Fraction:
        """A lower end of the ratio."""
        return enclosure(self.sides.ratio)[0]


SCHEMA = 1
MOST_CLASSES, MOST_FEATURES, MOST_BLOCKS, MOST_ROUNDS = 1000, 1000, 2000, 10**6
LONGEST, SHORT = 280, 200  # characters that are read, bits that are written
NUMBER = re.compile(r"-?[0-9]+((/|\.)[0-9]+)?")
SIDES = ("mistakes", "comparator_loss", "regret", "ratio")


class WitnessError(ValueError):
    """A witness that says nothing, or something else than the theorem and the computation."""


def statement(theorem: Theorem) -> dict[str, str]:
    """What the theorem says, expression by expression: a witness for another statement is not one for this."""
    loss = {f"loss.{f.name}": getattr(theorem.loss, f.name) for f in fields(theorem.loss)}
    named = ("feedback", "learning_rate", "regret", "exploration", "classes")
    parts = {"loss": type(theorem.loss).__name__, **loss, "gap_map": theorem.gap_map.expression}
    parts |= {"update": "proximal"} if theorem.update == "proximal" else {}
    return {name: str(part) for name, part in (parts | {n: getattr(theorem, n) for n in named}).items()}


def written(theorem: Theorem, attack: Attack, sides: Sides) -> Document:
    """The attack, ready for JSON; vectors by their entries that are not 0."""
    return {
        "theorem": theorem.name,
        "statement": statement(theorem),
        "K": attack.stream.n_classes,
        "T": attack.stream.horizon,
        "X": "1",
        "D": None if attack.stream.radius is None else str(attack.stream.radius),
        "features": attack.stream.n_features,
        "stream": [{"x": _sparse(x), "label": label, "rounds": rounds} for x, label, rounds in attack.stream.blocks],
        "U": [_sparse(row) for row in attack.comparator],
        **{name: _text(getattr(sides, name)) for name in SIDES},
    }


def _sparse(vector: Vector) -> dict[str, str]:
    return {str(j): str(value) for j, value in enumerate(vector) if value}


def _text(number: Number) -> str | list[str]:
    """A short fraction as it is; a long one, or a ball, as an enclosure in decimals."""
    if isinstance(number, Fraction) and max(number.numerator.bit_length(), number.denominator.bit_length()) < SHORT:
        return str(number)
    return exact(ball(number))


# --- reading ------------------------------------------------------------------------------------------------------


def read(data: Any, theorem: Theorem) -> Attack:
    """The attack that a witness of this theorem describes.

    Raises
    ------
    WitnessError
        If it is not one, or is for a theorem that says something else.
    """
    require(isinstance(data, Mapping), "it is not a JSON object")
    found, said = data.get("statement"), statement(theorem)
    require(isinstance(found, Mapping), "it does not say what theorem it is for")
    for name in said:
        if found.get(name) != said[name]:
            raise WitnessError(f"the theorem says {name} = {said[name]}, the witness {found.get(name)}"[:500])
    n_classes = _integer(data, "K", 2, MOST_CLASSES)
    d = _integer(data, "features", 1, MOST_FEATURES)
    require(data.get("X") == "1", "X is not 1")
    rows = geometry_of(theorem.loss).rows(n_classes)
    U = tuple(_vector(row, d) for row in _sequence(data, "U", rows, rows))
    blocks = tuple(_block(item, n_classes, d) for item in _sequence(data, "stream", 1, MOST_BLOCKS))
    rounds, labels, counts = zip(*blocks, strict=True)
    D = None if data.get("D") is None else fraction(data["D"])
    stream = ExactStream(n_classes, rounds, labels, D, counts=counts)
    require(stream.horizon == _integer(data, "T", 1, MOST_ROUNDS), "T is not the number of its rounds")
    return Attack(stream, U)


def confirm(data: Mapping[str, Any], sides: Sides) -> None:
    """WitnessError unless every number of the witness is what was computed."""
    for name in SIDES:
        recorded, (low, high) = data.get(name), enclosure(getattr(sides, name))
        ends = recorded if isinstance(recorded, list) and len(recorded) == 2 else [recorded, recorded]
        first, last = (fraction(end) for end in ends)
        if not first <= low <= high <= last:
            raise WitnessError(f"its {name} is not what is computed, {float(low):.12g}")


def _block(item: Any, n_classes: int, d: int) -> tuple[Vector, int, int]:
    require(isinstance(item, Mapping), "a block of its stream is not a JSON object")
    label, rounds = _integer(item, "label", 0, n_classes - 1), _integer(item, "rounds", 1, MOST_ROUNDS)
    return _vector(item.get("x"), d), label, rounds


def _vector(entries: Any, d: int) -> Vector:
    require(isinstance(entries, Mapping), "a vector is not a JSON object")
    places = {str(j): j for j in range(d)}
    vector = [Fraction(0)] * d
    for place, value in entries.items():
        require(place in places, f"a vector has an entry {str(place)[:20]!r}: it must be one of 0..{d - 1}")
        vector[places[place]] = fraction(value)
    return tuple(vector)


def fraction(text: Any) -> Fraction:
    """A number of a witness; WitnessError if it is none."""
    if not isinstance(text, str) or len(text) > LONGEST or not NUMBER.fullmatch(text):
        raise WitnessError(f"{str(text)[:40]!r} is not a number written as p/q or as a decimal")
    try:
        return Fraction(text)
    except ZeroDivisionError as error:
        raise WitnessError(f"{text!r} divides by zero") from error


def _integer(data: Mapping[str, Any], name: str, low: int, high: int) -> int:
    value = data.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise WitnessError(f"{name} = {str(value)[:40]} is not an integer from {low} to {high}")
    return value


def _sequence(data: Mapping[str, Any], name: str, least: int, most: int) -> list[Any]:
    value = data.get(name)
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise WitnessError(f"{name} is not a list of {least} to {most} entries")
    return value


def require(condition: bool, sentence: str) -> None:
    """WitnessError with the sentence unless the condition holds."""
    if not condition:
        raise WitnessError(sentence)
