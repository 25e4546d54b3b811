"""Theorems as data: what is run of Coq's functions says what Coq says, and no other data has the proofs."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path

import pytest
from conftest import REPOSITORY
from sympy import Abs, And, Eq, Expr, Max, Min, Not, Or, Piecewise, Rational, exp, log, sqrt
from test_whole_theorems import UNCERTIFIED, theorem_of

from gaptron import BinaryLoss, GapMap, MarginLoss, PairwiseLoss, Parameter, SeparableLoss, SoftmaxLoss
from gaptron.coq.kernel_data import Data, Pair, printed
from gaptron.coq.library import RefusedError, compiled
from gaptron.coq.proved import HEADER, Claims
from gaptron.coq.records import (
    AttainedData,
    BinaryData,
    ContactPlace,
    DecodedData,
    ExploringData,
    LeadData,
    LikelyData,
    LossesData,
    LossStatement,
    MarginData,
    OppositeLoss,
    RatedData,
    ScoredData,
    SoftmaxData,
    TheoremStatement,
)
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.theorem_data import GAME, NO_GAME, AsData, losses_data, theorem_data
from gaptron.coq.written import ZERO
from gaptron.symbols import D, K, T, X, gamma, m, p, z
from gaptron.theory.files import load
from gaptron.theory.losses import Loss
from gaptron.theory.refusals import TheoremError
from gaptron.theory.shipped import FileError
from gaptron.theory.theorem import Theorem

w = Parameter("w", 1, 4)
SQUARE = Max(1 - m, 0) ** 2
LINE = 1 - m / K
WRITTEN: dict[str, Expr] = {
    "all ways to have pieces": Piecewise(
        (Abs(m) + Min(m, 1, w), m < 0),
        (2 * Max(m, w) ** 3, And(m <= 1, Not(Eq(m, w)))),
        (0, Or(m > 4, m < 2)),
        (1, True),
    ),
    "operations that may be undefined": sqrt(1 + m**2) + 1 / (2 + m**2) ** 3 + log(3 + exp(-m), 2) + 1 / (w + exp(m)),
    "roots and powers": (2 + m**2) ** Rational(2, 3) + (m**2 + w) ** 5 * m**2 + 7 / (4 + m**2),
    "pieces inside": exp(-Max(m, 0)) + 1 / (1 + Abs(m)) ** 2,
    "pieces under a root": sqrt(Max(m, 1)) + Max(m, w) ** Rational(-2, 3),
    "a logarithm of pieces": log(Max(w, m)),
    "nothing": Expr() * 0,
}


def theorem(phi: Expr) -> Theorem:
    """With these functions in the places of the loss, the gap map, the rates and the contact; it need not be true."""
    return Theorem(
        name="written",
        loss=MarginLoss(phi, off_above=1 / K),
        gap_map=GapMap(phi),
        learning_rate=1 / (w * K),
        regret=w * K,
    )


def in_pieces(phi: Expr) -> Theorem:
    """The same with numbers in pieces."""
    rate = Piecewise((1 / K, 1 / (K - 3) <= w), (Min(1 / w, 1 / K), True))
    loss = MarginLoss(phi, off_above=Max(1 / K, w - 1))
    return replace(theorem(phi), loss=loss, learning_rate=rate, regret=Abs(w - K))


ONE: Data = ("Smooth", ("Int", 1))


def times(factor: Data, number: Data) -> Data:
    """A number in pieces times another one."""
    return ("Times", ("Smooth", factor), number)


def unproved(found: Theorem) -> MarginData:
    """Its data, with some order of its parts."""
    data = AsData(found, NO_GAME).data()
    assert isinstance(data, MarginData)
    return data


def opposite(plus: MarginData) -> OppositeLoss:
    """Its loss is a function of the score for -1 too."""
    return OppositeLoss(plus.phi, plus.order, plus.elsewhere)


def of_one_vector(plus: MarginData) -> BinaryData:
    """Its loss is that of +1, and a function of the score for -1."""
    upper = replace(plus, label="Upper", off_above=None)
    return BinaryData(**vars(opposite(plus)), upper=upper, sharp_at=plus.sharp_at)


def attained(one: MarginData) -> Iterator[AttainedData]:
    """Its rate as a constant: of every label, of one weight vector with two losses and with one, and up to a margin."""
    loss = {field.name: getattr(one, field.name) for field in fields(LossStatement)}
    every = AttainedData(**loss, opposite=None, is_same=False, constant=one.rate, far=None)
    yield every
    yield replace(every, far=("Inv", ("Var", 3)))
    for is_same in (False, True):
        yield replace(every, label="Upper", opposite=opposite(one), is_same=is_same)


def scored(one: MarginData) -> Iterator[ScoredData]:
    """Its rate as a constant of pairs and of single scores, with rivals that add nothing and with others."""
    every, *others = attained(one)
    for lowest in (ZERO, ("Rat", 1, 7)):
        yield ScoredData(**{**vars(every), "label": "Upper"}, lowest=lowest)
    for each in (one for one in others if one.opposite is not None):
        yield ScoredData(**vars(each), lowest=ZERO)


def decoded(one: MarginData) -> Iterator[DecodedData]:
    """Its rates with the best decoder: labels apart, tied, and of one weight vector."""
    rated = {field.name: getattr(one, field.name) for field in fields(RatedData)}
    for tied in (False, True):
        yield DecodedData(**rated, opposite=None, tied=tied)
    yield replace(DecodedData(**rated, opposite=opposite(one), tied=False), label="Upper", off_above=None)


def of_probability(one: MarginData) -> Iterator[SoftmaxData | LikelyData | LeadData]:
    """Its loss is one of the label's probability: with its gap map, the best decoder, or its rate as a constant."""
    loss = {field.name: getattr(one, field.name) for field in fields(LossStatement)} | {"label": "Probable"}
    rated = {field.name: getattr(one, field.name) for field in fields(RatedData)} | loss
    yield SoftmaxData(**{**rated, "off_above": None}, gap_map=one.gap_map)
    for few in (2, 5):
        yield LikelyData(**rated, few=few)
    lead = LeadData(**loss, constant=one.rate, far=None, least=("Int", 0), point=None)
    yield lead
    yield replace(lead, far=("Inv", ("Var", 3)))
    yield replace(lead, least=("Rat", 1, 2), point=(("Rat", 2, 3), ("Int", 2)))


