"""One evaluator, and texts of programs that have the value that the numbers have."""

import json
import math
import shutil
import subprocess
from fractions import Fraction as F

import numpy as np
import pytest

from gaptron.language.code import JAVASCRIPT, NUMPY, PYTHON, code
from gaptron.language.expressions import Expression, base_and_exponent, evaluated, rational_power
from gaptron.language.relations import Relation
from gaptron.numbers.compiled import Closures, function_of
from gaptron.numbers.kinds import Exact, plain

X = "x"
BELOW = Relation("<", X, F(1, 2))
EXPRESSIONS: list[Expression] = [
    ("+", F(-1, 3), ("*", F(-1), X), ("*", F(2, 3), X, X)),
    ("^", ("*", F(-1), X), 2),
    ("*", F(-1), ("^", ("+", F(2), X), -1), ("^", ("+", F(3), X), -2), F(5)),
    ("*", F(-1), F(-1), X),
    ("min", F(-1), X, ("abs", ("*", F(-2), X))),
    ("max", F(-1), ("*", F(-1), X)),
    ("pieces", (("*", F(-1), X), BELOW), (F(7), ("not", Relation(">=", X, F(1)))), (F(2, 7), True)),
    ("pieces", (F(1), ("or", ("and", BELOW, Relation("!=", X, F(0))), Relation("=", X, F(1)))), (F(0), True)),
    ("exp", ("*", F(-1), X)),
    ("log", ("+", F(2), X)),
    ("+", ("root", ("+", F(2), X), 2), ("^", ("root", ("+", F(2), X), 2), -1)),
    ("^", ("root", ("+", F(2), X), 3), -2),
    ("power", ("+", F(2), X), ("*", F(-1), X)),
    ("*", ("pi",), ("^", F(-3), 3)),
    ("^", ("+", F(2), X), -3),
    ("*", ("^", ("+", F(2), X), -1)),
]
POINTS = [F(-1), F(-1, 2), F(0), F(1, 4), F(1, 2), F(3, 4), F(1), F(2)]


def exact(expression: Expression) -> list[float]:
    function = evaluated(expression, Closures(Exact())).call
    kind = Exact()
    return [float(plain(function({X: kind.number(point)}))) for point in POINTS]


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_every_table_has_the_same_value(expression: Expression) -> None:
    meant = pytest.approx(exact(expression), rel=1e-14)
    known = {"exp": math.exp, "log": math.log, "sqrt": math.sqrt, "pi": math.pi}
    python = function_of(code(expression, PYTHON, {X: "x"}), known)
    assert [python(float(point)) for point in POINTS] == meant
    found = function_of(code(expression, NUMPY, {X: "x"}), vars(np))(np.array([float(point) for point in POINTS]))
    assert np.broadcast_to(found, len(POINTS)).tolist() == meant


@pytest.mark.few(5)
@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_the_javascript_too(expression: Expression) -> None:
    points = json.dumps([float(point) for point in POINTS])
    program = f"console.log(JSON.stringify({points}.map(x => {code(expression, JAVASCRIPT, {X: 'x'})})))"
    done = subprocess.run(["node", "-e", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == pytest.approx(exact(expression), rel=1e-14)


def test_a_negative_number_in_front_is_no_part_of_a_power() -> None:
    assert code(("^", ("*", F(-1), X), 2), PYTHON, {X: "x"}) == "((-x)**2)"
    assert code(("+", F(1), ("*", F(-1), X)), PYTHON, {X: "x"}) == "(1 - x)"


def test_a_variable_without_a_name_is_named() -> None:
    with pytest.raises(ValueError, match="K has no value here"):
        code(("+", X, "K"), PYTHON, {X: "x"})


@pytest.mark.parametrize("exponent", [F(1, 2), F(-3, 2), F(2), F(-1), F(1, 3)])
def test_a_rational_power_is_an_integer_power_of_a_root(exponent: F) -> None:
    assert base_and_exponent(rational_power(X, exponent)) == (X, exponent)


def test_a_square_of_a_root_still_needs_a_number_that_is_not_negative() -> None:
    assert base_and_exponent(("^", ("root", X, 2), 2)) == (("root", X, 2), F(2))
