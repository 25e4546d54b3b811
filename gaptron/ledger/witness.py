"""A witness on one line that a reader can check by hand."""

from typing import Any

LONG_RUN = 6


def witness_text(witness: dict[str, Any]) -> str:
    """A witness of a claim: of an obligation, or an instance with both sides."""
    if "at" not in witness:
        return witness_line(witness)
    at = ", ".join(f"{name} = {_bare(value)}" for name, value in witness["at"].items())
    return f"{at}: left = {_bare(witness['left'])}, right = {_bare(witness['right'])} ({witness['relation']})"


def _bare(value: Any) -> str:
    return str(value).replace("'", "")


def witness_line(witness: dict[str, Any]) -> str:
    """What breaks, where, and by how much."""
    if "gap" in witness:
        gap = witness["gap"]
        value = f"gap = {gap}" if isinstance(gap, str) else f"gap in [{gap[0]}, {gap[1]}]"
        side = f", subgradient from the {witness['subgradient']}" if "subgradient" in witness else ""
        return f"{_setting(witness)}, scores={_row(witness['scores'])}, label {witness['label']}{side}: {value}"
    if "needed" in witness:
        needed = ", ".join(map(_value, witness["needed"]))
        return f"{_setting(witness)}, scores={_row(witness['scores'])}: the labels need {needed}, more than 1 in sum"
    if "points" in witness:
        points = "; ".join(map(_row, witness["points"]))
        values = ", ".join(map(_value, witness["values"]))
        return (
            f"{_setting(witness)}, label {witness['label']}, scores {points}, weight {witness['weight']} on the "
            f"first: the loss is {values}, above the chord in the middle"
        )
    at = [f"K={witness['K']}"] if "K" in witness else []
    at += [f"{name}={value}" for name, value in witness["point"].items()]
    values = " and ".join(map(_value, witness["values"]))
    return f"{', '.join(at) or 'always'}: {witness['fails']} fails, with {values}"


def _setting(witness: dict[str, Any]) -> str:
    """K and the other parameters."""
    more = [_assignment(name, value) for name, value in witness.get("parameters", {}).items()]
    return ", ".join([f"K={witness['K']}", *more])


def _assignment(name: str, value: str | list[str]) -> str:
    return f"{name}={value}" if isinstance(value, str) else f"{name} in {_value(value)}"


def _row(scores: list[str]) -> str:
    """Scores in brackets, a long run of zeros at the end abbreviated."""
    zeros = next((i for i, score in enumerate(reversed(scores)) if score != "0"), len(scores))
    if zeros <= LONG_RUN:
        return f"({', '.join(scores)})"
    return f"({', '.join([*scores[: len(scores) - zeros], f'0 and {zeros - 1} more zeros'])})"


def _value(value: str | list[str]) -> str:
    return value if isinstance(value, str) else f"[{value[0]}, {value[1]}]"