def exploring(one: MarginData) -> ExploringData:
    """Its rate is that of a game, in which gamma is what its rate is; its first parameter is in the place of gamma."""
    rated = {field.name: getattr(one, field.name) for field in fields(RatedData)} | {"regret": None, "cost": None}
    return ExploringData(**rated, gap_map=one.gap_map, explored=one.rate)


READ = "From Gaptron Require Import WrittenFunctions Obligations.\n"


def same(data: TheoremStatement) -> str:
    """That Coq computes these claims from the data."""
    computes = BOTH.get(type(data)) or f"{data.computes} given"  # type: ignore[union-attr]
    return (
        f"Goal let given := {printed(data.data())}%nat in {computes} = {printed(data.claims())}%nat.\n"
        "Proof. vm_compute. reflexivity. Qed.\n"
    )


BOTH = {
    BinaryData: "obligations (upper given) ++ obligations (lower given)",
    LossesData: "flat_map claims_of_loss (losses_of given)",
}


def computed(data: TheoremStatement, proofs: list[Data]) -> dict[str, str]:
    """A file in which Coq decides whether these are its proofs."""
    found = Claims()
    found.compute(data, proofs)
    return {"Data.v": found.text}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", [*WRITTEN, "numbers in pieces"])
def test_coq_computes_the_claims_of_every_kind(name: str, library: Path, tmp_path: Path) -> None:
    data = unproved(theorem(WRITTEN[name]) if name in WRITTEN else in_pieces(SQUARE))
    wrong, right = (ContactPlace(right, ("Var", 3), ("Inv", ("Var", 2)), 0, 0) for right in (False, True))
    settings = (None, None), (wrong, None), (right, ("Smooth", ("Inv", ("Var", 3))))
    changed = [replace(data, sharp_at=contact, cost=cost, elsewhere=[(0, 0)]) for contact, cost in settings]
    others = [*attained(data), *scored(data), *decoded(data), *of_probability(data), exploring(data)]
    goals = map(same, [*changed, *map(of_one_vector, changed[:2]), *others])
    compiled({"Same.v": "".join([HEADER, READ, *goals])}, tmp_path, library)


