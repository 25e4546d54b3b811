"""One round: a loss is written once, as an expression; what a copy by hand would look like is not found elsewhere.

Formulas of single losses stand in ``learners/compiled`` (speed) and ``proofs/instances`` (a second route) alone.
"""

import ast
import re
from collections.abc import Callable, Iterator

import pytest
from package_trees import PACKAGE, PYTHON, nodes, trees

from gaptron.theory import losses

BY_HAND = ("learners/compiled/",)
NAMES = {"hinge", "smooth hinge", "squared hinge", "logistic"}
MARGINS = {"m", "margin", "margins", "z", "shortfall"}
LOGISTIC = {"expit", "log_softmax", "softmax", "logsumexp", "logaddexp"}
WITH_SHARES = {  # probabilities of other models than the round's
    "adversary/families.py",  # a parameter in (0, 1)
    "learners/aggregating.py",  # weights of experts
    "learners/logistic.py",  # learners that estimate probabilities
    "learners/newton_projection.py",  # a multiplier found on the logarithmic scale
    "theory/structured/means.py",  # means of outputs
}
MOST_ANY = 334
MOST_ASKED_IN_COQ = 19  # isinstance(..., ...Loss), and ... == "...Loss"
OF_KINDS = ("rounds/", "theory/", "door/", "coq/")  # the rooms that say what a kind of loss is, each in its language
NAMING_KINDS = {  # beside these: whoever else needs one asks ``geometry_of``, or ``reduction_of``
    "__init__.py",  # hands out the classes
    "language/theorems.py",  # a loss as data, which may have a threshold
    "obligations/__init__.py",  # the table of reductions
    "obligations/margin_losses.py",  # the threshold, which margin losses alone have
    "constants/structured_optimum.py",  # makes losses of labels that have the optimum of a structured one
}
KINDS = {kind.__name__ for kind in losses.KINDS} | {"LossOfAllScores", "OF_ALL_SCORES"}
FIELDS = {"off_above", "phi", "psi", "plus", "minus"}
ONE_OF_THEM = re.compile(r"\w+(Reduction|Geometry)|ONE_VECTOR|ALL_SCORES")  # imported, of one kind

PAGES = {  # what the report's pages are made of
    str(file.relative_to(PACKAGE)): file.read_text(encoding="utf-8")
    for suffix in ("js", "j2")
    for file in sorted(PACKAGE.rglob(f"*.{suffix}"))
}
Finder = Callable[[ast.AST], Iterator[ast.AST]]


def called(node: ast.AST) -> str | None:
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", None))


def names_in(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} | {
        n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)
    }


def is_number(node: ast.AST, *values: float) -> bool:
    return isinstance(node, ast.Constant) and node.value in values


def hinges(tree: ast.AST) -> Iterator[ast.AST]:
    """max(1 - margin, 0) and the like, of numbers: a sympy expression calls Max."""
    for node in nodes(tree):
        if called(node) in ("max", "maximum", "clip", "fmax"):
            found = [part for part in ast.walk(node) if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub)]
            yield from (part for part in found if is_number(part.left, 1) and names_in(part.right) & MARGINS)


def kinks(tree: ast.AST) -> Iterator[ast.AST]:
    """``... if margin <= 1 else 0`` of numbers, and a slope of it."""
    for node in nodes(tree):
        if isinstance(node, ast.IfExp) and isinstance(node.test, ast.Compare):
            sides = (node.test.left, *node.test.comparators)
            if any(is_number(side, 0, 1) for side in sides) and any(names_in(side) & MARGINS for side in sides):
                yield from (node for branch in (node.body, node.orelse) if is_number(branch, 0))


def asked_by_name(tree: ast.AST) -> Iterator[ast.AST]:
    """A comparison with the name of a loss."""
    for node in nodes(tree):
        if isinstance(node, ast.Compare):
            texts = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
            yield from (node for _ in texts & NAMES)


def read_from_messages(tree: ast.AST) -> Iterator[ast.AST]:
    """A text searched for in what an error says."""
    errors = {handler.name for handler in nodes(tree) if isinstance(handler, ast.ExceptHandler) and handler.name}
    for node in nodes(tree):
        if isinstance(node, ast.Compare) and any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops):
            yield from (side for side in node.comparators if called(side) == "str" and names_in(side) & errors)


