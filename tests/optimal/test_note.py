"""docs/optimal_constant.md: its script runs with Python alone, and its numbers are those of its page and examples."""

import re
import subprocess
import sys
from fractions import Fraction

import pytest
import sympy as sp
from conftest import REPOSITORY

from gaptron import PairwiseLoss, symbols
from gaptron.symbols import K
from gaptron.theory.files import load

NOTE = (REPOSITORY / "docs" / "optimal_constant.md").read_text(encoding="utf-8")
PAGE = (REPOSITORY / "benchmarks" / "optimal_constant_page.md").read_text(encoding="utf-8")
M = sp.Symbol("m")
THEOREMS = {s.item.name: s.item for s in load(REPOSITORY / "examples" / "optimal_constants.py")}


def test_the_note_is_its_page_with_the_table() -> None:
    before, between, after = re.split(r"\{table\}|\{runs\}", PAGE)
    assert NOTE.startswith(before)
    assert between in NOTE
    assert NOTE.endswith(after)


@pytest.mark.slow
def test_the_script_finds_the_logistic_constant_with_python_alone() -> None:
    (script,) = re.findall(r"```python\n(.*?)```", NOTE, flags=re.DOTALL)
    assert len(script.splitlines()) <= 20
    assert set(re.findall(r"^(?:from|import) (\w+)", script, flags=re.MULTILINE)) == {"math"}
    done = subprocess.run([sys.executable, "-I", "-c", script], text=True, capture_output=True, check=True, timeout=600)
    c = float(done.stdout)
    low, high = _cells("logistic")[-3].split(" to ")
    assert float(low) < c < float(high)
    assert c < float(Fraction(str(THEOREMS["logistic, proximal"].regret))) < c + 1e-4


def test_the_constant_of_the_lower_bound_is_the_one_attained() -> None:
    """At the lead that binds, c(m) of the corollary is the row of all algorithms, and no other lead has more."""
    (formula,) = re.findall(r"c\(m\) = (.*?)  >=  0\.", NOTE)
    c = sp.sympify(formula.replace("2 log2(1 + e^-m)", "2*log(1 + exp(-m), 2)").replace("^", "**"), locals={"m": M})
    binds = float(_cells("logistic")[-1].rsplit(" ", 1)[-1])
    low, high = map(float, _cells("logistic")[-3].split(" to "))
    assert low - 1e-8 < float(c.subs(M, binds)) < high
    assert all(float(c.subs(M, binds + step)) < high for step in (-0.5, -0.01, 0.01, 0.5))


def test_the_closed_forms_are_the_theorems_that_are_proved() -> None:
    for loss in ("hinge", "smooth hinge"):
        closed = sp.sympify(_cells(loss)[-3].strip("`"), locals={"K": K})
        assert sp.cancel(closed - THEOREMS[f"{loss}, proximal"].regret) == 0
        assert [float(cell) for cell in _cells(loss)[2:7]] == [
            float(f"{float(closed.subs(K, n)):.6g}") for n in (2, 3, 10, 100, 1000)
        ]


def _cells(loss: str) -> list[str]:
    (row,) = re.findall(rf"^\| {loss} \| all algorithms \|.*$", NOTE, flags=re.MULTILINE)
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_every_row_of_the_table_is_its_closed_form_and_that_of_the_other_tables() -> None:
    """The columns of a row with a closed form are its values; docs/sharpened.md has the same for gradient steps."""
    rows = [
        cells
        for line in NOTE.split("## The table")[1].split("## In practice")[0].splitlines()
        if len(cells := [cell.strip() for cell in line.strip("|").split("|")]) == 10
        and cells[1] not in ("class", "---")
    ]
    assert len(rows) >= 20
    for cells in rows:
        if cells[7].startswith("`"):
            closed = sp.sympify(cells[7].strip("`"), locals={"K": K})
            values = zip((2, 3, 10, 100, 1000), cells[2:7], strict=True)
            assert all(not cell or cell == f"{float(closed.subs(K, n)):.6g}" for n, cell in values), cells
    sharpened = (REPOSITORY / "docs" / "sharpened.md").read_text(encoding="utf-8")
    for name, over, column in (("all gap maps", "all maps", 3), ("all decoders", "all decoders", 4)):
        ours = {cells[0]: cells[7] for cells in rows if cells[1] == name and cells[7].startswith("`")}
        theirs = {
            cells[0]: cells[column].removesuffix(f", sharp for {over}")
            for line in sharpened.splitlines()
            if line.startswith("| ") and len(cells := [cell.strip() for cell in line.strip("|").split("|")]) == 5
            if cells[column].endswith(f", sharp for {over}")
        }
        assert ours == theirs


def test_the_constants_of_losses_of_all_scores_are_proved_and_two_labels_forbid_less() -> None:
    """At the scores named, loss + (c/2) (A - B)^2 is 1/2: with a smaller c two labels alike are too many mistakes."""
    items = {s.item.name: s.item for s in load(REPOSITORY / "examples" / "losses_of_all_scores.py")}
    said = (REPOSITORY / "examples" / "expected" / "losses_of_all_scores.txt").read_text()
    rows = re.findall(
        r"^\| ([^|]*) \| `(.*?)`[^|]*\| proximal steps, [^|]* \| two labels at (.*?) \|$", NOTE, re.MULTILINE
    )
    assert {name for name, _, _ in rows} == set(re.findall(r"^PROVED +(.+?) \(", said, re.MULTILINE))
    for name, c, where in rows:
        at = {letter: sp.Rational(value) for letter, value in re.findall(r"(\w) = (-?[\d./]+)", where)}
        lead = at["m"] if "m" in at else at["A"] - at["B"]
        loss = items[name].loss
        cost = (
            loss.phi.subs(symbols.m, lead)
            if isinstance(loss, PairwiseLoss)
            else loss.own.subs(symbols.z, at["A"]) + loss.other.subs(symbols.z, at["B"])
        )
        assert sp.Rational(c) == items[name].regret
        assert float(cost + sp.Rational(c) * lead**2 / 2) == pytest.approx(1 / 2, abs=2e-7 if "." in c else 1e-15)
    assert "REFUTED   nothing for the label's own score" in said
    assert "| nothing for the label's own score | none | nobody |" in NOTE


def test_what_a_proximal_round_costs_is_what_was_measured() -> None:
    """Ratios of one run: compiled rounds, and the decoder's share of the reference's round."""
    _, head, *lines = (REPOSITORY / "benchmarks" / "proximal_cost.txt").read_text().splitlines()
    assert head.split() == ["K", "gradient", "compiled", "proximal", "compiled", "decoder", "step"]
    rows = [list(map(float, line.split())) for line in lines]
    said = re.findall(r"^\| K = (\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", NOTE, re.MULTILINE)
    measured = [(row[0], row[4] / row[2], row[3] / row[1], row[5] / row[6]) for row in rows]
    assert said == [(f"{n:.0f}", *(f"{ratio:.3g}" for ratio in ratios)) for n, *ratios in measured]