def of_files() -> Iterator[tuple[str, TheoremStatement]]:
    """The data of every theorem that is shipped, shown, or degenerate, as far as Coq's data has words for it."""
    folders = REPOSITORY / "proofs", REPOSITORY / "examples", REPOSITORY / "tests" / "soundness" / "degenerate"
    for file in sorted(file for folder in folders for file in folder.rglob("*.py") if "worked" not in file.parts):
        with suppress(FileError):
            for one in load(file):
                if isinstance(one.item, Theorem):
                    game = GAME if one.item.feedback == "bandit" else NO_GAME
                    with suppress(OutOfScopeError, TheoremError):
                        yield f"{file.stem}: {one.item.name}", AsData(one.item, game).data()


@pytest.mark.slow
@pytest.mark.coq
def test_coq_computes_the_claims_of_every_fifth_file(library: Path, tmp_path: Path) -> None:
    found = list(of_files())
    assert len(found) > 100, "few theorems are data"
    goals = [f"(* {name.replace('*', ' ')} *)\n{same(data)}" for name, data in found[::5]]
    compiled({"Files.v": "".join([HEADER, READ, *goals])}, tmp_path, library)


@pytest.mark.slow
@pytest.mark.coq
def test_no_other_data_has_the_proofs(library: Path, tmp_path: Path) -> None:
    """Each change is refused by the computation; nothing changed, it accepts."""
    squared = theorem_of("squared_hinge.py")
    data, proofs = theorem_data(squared)
    assert isinstance(data, MarginData)
    _, of_another = theorem_data(replace(squared, learning_rate=1 / (8 * K), regret=4 * K))
    compiled(computed(data, proofs), tmp_path, library)
    other_rate = ("IfLe", ("Var", 2), ("Int", 99), data.rate, ONE)
    moved = ("IfLe", ("Var", 0), ("Rat", 1, 100), ONE, data.phi)
    changes = {
        "a rate times 101/100": (replace(data, rate=times(("Rat", 101, 100), data.rate)), proofs),
        "another rate for many classes": (replace(data, rate=other_rate), proofs),
        "a smaller regret": (replace(data, regret=times(("Rat", 99, 100), data.regret)), proofs),
        "a piece moved": (replace(data, phi=moved), proofs),
        "a premise dropped": (replace(data, domain=data.domain[1:]), proofs),
        "parts in another order": (replace(data, order=data.order[::-1]), proofs),
        "a part left out": (replace(data, order=data.order[:-1]), proofs),
        "a gap map above 1": (replace(data, gap_map=("Plus", data.gap_map, ("Smooth", ("Var", 0)))), proofs),
        "a contact that is none": (replace(data, sharp_at=ContactPlace(True, ("Int", 1), ("Int", 1), 0, 0)), proofs),
        "a certificate less": (data, proofs[:-1]),
        "certificates of another theorem": (data, of_another),
    }
    all_refused({name: computed(*change) for name, change in changes.items()}, library, tmp_path)


def all_refused(files: dict[str, dict[str, str]], library: Path, folder: Path) -> None:
    """Coq refuses each of them."""
    for name, file in files.items():
        with pytest.raises(RefusedError) as refused:
            compiled(file, folder, library)
        assert refused.value.line, name


IN_A_GAME = Theorem(
    name="in a game",
    loss=MarginLoss(Max(1 - m, 0), off_above=Rational(1, 2)),
    gap_map=GapMap(Piecewise((1 - m, 2 * m <= 1), (0, True))),
    feedback="bandit",
    exploration=Min(1, X * D / sqrt(T)),
    learning_rate=gamma / (2 * K * X**2),
    regret=T,
)


@pytest.mark.slow
@pytest.mark.coq
def test_no_other_data_in_a_game_has_the_proofs(library: Path, tmp_path: Path) -> None:
    data, proofs = theorem_data(IN_A_GAME)
    assert isinstance(data, ExploringData)
    _, of_another = theorem_data(replace(IN_A_GAME, learning_rate=gamma / (3 * K * X**2)))
    compiled(computed(data, proofs), tmp_path, library)
    moved = ("IfLe", ("Var", 0), ("Rat", 1, 100), ONE, data.phi)
    without_gamma = tuple(one for one in data.domain if one.first != Pair("Gt", ("Var", 3)))
    changes = {
        "a rate times 101/100": (replace(data, rate=times(("Rat", 101, 100), data.rate)), proofs),
        "a piece moved": (replace(data, phi=moved), proofs),
        "a premise dropped": (replace(data, domain=data.domain[1:]), proofs),
        "gamma of another sign": (replace(data, domain=without_gamma), proofs),
        "gamma is half of it": (replace(data, explored=times(("Rat", 1, 2), data.explored)), proofs),
        "a larger threshold": (replace(data, off_above=("Smooth", ("Int", 1))), proofs),
        "one weight vector": (replace(data, label="Upper"), proofs),
        "a part left out": (replace(data, order=data.order[:-1]), proofs),
        "a gap map above 1": (replace(data, gap_map=("Plus", data.gap_map, ("Smooth", ("Var", 0)))), proofs),
        "a certificate less": (data, proofs[:-1]),
        "certificates of another theorem": (data, of_another),
    }
    all_refused({name: computed(*change) for name, change in changes.items()}, library, tmp_path)