def kinds_named(tree: ast.AST) -> Iterator[ast.AST]:
    """A kind of loss as a class or a word, what stands for one kind alone, and a field that not all kinds have."""
    for node in nodes(tree):
        match node:
            case ast.Name(id=name) | ast.Constant(value=name) if name in KINDS or name == losses.THRESHOLD:
                yield node
            case ast.alias(name=name) if name in KINDS or ONE_OF_THEM.fullmatch(name):
                yield node
            case ast.Attribute(attr=name) | ast.AnnAssign(target=ast.Name(id=name)) if name in FIELDS:
                yield node
            case ast.Call(keywords=given) if called(node) not in ("formula", "relation"):
                yield from (each for each in given if each.arg in FIELDS)


def kinds_asked(tree: ast.AST) -> Iterator[ast.AST]:
    """isinstance(loss, a kind of loss), and a comparison with the word for one."""
    named = {*kinds_named(tree)}
    for node in nodes(tree):
        is_compared = isinstance(node, ast.Compare) and any(part in named for part in ast.walk(node))
        if is_compared or (called(node) == "isinstance" and names_in(node) & KINDS):
            yield node


def elsewhere(finder: Finder) -> list[str]:
    return [
        f"{name}:{node.lineno}"  # type: ignore[attr-defined]
        for name, tree in trees().items()
        if not name.startswith(BY_HAND)
        for node in finder(tree)
    ]


FINDERS = {
    hinges: "def loss(margin): return max(1 - margin, 0.0) ** 2",
    kinks: "def slope(scores): m = top(scores); return -1 if m < 1 else 0",
    asked_by_name: "def settles(learner): return learner.loss_given in ('logistic', 'smooth hinge')",
    read_from_messages: "try: f()\nexcept ValueError as error:\n    if 'needs a root' not in str(error): raise",
}


@pytest.mark.few(1)
@pytest.mark.parametrize(("finder", "planted"), FINDERS.items(), ids=lambda part: getattr(part, "__name__", ""))
def test_no_loss_is_written_again_and_no_fact_is_read_from_a_sentence(finder: Finder, planted: str) -> None:
    assert elsewhere(finder) == []
    assert list(finder(ast.parse(planted)))


def test_the_allowed_places_hold_formulas_by_hand() -> None:
    for place in BY_HAND:
        assert any(list(hinges(tree)) for name, tree in trees().items() if name.startswith(place)), place


def test_softmax_is_computed_by_the_round_alone() -> None:
    users = {name for name, tree in trees().items() for node in nodes(tree) if called(node) in LOGISTIC}
    assert {name for name in users if not name.startswith((*BY_HAND, "rounds/"))} == WITH_SHARES


@pytest.mark.parametrize(
    "planted",
    [
        "rows = 1 if isinstance(loss, BinaryLoss) else 2",
        "rows = 1 if loss.data.kind == 'BinaryLoss' else 2",
        "beta = loss.off_above",
        "beta = parts(theorem).get('off_above')",
        "other = replace(loss, psi=a)",
        "from gaptron.rounds.geometry import ALL_SCORES",
        "from gaptron.obligations.softmax_losses import SoftmaxReduction",
    ],
)
def test_who_names_a_kind_of_loss_is_noticed(planted: str) -> None:
    assert list(kinds_named(ast.parse(planted)))
    assert not list(kinds_named(ast.parse("rows = geometry_of(loss).rows(K); gap = formula('psi', psi=psi)")))


def test_a_kind_of_loss_is_named_in_five_modules() -> None:
    """Beside the rooms that say what it is; texts for people are no questions."""
    found = {name for name, tree in trees().items() if not name.startswith(OF_KINDS) and [*kinds_named(tree)]}
    assert found == NAMING_KINDS
    assert len(NAMING_KINDS) <= 5


def test_coq_asks_no_more_often_for_the_kind_of_a_loss() -> None:
    assert list(kinds_asked(ast.parse("proof = 1 if isinstance(loss, BinaryLoss) else 2")))
    asked = [node for name, tree in trees().items() if name.startswith("coq/") for node in kinds_asked(tree)]
    assert len(asked) <= MOST_ASKED_IN_COQ


def test_what_a_page_plots_is_printed_from_the_losses() -> None:
    assert any("GAPS[" in text for text in PAGES.values())
    assert not [name for name, text in PAGES.items() if re.search(r"Math\.(exp|log)\(|\(1 - m\)", text)]


def test_any_stays_at_the_borders() -> None:
    """What has no type has a name that says what it is: Number, Json, Given, Scores; the rest is counted."""
    assert sum(len(re.findall(r"\bAny\b", text)) for text in PYTHON.values()) <= MOST_ANY
