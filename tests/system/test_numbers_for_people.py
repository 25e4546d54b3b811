"""Lines for people have six digits, and say how decimals were read; JSON has the exact numbers."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import Command
from rich.console import Console

from gaptron.checking.checker import head
from gaptron.reports import check_report
from gaptron.reports.witness import witness_line, witness_text
from gaptron.system.digits import apart, number


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("1/200", "1/200"),
        ("100000000001", "100000000001"),
        ("1000000000001", "~1.00000e+12"),
        ("123456789/987654321", "~0.125000"),
        ("-123456789/987654321", "~-0.125000"),
        (3, "3"),
        (10**40, "~1.00000e+40"),
        (["0.0123456789", "0.0123456790"], "0.0123457"),
        (["0.0123", "0.0124"], "[0.0123, 0.0124]"),
        (["-0.1", "0.1"], "[-0.1, 0.1]"),
        (["0", "0.0000000000000000000000001"], "[0, 1e-25]"),
        ("undefined", "undefined"),
        ("sqrt(2)*sqrt(K)/(K - 1)", "sqrt(2)*sqrt(K)/(K - 1)"),
    ],
)
def test_a_number_is_short(value: object, shown: str) -> None:
    assert number(value) == shown


def test_two_numbers_that_differ_do_not_look_alike() -> None:
    assert apart(["1000001/2000000000001", "1000002/2000000000001"]) == ["~5.00000e-7", "~5.00001e-7"]
    assert apart([["0.500000000001", "0.500000000002"], "1/2"]) == ["[0.500000000001, 0.500000000002]", "1/2"]
    assert apart(["1/3", "1/3"]) == ["1/3", "1/3"]


def test_a_witness_is_short_in_all_its_parts() -> None:
    long, between = "123456789/987654321", ["0.1234567891", "0.1234567892"]
    witness = {"obligation": "gap/right/1", "K": 2, "scores": [long, "0"], "label": 0, "gap": between}
    witness["parameters"] = {"beta": between}
    assert witness_line(witness) == "K=2, beta=0.123457, scores=(~0.125000, 0), label 0: gap = 0.123457"
    at = {"at": {"x": [long, "1/2"], "K": 3}, "left": between, "right": "1/9", "relation": "left <= right fails"}
    assert (
        witness_text(at) == "x = [123456789/987654321, 1/2], K = 3: left = 0.123457, right = 1/9 (left <= right fails)"
    )


@pytest.mark.slow
def test_json_has_the_exact_numbers(gaptron: Command) -> None:
    (theorem,) = json.loads(gaptron("check", "--json", "examples/bandit_too_fast.py").stdout)["theorems"]
    low, high = theorem["witness"]["gap"]
    assert low.startswith("0.44280904158206336586779")
    assert low < high


def test_how_a_decimal_was_read_is_said() -> None:
    item = SimpleNamespace(
        name="t",
        line=7,
        source=None,
        expect="PROVED",
        eta=lambda: None,
        regret=None,
        parameters=(),
        readings=(("learning_rate", "0.125", "1/8"),),
    )
    theorem = head(Path("f.py"), item) | {"verdict": "PROVED", "obligations": [], "witness": None}  # type: ignore[arg-type]
    assert theorem["readings"] == [{"argument": "learning_rate", "decimal": "0.125", "rational": "1/8"}]
    console = Console(width=200, force_terminal=False)
    with console.capture() as said:
        check_report.show(console, theorem, False)
    assert said.get().splitlines()[1] == "f.py:7: note: t: learning_rate: 0.125 was read as 1/8"
    assert "readings" not in head(
        Path("f.py"),
        SimpleNamespace(name="t", line=7, source=None, expect="PROVED", eta=lambda: None, regret=None, parameters=()),  # type: ignore[arg-type]
    )


def test_what_is_not_defined_says_what_it_needs() -> None:
    witness = {"obligation": "loss/defined", "K": 2, "point": {"m": "1"}, "fails": "m - 1 > 0", "values": ["0", "0"]}
    assert witness_line(witness) == "K=2, m=1: the loss has no value there: it needs m - 1 > 0, whose sides are 0 and 0"
    hole = witness | {"fails": "a value is defined", "values": ["undefined"]}
    assert witness_line(hole) == "K=2, m=1: the loss has no value there"


def test_a_long_relation_is_shown_by_its_ends() -> None:
    terms = " + ".join(f"m**{n}/{n + 1}" for n in range(60))
    witness = {"obligation": "loss/nonnegative", "point": {"m": "-2"}, "fails": f"{terms} >= 0", "values": ["-1", "0"]}
    said = witness_line(witness)
    assert said.startswith("m=-2: m**0/1 + m**1/2 + ")
    assert said.endswith(" + m**59/60 >= 0 fails, with -1 and 0")
    assert len(said) < 200