HINGES = {"plus": Max(1 - z, 0) ** 2, "minus": 2 * Max(1 + z, 0) ** 2}
SIGNED = Theorem(
    name="signed",
    loss=BinaryLoss(**HINGES),
    gap_map=GapMap(Piecewise((0, m <= 0), (SQUARE, True))),  # z = 0 is wrong for -1 alone
    learning_rate=Rational(1, 8),
    regret=4,
)


@pytest.mark.slow
@pytest.mark.coq
def test_no_other_data_of_one_vector_has_the_proofs(library: Path, tmp_path: Path) -> None:
    data, proofs = theorem_data(SIGNED)
    assert isinstance(data, BinaryData)
    upper = data.upper
    _, of_another = theorem_data(replace(SIGNED, learning_rate=Rational(1, 9), regret=5))
    compiled(computed(data, proofs), tmp_path, library)
    faster = replace(upper, rate=times(("Rat", 101, 100), upper.rate))
    cheaper = replace(upper, regret=times(("Rat", 99, 100), upper.regret))
    turned = replace(upper, phi=data.minus, order=upper.order[::-1])
    changes = {
        "a rate times 101/100": (replace(data, upper=faster), proofs),
        "a smaller regret": (replace(data, upper=cheaper), proofs),
        "a piece moved": (replace(data, minus=("IfLe", ("Var", 0), ("Rat", -99, 100), ONE, data.minus)), proofs),
        "a premise dropped": (replace(data, upper=replace(upper, domain=())), proofs),
        "the labels exchanged": (replace(data, upper=turned, minus=upper.phi, order=data.order[::-1]), proofs),
        "one loss for both": (replace(data, minus=upper.phi), proofs),
        "every label's": (replace(data, upper=replace(upper, label="Every")), proofs),
        "the label -1 twice": (replace(data, upper=replace(upper, label="Lower")), proofs),
        "a part of -1 left out": (replace(data, order=data.order[:-1]), proofs),
        "a contact that is none": (replace(data, sharp_at=ContactPlace(True, ("Int", 1), ("Int", 1), 0, 0)), proofs),
        "a certificate less": (data, proofs[:-1]),
        "certificates of another theorem": (data, of_another),
    }
    all_refused({name: computed(*change) for name, change in changes.items()}, library, tmp_path)


def constant(loss: Loss, number: Expr) -> Theorem:
    """That some algorithm attains it."""
    return Theorem(name="attained", loss=loss, decoder="best", update="proximal", regret=number)


def attained_data(found: Theorem) -> tuple[AttainedData, list[Data]]:
    """With its proofs."""
    data, proofs = theorem_data(found)
    assert isinstance(data, AttainedData)
    return data, proofs


SMALLER = ("Rat", 99, 100)


