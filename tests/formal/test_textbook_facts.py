"""Facts of the proof language in Coq: what each rule says, with all it asks for, is closed by the theorem it names.

Nothing is compared by name: Coq proves what is printed from the rule itself, and no other constant.
"""

from pathlib import Path

import pytest

from gaptron.coq.library import RefusedError, compiled
from gaptron.papers import facts, matrices
from gaptron.papers.rules import RULES
from gaptron.papers.textbook import FILE, TEXTBOOK, Textbook, closing
from gaptron.papers.trees import COQ

HEAD = f"""From Coq Require Import Reals.
From Gaptron Require Import Definitions VectorFacts {FILE.removesuffix(".v")}.
Open Scope R_scope.
"""
EVERY = [one for some in TEXTBOOK.values() for one in some]


def test_every_rule_that_names_a_fact_is_printed_for_coq() -> None:
    assert {name: tuple(one.theorem for one in some) for name, some in TEXTBOOK.items()} == COQ
    own = {name for name in RULES if RULES[name].__module__ in (facts.__name__, matrices.__name__)}
    assert {one.made().made[0] for one in EVERY} == own
    laws = [one.made().made[1][3] for one in EVERY if one.made().made[0] == "power_of_quotient"]
    assert laws == [0, 1, 2]
    for name, some in TEXTBOOK.items():
        assert {h.text for one in some for h in one.made().hyps if h.kind == "fact"} == {name}


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.theorem)
def test_a_statement_has_no_premise_that_its_rule_does_not_ask_for(one: Textbook) -> None:
    assert one.idle() == []


def test_a_premise_that_no_rule_asks_for_is_told() -> None:
    bernoulli, sums = TEXTBOOK["Bernoulli"][0], TEXTBOOK["Cauchy-Schwarz of sums"][0]
    assert Textbook("any", bernoulli.premises, sums.apply).idle() == list(bernoulli.premises)


@pytest.mark.slow
@pytest.mark.coq
def test_coq_closes_each_statement_by_its_theorem(library: Path, tmp_path: Path) -> None:
    compiled({"Closed.v": HEAD + "".join(map(closing, EVERY))}, tmp_path, library)


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.theorem)
def test_coq_refuses_another_constant(one: Textbook, library: Path, tmp_path: Path) -> None:
    statement = one.statement
    assert statement.endswith(" 0")
    text = closing(one).replace(statement, f"{statement[:-2]} (-1)")
    with pytest.raises(RefusedError, match="has type"):
        compiled({"Closed.v": HEAD + text}, tmp_path, library)
