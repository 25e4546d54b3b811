"""The second reader of exported theorems: it agrees on everything in scope, and every planted difference is found."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from conftest import REPOSITORY

from gaptron.coq.development import check_scope
from gaptron.coq.formal import STATEMENT
from gaptron.coq.proved import Claims
from gaptron.coq.reader import compare
from gaptron.coq.reader.points import DifferentError
from gaptron.coq.reader.values import UndefinedError, Values
from gaptron.coq.reader.vernacular import UnreadableError, definitions, sentences, tree
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.theorem_kinds import kind_of
from gaptron.theory.files import load
from gaptron.theory.shipped import shipped_files
from gaptron.theory.theorem import Theorem

EXAMPLES = REPOSITORY / "examples"
SMOOTH = REPOSITORY / "proofs" / "gaptron" / "theorem3_smooth_hinge.py"
HINGE = REPOSITORY / "proofs" / "gaptron" / "theorem2_hinge.py"
BINARY = REPOSITORY / "proofs" / "blog" / "examples2_3_theorems.py"
LOGISTIC = REPOSITORY / "proofs" / "gaptron" / "theorem1_logistic.py"
BANDIT = [
    REPOSITORY / "proofs" / "gaptron" / f"{name}.py" for name in ("theorem4_bandit_logistic", "theorem5_bandit_hinge")
]
PRINTED = REPOSITORY / "proofs" / "gaptron" / "theorem6_up_to_11.py"
TENTH = EXAMPLES / "bandit_hinge.py"
ABSTAINING = EXAMPLES / "abstaining_too_fast.py"  # what is false is read as well
SLIDES = REPOSITORY / "proofs" / "slides" / "abstention_losses.py"
BEST = REPOSITORY / "proofs" / "new" / "logistic_best_decoder.py"
BEST_OF_SIGN = REPOSITORY / "proofs" / "new" / "weighted_hinge_best_decoder.py"
OPTIMAL = EXAMPLES / "optimal_constants.py"
OWN = [
    "any_width",
    "bandit_hinge",
    "cubic_tail",
    "exponential",
    "half_at_zero",
    "jump",
    "margin_logistic",
    "squared_hinge",
    "two_classes",
]


def theorems_of(file: Path) -> Iterator[Theorem]:
    """The theorems of a file that the library speaks of, the same ones each time."""
    return iter(_theorems_of(file))


@cache
def _theorems_of(file: Path) -> list[Theorem]:
    found = [statement.item for statement in load(file) if isinstance(statement.item, Theorem)]
    return [theorem for theorem in found if in_scope(theorem)]


def in_scope(theorem: Theorem) -> bool:
    try:
        check_scope(theorem)
    except OutOfScopeError:
        return False
    return True


@cache
def written(theorem: Theorem) -> str:
    """Its development with the proofs of no claim: enough to be read."""
    return kind_of(theorem)(theorem, Claims(), "T_read").text()


def agreed(theorem: Theorem, text: str) -> int:
    """How many values agree."""
    ((_, statement),) = STATEMENT.findall(text)
    return compare(theorem, [text], statement)


@pytest.mark.parametrize(
    "file",
    [SMOOTH, HINGE, BINARY, LOGISTIC, *BANDIT, PRINTED, ABSTAINING, BEST, BEST_OF_SIGN, OPTIMAL],
    ids=lambda file: file.stem,
)
def test_it_agrees_on_what_is_written(file: Path) -> None:
    for theorem in theorems_of(file):
        assert agreed(theorem, written(theorem)) > 50


@pytest.mark.slow
def test_it_agrees_on_everything_in_scope() -> None:
    files = [*shipped_files(), *(EXAMPLES / f"{name}.py" for name in OWN)]
    theorems = [theorem for file in files for theorem in theorems_of(file)]
    assert len(theorems) >= 33
    assert all(agreed(theorem, written(theorem)) > 50 for theorem in theorems)


def test_where_a_loss_has_no_value_it_is_not_said_to_be_defined() -> None:
    (theorem,) = theorems_of(EXAMPLES / "hole.py")
    with pytest.raises(DifferentError, match="phi is not defined at"):
        agreed(theorem, written(theorem))


PLANTED = {
    "a coefficient": (SMOOTH, "((-2) * v_m)", "((-3) * v_m)", "phi at K = 0, m = -5/2 is"),
    "a branch that ends later": (SMOOTH, "Rle_dec v_m 0", "Rle_dec v_m (1 / 2)", "phi at K = 0, m = 1/1000"),
    "a strict comparison": (HINGE, "Rle_dec v_m (/ v_K)", "Rlt_dec v_m (/ v_K)", "the gap map at K = 2, m = 1/2"),
    "a minimum": (SMOOTH, "(Rmin 1 v_m)", "(Rmax 1 v_m)", "the gap map at"),
    "a logarithm": (LOGISTIC, "(/ (ln 2))", "(/ (ln 3))", "psi at"),
    "the rate": (SMOOTH, "((1 / 4) * (/ v_K))", "((101 / 400) * (/ v_K))", "the learning rate at K = 2 is"),
    "the regret": (SMOOTH, "(2 * v_K)", "(3 * v_K)", "the regret at K = 2 is"),
    "a threshold": (HINGE, "R :=\n  (/ v_K).", "R :=\n  (/ (2 * v_K)).", "the threshold at K = 2 is"),
    "no threshold": (HINGE, "(Some (threshold (INR K)))", "None", "a constant is no function of its own"),
    "the loss of the other label": (BINARY, "(minus (INR 2)) (gap", "(plus (INR 2)) (gap", "minus at"),
    "the loss as gap map": (SMOOTH, "(gap_map_of (INR K)) None)) X", "(phi (INR K)) None)) X", "the gap map"),
    "no factor X^2": (SMOOTH, "(regret (INR K)) * X ^ 2)", "(regret (INR K)) * X ^ 1)", "the regret at"),
    "another number of classes": (SMOOTH, "(2 <= K)%nat -> 0 < X", "(3 <= K)%nat -> 0 < X", "its premises at K = 2"),
    "fewer features": (SMOOTH, "-> 0 < X ->", "-> 1 < X -> X < 2 -> 0 < X ->", "X = 1/1000: False"),
    "a premise more": (SMOOTH, "-> 0 < X ->", "-> 0 < X -> 0 < rate (INR K) - 1 ->", "its premises at K = 2"),
    "X of any sign": (SMOOTH, "-> 0 < X ->", "-> X <> 0 ->", "its premises at K = 2, X = -1"),
    "nothing said of the rate": (SMOOTH, "rate_defined (INR K) /\\ ", "", "does not say that rate is defined"),
    "a denominator": (SMOOTH, "Prop :=\n  (v_K <> 0).", "Prop :=\n  True.", "rate is defined at K = 0 in the Coq text"),
    "a logarithm's argument": (LOGISTIC, "((ln 2) <> 0 /\\ 0 < v_p)", "((ln 2) <> 0)", "psi is defined at"),
    "defined at a part": (SMOOTH, "0 <= v_m -> gap_map_of_d", "1 <= v_m -> gap_map_of_d", "gap map is not said to be"),
    "not sharp": (SMOOTH, "rate (INR K) < v_e", "2 * rate (INR K) < v_e", "not about larger learning rates"),
    "sharp for another map": (SMOOTH, "K)) None v_e v_c)", "K)) (Some 1) v_e v_c)", "conditions of another loss"),
    "sharp without a denial": (BINARY, "v_e -> ~ binary", "v_e -> binary", "does not deny the conditions"),
    "another kind": (SMOOTH, "(margin_loss K d (phi", "(softmax_loss K d (phi", "its loss is no margin_loss"),
    "dimension and classes": (SMOOTH, "(full K d", "(full d K", "of another game"),
    "another exploration rate": (TENTH, "R :=\n  (1 / 10).", "R :=\n  (1 / 5).", "the exploration rate at"),
    "the rate at another exploration": (
        TENTH,
        "X D (INR T) (exploration (INR K) X D (INR T)))\n",
        "X D (INR T) 1)\n",
        "its learning rate is at no exploration",
    ),
    "a larger bandit rate": (TENTH, "(v_gamma * (1 +", "((101 / 100) * v_gamma * (1 +", "the learning rate at"),
    "a smaller excess": (TENTH, "((1 / 10) * v_T)", "((1 / 11) * v_T)", "the regret at"),
    "D of any sign": (TENTH, "0 < X -> 0 < D ->", "0 < X -> D <> 0 ->", "its premises at"),
    "no round at all": (TENTH, "(1 <= T)%nat ->", "(0 <= T)%nat ->", "its premises at"),
    "more rounds": (TENTH, "(1 <= T)%nat ->", "(2 <= T)%nat ->", "its premises at"),
    "a regret that depends on U": (TENTH, "(flat (excess", "(another (excess", "its regret depends on U"),
    "full information": (TENTH, "guarantee_in T (bandit K d", "guarantee (full K d", "it is no guarantee"),
    "a bandit rate that divides by zero": (TENTH, "/\\ v_X <> 0).", "/\\ 0 <= 1).", "the learning rate is defined at"),
    "another abstention cost": (ABSTAINING, "R :=\n  v_c.", "R :=\n  (v_c ^ 2).", "the abstention cost at"),
    "a cost of another definition": (
        ABSTAINING,
        "(abstention_cost (INR K) v_c)) X",
        "(rate (INR K) v_c)) X",
        "the abstention cost at",
    ),
    "a cost without a name": (ABSTAINING, "(abstention_cost (INR K) v_c)) X", "v_c) X", "a constant is no function"),
    "nothing said of the cost": (ABSTAINING, " /\\ abstention_cost_defined (INR K) v_c", "", "that abstention_cost is"),
    "costs above the range": (ABSTAINING, "v_c <= (9 / 10) -> 0 < X", "v_c <= 2 -> 0 < X", "its premises at"),
    "guessing in the place of abstaining": (ABSTAINING, "(abstention K d", "(full K d", "of another game"),
    "abstaining in the place of guessing": (SMOOTH, "(full K d", "(abstention K d", "of another game"),
    "sharp at another cost": (
        SLIDES,
        "conditions (abstention_cost (INR K) v_c)",
        "conditions (rate (INR K) v_c)",
        "conditions of other predictions",
    ),
    "sharp for guesses": (
        SLIDES,
        "conditions (abstention_cost (INR K) v_c)",
        "conditions (guessing (INR K))",
        "conditions of other predictions",
    ),
    "a larger rate of the best decoder": (BEST, "(2 * ((ln 2) ^ 2))", "(3 * ((ln 2) ^ 2))", "the learning rate at"),
    "a smaller regret of the best decoder": (BEST, "((1 / 4) * (/ ((", "((1 / 5) * (/ ((", "the regret at"),
    "a margin in the place of a probability": (BEST, "(of_softmax K (psi", "(of_margin K (psi", "its loss is no of_"),
    "a gap map in the place of the best decoder": (BEST, "(decoding K K d", "(full K d", "of another game"),
    "more rows than the scores have": (
        BEST_OF_SIGN,
        "(decoding 2 1 d",
        "(decoding 2 2 d",
        "of another game",
    ),
    "both losses alike": (BEST_OF_SIGN, "(minus (INR 2) v_w)))) X", "(plus (INR 2) v_w)))) X", "minus at"),
    "a weight below its range": (BEST_OF_SIGN, "1 <= v_w -> v_w <= 4 -> 0 < X", "v_w <= 4 -> 0 < X", "its premises"),
    "a smaller constant of all algorithms": (
        OPTIMAL,
        "X 1 (regret (INR K))",
        "X 1 (regret (INR K) / 2)",
        "the regret at",
    ),
    "a coefficient above 1": (OPTIMAL, "X 1 (regret", "X 2 (regret", "it is not about this coefficient"),
    "the target of fewer classes": (OPTIMAL, "(classification K K", "(classification 2 K", "its target is another"),
    "algorithms for another loss": (OPTIMAL, "(Rmax 0 ", "(Rmax 1 ", "phi at"),
    "another loss of scores": (
        OPTIMAL,
        "Definition phi ",
        "Definition of_margin (K : nat) (f : R -> R) (y : nat) (v : vector) : R := 0.\nDefinition phi ",
        "of_margin is defined",
    ),
    "sharp for another number of classes": (
        SMOOTH,
        "~ margin_conditions (guessing (INR K)) (INR K)",
        "~ margin_conditions (guessing (INR K)) 2",
        "conditions of other predictions",
    ),
    "sharp at a price of one's own": (
        SMOOTH,
        "~ margin_conditions (guessing (INR K))",
        "~ margin_conditions (Mine.guess (INR K))",
        "conditions of other predictions",
    ),
    "sharp at another price": (
        SMOOTH,
        "~ margin_conditions (guessing (INR K))",
        "~ margin_conditions (guessing 2)",
        "conditions of other predictions",
    ),
    "an axiom": (SMOOTH, "\nDefinition phi ", "\nAxiom oops : False.\nDefinition phi ", "the command Axiom"),
    "an axiom in a proof": (SMOOTH, "Proof. intro Hc. exact", "Proof. Axiom oops : False. exact", "Axiom in a proof"),
    "a proof that is not ended": (SMOOTH, "Qed.\nPrint", "Admitted.\nPrint", "Admitted in a proof"),
    "a notation": (SMOOTH, "Definition phi ", "Notation Rmin := Rmax.\nDefinition phi ", "the command Notation"),
    "a flag": (SMOOTH, "Definition phi ", "Unset Guard Checking.\nDefinition phi ", "the command Unset"),
    "another minimum": (
        SMOOTH,
        "Definition phi ",
        "Definition Rmin (a b : R) : R := a.\nDefinition phi ",
        "Rmin is defined",
    ),
    "a minimum of another type": (
        SMOOTH,
        "Definition phi ",
        "Definition Rmin : R -> R -> R := Rmax.\nDefinition phi ",
        "Rmin is defined",
    ),
    "another guarantee": (
        SMOOTH,
        "Definition phi ",
        "Definition guarantee (K d : nat) (s : surrogate) (X eta regret : R) : Prop := True.\nDefinition phi ",
        "guarantee is defined",
    ),
    "two losses": (
        SMOOTH,
        "Definition phi ",
        "Definition phi (v : R) : R := v.\nDefinition phi ",
        "phi is defined twice",
    ),
    "a comment": (SMOOTH, "Definition phi ", "(* x *)\nDefinition phi ", "there is a comment"),
}


@pytest.mark.few(20)
@pytest.mark.parametrize(("file", "old", "new", "says"), PLANTED.values(), ids=PLANTED)
def test_a_planted_difference_is_found(file: Path, old: str, new: str, says: str) -> None:
    theorem = next(theorem for theorem in theorems_of(file) if old in written(theorem))
    text = written(theorem)
    with pytest.raises(DifferentError) as error:
        agreed(theorem, text.replace(old, new))
    assert says in str(error.value)


# --- the parser and the values ----------------------------------------------------------------------------------------


def test_precedences_are_those_of_coq() -> None:
    one, two, three = (("number", n) for n in (1, 2, 3))
    assert tree("1 - 2 - 3") == ("-", ("-", one, two), three)
    assert tree("- 1 ^ 2") == ("minus", ("^", one, two))
    assert tree("1 + 2 * / 3") == ("+", one, ("*", two, ("inverse", three)))
    assert tree("1 <= 2 -> ~ 1 = 2 /\\ 3 <> 1") == (
        "->", ("<=", one, two), ("/\\", ("not", ("=", one, two)), ("<>", three, one))
    )  # fmt: skip
    assert tree("forall (K d : nat) x, f K (x)") == (
        "forall", ("K", "d", "x"), ("apply", ("name", "f"), ("name", "K"), ("name", "x"))
    )  # fmt: skip


NO_TERMS = ["1 +", "(1", "1)", "f 'a'", "fun x, x", "forall x => x", "exists )", "fun", "forall (x", "1 2 :="]


@pytest.mark.parametrize("text", NO_TERMS)
def test_what_is_not_a_term_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError):
        tree(text)


def test_values_are_exact_or_enclosed() -> None:
    read = Values(definitions(["Definition f (x y : R) : R := if Rle_dec x y then sqrt (x / y) else Rabs (- x)."]))
    assert read.of(tree("f 4 9"), {}) == Fraction(2, 3)
    assert read.of(tree("f 5 1"), {}) == 5
    assert 2 in read.of(tree("exp (ln 2)"), {})
    for text in ("1 / 0", "ln 0", "sqrt (- 1)", "/ (1 - 1)"):
        with pytest.raises(UndefinedError):
            read.of(tree(text), {})


def test_a_sentence_may_not_be_cut() -> None:
    with pytest.raises(UnreadableError, match="ends within"):
        list(sentences("Lemma a : True. Proof. exact I."))


def test_the_reader_uses_nothing_that_writes() -> None:
    """Of what speaks of Coq it imports itself alone."""
    modules = sorted((REPOSITORY / "gaptron" / "coq" / "reader").glob("*.py"))
    assert len(modules) > 5
    for module in modules:
        taken = re.findall(r"^\s*(?:from|import) (gaptron\.coq\b\S*)", module.read_text(), flags=re.MULTILINE)
        assert all(name.startswith("gaptron.coq.reader") for name in taken), module