@pytest.mark.slow
@pytest.mark.coq
def test_no_other_data_of_a_constant_has_the_proofs(library: Path, tmp_path: Path) -> None:
    smooth = Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))
    data, proofs = attained_data(constant(MarginLoss(smooth), K))
    _, of_another = attained_data(constant(MarginLoss(smooth), 2 * K))
    compiled(computed(data, proofs), tmp_path, library)
    other = ("IfLe", ("Var", 2), ("Int", 99), data.constant, ONE)
    changes = {
        "a constant times 99/100": (replace(data, constant=times(SMALLER, data.constant)), proofs),
        "another constant for many classes": (replace(data, constant=other), proofs),
        "a smaller loss": (replace(data, phi=times(SMALLER, data.phi)), proofs),
        "a piece moved": (replace(data, phi=("IfLe", ("Var", 0), ("Rat", 1, 100), ONE, data.phi)), proofs),
        "a premise dropped": (replace(data, domain=data.domain[1:]), proofs),
        "parts in another order": (replace(data, order=data.order[::-1]), proofs),
        "a part left out": (replace(data, order=data.order[:-1]), proofs),
        "a margin that is not far": (replace(data, far=("Int", 1)), proofs),
        "one weight vector": (replace(data, label="Upper"), proofs),
        "a certificate less": (data, proofs[:-1]),
        "certificates of another theorem": (data, of_another),
    }
    all_refused({name: computed(*change) for name, change in changes.items()}, library, tmp_path)


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.parametrize("minus", [None, Max(1 + z, 0)], ids=["one loss", "two losses"])
def test_no_other_data_of_a_constant_of_one_vector_has_the_proofs(
    minus: Expr | None, library: Path, tmp_path: Path
) -> None:
    data, proofs = attained_data(constant(BinaryLoss(plus=HINGES["plus"], minus=minus), Rational(1)))
    _, of_another = attained_data(constant(BinaryLoss(plus=HINGES["plus"], minus=minus), Rational(2)))
    assert data.opposite is not None
    assert data.is_same == (minus is None)
    compiled(computed(data, proofs), tmp_path, library)
    moved = replace(data.opposite, minus=("IfLe", ("Var", 0), ("Rat", -99, 100), ONE, data.opposite.minus))
    less = replace(data.opposite, order=data.opposite.order[:-1])
    changes = {
        "a constant times 99/100": (replace(data, constant=times(SMALLER, data.constant)), proofs),
        "a smaller loss of +1": (replace(data, phi=times(SMALLER, data.phi)), proofs),
        "a piece of -1 moved": (replace(data, opposite=moved), proofs),
        "a part of -1 left out": (replace(data, opposite=less), proofs),
        "a premise dropped": (replace(data, domain=()), proofs),
        "the loss of +1 alone": (replace(data, opposite=None), proofs),
        "the other criterion": (replace(data, is_same=not data.is_same), proofs),
        "every label's": (replace(data, label="Every"), proofs),
        "a certificate less": (data, proofs[:-1]),
        "certificates of another theorem": (data, of_another),
    }
    all_refused({name: computed(*change) for name, change in changes.items()}, library, tmp_path)


SCORED = {
    "pairs": PairwiseLoss(Max(1 - m, 0)),
    "single scores": SeparableLoss(own=Max(1 - z, 0), other=Max(1 + z, 0)),
    "opposite scores": SeparableLoss(own=Max(1 - z, 0) ** 2, other=Max(1 + z, 0) ** 2),
}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.parametrize("name", SCORED)
def test_no_other_data_of_all_scores_has_the_proofs(name: str, library: Path, tmp_path: Path) -> None:
    data, proofs = theorem_data(constant(SCORED[name], Rational(1)))
    assert isinstance(data, ScoredData)
    assert data.is_same == (name == "opposite scores")
    _, of_another = theorem_data(constant(SCORED[name], Rational(2)))
    compiled(computed(data, proofs), tmp_path, library)
    counted = ("IfLe", ("Var", 4), ("Int", 99), data.constant, ONE)
    changes = {
        "half the constant": (replace(data, constant=times(("Rat", 1, 2), data.constant)), proofs),
        "a constant that knows how many are alike": (replace(data, constant=counted), proofs),
        "a smaller loss": (replace(data, phi=times(SMALLER, data.phi)), proofs),
        "a piece moved": (replace(data, phi=("IfLe", ("Var", 0), ("Rat", 1, 100), ONE, data.phi)), proofs),
        "a premise dropped": (replace(data, domain=data.domain[1:]), proofs),
        "a part left out": (replace(data, order=data.order[:-1]), proofs),
        "rivals that add more": (replace(data, lowest=("Rat", 1, 100)), proofs),
        "every label's": (replace(data, label="Every"), proofs),
        "a certificate less": (data, proofs[:-1]),
        "certificates of another theorem": (data, of_another),
    }
    if data.opposite is not None:
        moved = replace(data.opposite, minus=("IfLe", ("Var", 0), ("Rat", -99, 100), ONE, data.opposite.minus))
        changes |= {
            "a piece of the rivals moved": (replace(data, opposite=moved), proofs),
            "the other criterion": (replace(data, is_same=not data.is_same), proofs),
            "pairs": (replace(data, opposite=None), proofs),
        }
    all_refused({name: computed(*change) for name, change in changes.items()}, library, tmp_path)


