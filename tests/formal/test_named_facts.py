"""Named facts in Coq: what a fact says, written from its own sentences and relation, follows from the theorem it names.

The false neighbour of the fact does not. Nothing is compared by name: Coq proves the statement that is written here.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
import sympy as sp
from conftest import Command
from sympy.core.relational import Relational

from gaptron.coq.compiler import RefusedError, compiled
from gaptron.theory.facts import FACTS, Fact

V = r"\{(\w)\}"  # an object of a sentence
HEAD = """From Coq Require Import Reals Lra List.
From Gaptron Require Import Definitions Optimal BanditDefinitions NamedFacts NamedChances.
From Gaptron Require Import Delayed DelayedDraws.
Import ListNotations.
Open Scope R_scope.
Notation known := ltac:(first [eassumption | lra]) (only parsing).
"""
VECTORS = (  # what a vector is written as in the sentences, and in Coq
    (rf"{V} - {V}", r"(minus \1 \2)"),
    (V, r"\1"),
)
GAME = "(K T : nat) (p : history -> nat -> R)"
DRAWN = ("forall h, takes_place K T h -> is_distribution K (p h)",)
NUMBERS = {  # what a symbol reads, and in Coq
    "E[{e}]": "(weighted N w e)",
    "E[||{e}||^2]": "(weighted N w (fun k => dot n (e k) (e k)))",
    "E[sum {x}]": "(expectation K p T (weighted_total x) [])",
    "E[sum E[{x}]]": "(expectation K p T (total (given K p x)) [])",
    "sum <{h}, {W} - {u}>": "(sum T (fun t => dot n (h t) (minus (W t) u)))",
    "sum ||{h}||^2": "(squares n h T)",
    "sum ||{h}_t|| ||{h}_s|| over 1 <= t - s <= {D}": "(late_products n D h T)",
    "E[sum ||{h}_t|| ||{h}_s|| over 1 <= t - s <= {D}]": "(expectation K p T (late_pairs_of D (fun past draw => "
    "norm n (h past draw))) [])",
    "E[sum ||{g}_t|| ||{g}_s|| over 1 <= t - s <= {D}]": "(expectation K p T (late_pairs_of D (fun past _ => "
    "norm n (g past))) [])",
    "{D}": "(INR D)",
}
SENTENCES = (  # that are needed, and in Coq
    (rf"{V} = {V} - {V} {V}", r"same n \1 (fun i => \2 i - \3 * \4 i)"),
    (rf"{V} is a subgradient of {V} at {V}", r"subgradient_at n \2 \1 \3"),
)


@dataclass(frozen=True)
class InCoq:
    """How a fact is read in Coq: what its objects are, and the instance of the theorem from which it follows.

    ``sentences`` reads those that this fact understands in its own way; ``also`` are inverses, ranges, and the draws.
    """

    objects: str
    theorem: str
    sentences: tuple[tuple[str, str], ...] = ()
    also: tuple[str, ...] = ()


FINITE = "(n N : nat) (w : nat -> R) (event : nat -> bool) (p : R)"
CHANCE = ("is_distribution N w", "p = chance N w event")
ON_VECTORS = ((rf"{V} is convex", r"convex_function \1"),)
IN_COQ = {
    "subgradient inequality": InCoq(
        "(n : nat) (f : vector -> R) (g x u : vector)", "subgradient_inequality n f g x u known known", ON_VECTORS
    ),
    "square of a difference": InCoq("(n : nat) (u v x g : vector) (c : R)", "square_of_a_difference n u v x g c known"),
    "projection on a convex set": InCoq(
        "(n : nat) (inside : vector -> Prop) (v p u : vector)",
        "projection n inside v p u known known known known",
        (
            (
                rf"{V} is the projection of {V} on a convex set",
                r"convex_points inside; inside \1; "
                r"(forall q, inside q -> dot n (minus \2 \1) (minus \2 \1) <= dot n (minus \2 q) (minus \2 q))",
            ),
            (rf"{V} is in this convex set", r"inside \1"),
        ),
    ),
    "Cauchy-Schwarz": InCoq("(n : nat) (u v : vector)", "cauchy_schwarz n u v"),
    "norm of an outer product": InCoq(
        "(m n : nat) (g : matrix) (s x : vector)",
        "norm_of_an_outer_product m n g s x known",
        (
            (
                rf"{V} = {V} \(x\) {V}",
                r"forall k i, (k < m)%nat -> (i < n)%nat -> \1 k i = \2 k * \3 i",
            ),
        ),
    ),
    "expectation of an importance-weighted estimate": InCoq(
        f"{FINITE} (v : R) (e : nat -> R)",
        "weighted_estimate N w event p v e known known known known",
        ((rf"{V} is {V}/{V} with .*", r"(forall k, (k < N)%nat -> \1 k = if event k then \2 / \3 else 0)"),),
        CHANCE,
    ),
    "second moment of an importance-weighted estimate": InCoq(
        f"{FINITE} (g : vector) (e : nat -> vector)",
        "weighted_second_moment n N w event p g e known known known known",
        (
            (
                rf"{V} is {V}/{V} with .*",
                r"(forall k, (k < N)%nat -> same n (\1 k) (fun i => if event k then \2 i / \3 else 0))",
            ),
        ),
        CHANCE,
    ),
    "tower of expectations": InCoq(f"{GAME} (x : history -> nat -> R)", "tower K T p known x", also=DRAWN),
    "delayed follow the regularized leader": InCoq(
        "(n D T : nat) (inside : vector -> Prop) (f : vector -> R) (c B v : R) (h W V Z : nat -> vector) "
        "(delta : nat -> R) (u : vector)",
        f"regret_of_a_delayed_leader n D inside f c h W V Z delta B {'known ' * 5}T u v known known known",
        (
            (rf"{V} leads {V}, {V} rounds late, .* {V} .* {V}", r"delayed_leader n \3 inside \4 \5 \2 \1 V Z delta"),
            (rf"this set has the diameter {V}", r"has_diameter n inside \1"),
            (
                rf"{V} is 1-strongly convex and not negative there",
                r"strongly_convex_in (norm n) inside \1 1; forall w, inside w -> 0 <= \1 w",
            ),
            (rf"{V} is in this convex set", r"inside \1"),
        ),
    ),
    "products over a delay": InCoq("(n D T : nat) (h : nat -> vector)", "products_over_a_delay n D h T"),
    "products of late estimates": InCoq(
        f"(n D : nat) {GAME} (event : history -> nat -> bool) (q : history -> R) (g : history -> vector) "
        "(h : history -> nat -> vector)",
        "products_of_late_estimates n K T D p event q g h known known known",
        (
            (
                rf"{V} is {V}/{V} with .*",
                r"(forall past, takes_place K T past -> 0 < q past /\ q past = chance K (p past) (event past) /\ "
                r"forall k, (k < K)%nat -> "
                r"same n (\1 past k) (fun i => if event past k then \2 past i / q past else 0))",
            ),
            (
                rf"{V} is known {V} rounds before",
                r"(forall past other, length past = length other -> skipn \2 past = skipn \2 other -> "
                r"same n (\1 past) (\1 other))",
            ),
        ),
        DRAWN,
    ),
}


def rewritten(text: str, rules: tuple[tuple[str, str], ...]) -> str:
    """By the first rule whose pattern is all of the text."""
    for pattern, coq in rules:
        match = re.fullmatch(pattern, text)
        if match is not None:
            return match.expand(coq)
    raise AssertionError(text)


def number(text: str, fact: Fact) -> str:
    """What a symbol stands for."""
    if fact.name.startswith("norm of an outer") and text == "||{g}||^2":
        return "(norm2 m n g)"
    if fact.name.startswith("norm of an outer") and text == "||{s}||^2":
        return "(dot m s s)"
    if text in NUMBERS:
        return NUMBERS[text]
    for pattern in (r"<(.*), (.*)>", r"\|\|(.*)\|\|\^2"):
        match = re.fullmatch(pattern, text)
        if match is not None:
            first, last = (rewritten(part, VECTORS) for part in (match[1], match[match.lastindex or 1]))
            return f"(dot n {first} {last})"
    rules = (
        (rf"{V}\({V}\)", r"(\1 \2)"),
        (V, r"\1"),
    )
    return rewritten(text, rules)


def term(expr: sp.Expr, read: dict[sp.Basic, str]) -> str:
    """An expression of a fact, in Coq."""
    if expr in read:
        return read[expr]
    if isinstance(expr, sp.Integer):
        return f"({expr})"
    if isinstance(expr, sp.exp):
        return f"(exp {term(expr.args[0], read)})"
    if isinstance(expr, sp.Mul) and expr.args[0] == -1:
        return f"(- {term(-expr, read)})"
    top, bottom = sp.fraction(expr)
    if bottom != 1:
        return f"({term(top, read)} / {term(bottom, read)})"
    if isinstance(expr, sp.Pow):
        return f"({term(expr.base, read)} ^ {expr.exp})"
    sign = {sp.Add: " + ", sp.Mul: " * "}[type(expr)]
    return f"({sign.join(term(part, read) for part in expr.args)})"


def relation(found: Relational, read: dict[sp.Basic, str]) -> str:
    sign = {sp.Le: "<=", sp.Ge: ">=", sp.Eq: "="}[type(found)]
    return f"{term(found.lhs, read)} {sign} {term(found.rhs, read)}"


def goal(fact: Fact, then: Relational) -> str:
    """The fact with this conclusion, proved by the theorem that it names."""
    known = IN_COQ[fact.name]
    read = {symbol: number(text, fact) for symbol, text in fact.reads.items()}
    needs = [one for text in fact.needs for one in rewritten(text, (*known.sentences, *SENTENCES)).split("; ")]
    positive = [f"0 < {read[symbol]}" for symbol in read if symbol.is_positive]
    given = [relation(one, read) for one in fact.given]
    premises = [*needs, *known.also, *positive, *given]
    names = f"intros {' '.join(re.findall(r'[A-Za-z_]+', re.sub(r':[^)]*', '', known.objects)))}."
    statement = " -> ".join([*(f"({one})" for one in premises), relation(then, read)])
    return (
        f"Goal forall {known.objects}, {statement}.\nProof.\n  {names} intros.\n"
        f"  try match goal with H : forall h, takes_place _ _ h -> _ <= top |- _ => rename H into below end.\n"
        f"  assert (theorem := {known.theorem}). lra.\nQed.\n"
    )


PROVED = {fact.name: fact for fact in FACTS}


def test_every_fact_names_a_theorem_and_is_read_in_coq() -> None:
    assert set(PROVED) == set(IN_COQ)
    for fact in PROVED.values():
        file, theorem = fact.coq.split(":")
        assert file in ("NamedFacts.v", "NamedChances.v", "Delayed.v", "DelayedDraws.v")
        assert IN_COQ[fact.name].theorem.split()[0] == theorem
        assert goal(fact, fact.then) != goal(fact, fact.neighbour)


@pytest.mark.slow
@pytest.mark.usefixtures("lent")
def test_explain_says_which_facts_coq_proves(gaptron: Command) -> None:
    row = json.loads(gaptron("explain", "neurips25/thm5-1", "--json").stdout)["claim"]
    assert row["facts"]
    assert row["facts_in_coq"] == {name: PROVED[name].coq for name in row["facts"]}
    text = gaptron("explain", "gaptron/lemma1-round").stdout
    assert "facts: projection (coq)" in text


@pytest.mark.coq
@pytest.mark.slow
def test_each_follows_from_its_theorem(library: Path, tmp_path: Path) -> None:
    compiled({"Facts.v": HEAD + "\n".join(goal(fact, fact.then) for fact in PROVED.values())}, tmp_path, library)


@pytest.mark.coq
@pytest.mark.slow
@pytest.mark.parametrize("name", [*PROVED])
def test_its_false_neighbour_does_not(name: str, library: Path, tmp_path: Path) -> None:
    fact = PROVED[name]
    with pytest.raises(RefusedError, match="Cannot find witness"):
        compiled({"False.v": HEAD + goal(fact, fact.neighbour)}, tmp_path, library)