def decoded_data(found: Theorem) -> tuple[DecodedData, list[Data]]:
    """With its proofs."""
    data, proofs = theorem_data(found)
    assert isinstance(data, DecodedData)
    return data, proofs


@pytest.mark.slow
@pytest.mark.coq
def test_no_other_data_of_a_decoder_has_the_proofs(library: Path, tmp_path: Path) -> None:
    hinge = Theorem(
        name="hinge",
        loss=MarginLoss(Max(1 - m, 0), off_above=1 / K),
        decoder="best",
        learning_rate=1 / (2 * K),
        regret=K,
    )
    data, proofs = decoded_data(hinge)
    _, of_another = decoded_data(replace(hinge, learning_rate=1 / (3 * K), regret=2 * K))
    compiled(computed(data, proofs), tmp_path, library)
    changes = {
        "a rate times 101/100": (replace(data, rate=times(("Rat", 101, 100), data.rate)), proofs),
        "a smaller regret": (replace(data, regret=times(SMALLER, data.regret)), proofs),
        "a smaller threshold": (replace(data, off_above=times(SMALLER, data.off_above)), proofs),
        "no threshold": (replace(data, off_above=None), proofs),
        "a piece moved": (replace(data, phi=("IfLe", ("Var", 0), ("Rat", 1, 100), ONE, data.phi)), proofs),
        "a premise dropped": (replace(data, domain=data.domain[1:]), proofs),
        "a part left out": (replace(data, order=data.order[:-1]), proofs),
        "tied labels": (replace(data, tied=True), proofs),
        "one weight vector": (replace(data, label="Upper"), proofs),
        "a certificate less": (data, proofs[:-1]),
        "certificates of another theorem": (data, of_another),
    }
    all_refused({name: computed(*change) for name, change in changes.items()}, library, tmp_path)


@pytest.mark.slow
@pytest.mark.coq
def test_no_other_data_of_a_decoder_of_one_vector_has_the_proofs(library: Path, tmp_path: Path) -> None:
    squared = Theorem(
        name="squared", loss=BinaryLoss(**HINGES), decoder="best", learning_rate=Rational(1, 8), regret=Rational(4)
    )
    data, proofs = decoded_data(squared)
    assert data.opposite is not None
    _, of_another = decoded_data(replace(squared, learning_rate=Rational(1, 9), regret=Rational(5)))
    compiled(computed(data, proofs), tmp_path, library)
    moved = replace(data.opposite, minus=("IfLe", ("Var", 0), ("Rat", -99, 100), ONE, data.opposite.minus))
    changes = {
        "a rate times 101/100": (replace(data, rate=times(("Rat", 101, 100), data.rate)), proofs),
        "a smaller regret": (replace(data, regret=times(SMALLER, data.regret)), proofs),
        "a threshold": (replace(data, off_above=ONE), proofs),
        "a piece of -1 moved": (replace(data, opposite=moved), proofs),
        "one loss for both": (replace(data, opposite=replace(data.opposite, minus=data.phi)), proofs),
        "the loss of +1 alone": (replace(data, opposite=None), proofs),
        "every label's": (replace(data, label="Every"), proofs),
        "a premise dropped": (replace(data, domain=()), proofs),
        "a certificate less": (data, proofs[:-1]),
        "certificates of another theorem": (data, of_another),
    }
    all_refused({name: computed(*change) for name, change in changes.items()}, library, tmp_path)


BROKEN = {
    "a jump": MarginLoss(Piecewise((2 - m, m < 0), (1 - m, m < 1), (0, True))),
    "a jump upward": MarginLoss(Piecewise((1 - m, m < 0), (2 - m, m < 1), (0, True))),
    "a slope that falls": MarginLoss(Piecewise((1 - m, m <= 0), (exp(-2 * m), True))),
    "a concave piece": MarginLoss(Piecewise((1 - m, m <= 0), (2 - exp(m), True))),
    "another value at a point": MarginLoss(Piecewise((1 - m, m < 0), (2, And(m <= 0, m >= 0)), (exp(-m), True))),
    "negative values": MarginLoss(SQUARE - Rational(1, 10)),
    "values that rise": MarginLoss(m**2),
}


@pytest.mark.slow
@pytest.mark.parametrize("loss", BROKEN.values(), ids=BROKEN)
def test_a_loss_that_is_not_as_it_must_be_has_no_certificates(loss: MarginLoss) -> None:
    with pytest.raises(OutOfScopeError, match=UNCERTIFIED):
        theorem_data(Theorem(name="broken", loss=loss, gap_map=GapMap(0 * m), learning_rate=1 / (1000 * K)))


@pytest.mark.parametrize("phi", [2 ** Max(m, 0), Piecewise((1, Max(m, 0) <= 1), (0, True))], ids=str)
def test_what_the_data_has_no_words_for_is_named(phi: Expr) -> None:
    with pytest.raises(OutOfScopeError, match=r"pieces in an exponent|is not smooth"):
        unproved(theorem(phi))


def test_pairs_of_numbers_are_written_as_pairs() -> None:
    assert printed([Pair(1, 0)]) == "[(1, 0)]"


LOGISTIC = Theorem(
    name="logistic",
    loss=SoftmaxLoss(-log(p) / log(2)),
    gap_map=GapMap(Piecewise((1 - p, p >= Rational(1, 2)), (1, True))),
    learning_rate=log(2) / (2 * K),
    regret=K / log(2),
)
OF_PROBABILITIES = {
    "a gap map": (LOGISTIC, {"learning_rate": log(2) / (3 * K), "regret": 2 * K / log(2)}),
    "the best decoder": (
        Theorem(
            name="decoder", loss=LOGISTIC.loss, decoder="best", learning_rate=log(2) ** 2, regret=1 / (2 * log(2) ** 2)
        ),
        {"learning_rate": log(2) ** 2 / 2, "regret": 1 / log(2) ** 2},
    ),
    "a constant": (constant(LOGISTIC.loss, Rational(1, 2)), {"regret": K}),
}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.parametrize("kind", OF_PROBABILITIES)
def test_no_other_data_of_a_probability_has_the_proofs(kind: str, library: Path, tmp_path: Path) -> None:
    found, other = OF_PROBABILITIES[kind]
    data, proofs = theorem_data(found)
    assert isinstance(data, SoftmaxData | LikelyData | LeadData)
    _, of_another = theorem_data(replace(found, **other))
    compiled(computed(data, proofs), tmp_path, library)
    changes = {
        "a smaller loss": (replace(data, phi=times(SMALLER, data.phi)), proofs),
        "a piece moved": (replace(data, phi=("IfLe", ("Var", 0), ("Rat", 1, 100), ONE, data.phi)), proofs),
        "a premise dropped": (replace(data, domain=data.domain[1:]), proofs),
        "no part": (replace(data, order=()), proofs),
        "a margin": (replace(data, label="Every"), proofs),
        "a certificate less": (data, proofs[:-1]),
        "certificates of another theorem": (data, of_another),
    }
    if isinstance(data, LeadData):
        less = {
            "constant": times(("Rat", 1, 10), data.constant),
            "least": ("Int", 1),
            "point": (("Rat", 1, 2), ("Int", 1)),
        }
    else:
        less = {"rate": times(("Int", 2), data.rate), "regret": times(SMALLER, data.regret)}
    if isinstance(data, SoftmaxData):
        less["gap_map"] = ("Plus", data.gap_map, ("Smooth", ("Var", 0)))
    if isinstance(data, LikelyData):
        less["few"] = data.few - 1
    changes |= {name: (replace(data, **{name: value}), proofs) for name, value in less.items()}
    all_refused({name: computed(*change) for name, change in changes.items()}, library, tmp_path)


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.parametrize(
    "loss", [MarginLoss(SQUARE), BinaryLoss(**HINGES), LOGISTIC.loss], ids=lambda loss: type(loss).__name__
)
def test_no_other_losses_have_the_proofs(loss: Loss, library: Path, tmp_path: Path) -> None:
    data, proofs = losses_data(constant(loss, Rational(1)))
    assert isinstance(data, LossesData)
    compiled(computed(data, proofs), tmp_path, library)
    one = data.loss
    changes = {
        "a loss that is negative": replace(data, loss=replace(one, phi=times(("Int", -1), one.phi))),
        "a piece moved": replace(data, loss=replace(one, phi=("IfLe", ("Var", 0), ("Rat", 1, 100), ONE, one.phi))),
        "a part left out": replace(data, loss=replace(one, order=one.order[:-1])),
        "one loss twice": replace(data, opposite=OppositeLoss(one.phi, one.order, one.elsewhere)),
    }
    all_refused({name: computed(change, proofs) for name, change in changes.items()}, library, tmp_path)
