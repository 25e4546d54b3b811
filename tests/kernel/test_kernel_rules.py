"""Every rule of the kernel: claims it must accept, and attacks that it must reject, each for its own reason."""

import json
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import table_algebra
import table_intervals
import table_logic
import table_motion
import table_splits
import table_substitution
from kernel_language import ONE, SIGNS, claim, combination, term, weaken
from kernel_rows import TRIVIAL, UNWRITTEN, Row, attack, changed
from table_written import ACCEPTED as ACCEPTED_AS_WRITTEN
from table_written import REJECTED as REJECTED_AS_WRITTEN

from gaptron.kernel import Certificate, Claim, Rejected, Relation, check, read_certificate, replay
from gaptron.kernel.certificate import FORMAT, holds, refute
from gaptron.kernel.rules import RULES
from gaptron.language.terms import read_name, read_rational, read_term, term_data
from gaptron.prove.hints import written

TABLES = {
    "algebra": table_algebra,
    "intervals": table_intervals,
    "logic": table_logic,
    "motion": table_motion,
    "splits": table_splits,
    "substitution": table_substitution,
}
ACCEPTED = [row for table in TABLES.values() for row in table.ACCEPTED]
REJECTED = [row for table in TABLES.values() for row in table.REJECTED]


def _named(rows: list[Row]) -> list[Any]:
    return [pytest.param(row, id=f"{row.rule}: {row.why}") for row in rows]


def test_every_rule_has_claims_to_accept_and_to_reject_in_the_table_of_its_family() -> None:
    families: dict[str, set[str]] = {}
    for name, (rule, _) in RULES.items():
        families.setdefault(rule.__module__.removeprefix("gaptron.kernel.rules."), set()).add(name)
    assert families == {family: {row.rule for row in table.ACCEPTED} for family, table in TABLES.items()}
    assert families == {family: {row.rule for row in table.REJECTED} for family, table in TABLES.items()}


@pytest.mark.parametrize("row", _named(ACCEPTED))
def test_is_accepted(row: Row) -> None:
    check(row.claim, written(row.claim, row.proof))


@pytest.mark.few(208)
@pytest.mark.parametrize("row", _named(REJECTED))
def test_is_rejected(row: Row) -> None:
    """What a search writes that checks nothing; some attacks have no words at all."""
    proof = attack(row.claim, row.proof)
    if proof is not None:
        with pytest.raises(Rejected, match=row.says):
            check(row.claim, proof)
    with pytest.raises((Rejected, UNWRITTEN)):
        check(row.claim, written(row.claim, row.proof))


def test_most_attacks_reach_the_kernel() -> None:
    attacks = [getattr(row, "values", (row,))[0] for row in REJECTED]
    assert sum(attack(row.claim, row.proof) is not None for row in attacks) > 170


@pytest.mark.parametrize("row", ACCEPTED_AS_WRITTEN, ids=lambda row: f"{row.rule}: {row.why}")
def test_a_written_proof_is_accepted(row: Row) -> None:
    check(row.claim, row.proof)


@pytest.mark.parametrize("row", REJECTED_AS_WRITTEN, ids=lambda row: f"{row.rule}: {row.why}")
def test_a_written_proof_is_rejected(row: Row) -> None:
    with pytest.raises(Rejected, match=row.says):
        check(row.claim, row.proof)


WRITTEN = [(row, written(row.claim, row.proof)) for row in ACCEPTED]
FIELDS = [
    pytest.param(row.claim, proof, field, id=f"{row.rule}.{field}, {row.why}")
    for row, proof in WRITTEN
    for field in proof["proof"]
]
EMPTY = (("mean", None), ("box", {}))  # what a field may be
JUNK = [None, 1.5, math.nan, math.inf, {}, [[]], "\u0661", True, [None], "", "1/0"]


@pytest.mark.few(208)
@pytest.mark.parametrize(("asked", "proof", "field"), FIELDS)
def test_a_field_that_is_missing_renamed_or_of_another_type_is_rejected(asked: Claim, proof: Any, field: str) -> None:
    inside = proof["proof"]
    rest = {name: value for name, value in inside.items() if name != field}
    for other in (rest, {**rest, field.upper(): inside[field]}, {**inside, "comment": ""}):
        with pytest.raises(Rejected, match=r"has the fields|names its rule"):
            check(asked, {**proof, "proof": other})
    for junk in JUNK:
        if (field, junk) not in EMPTY:
            with pytest.raises(Rejected):
                check(asked, {**proof, "proof": {**inside, field: junk}})


@pytest.mark.parametrize("field", ["terms", "tables", "proof"])
def test_what_is_shared_is_there_and_nothing_else(field: str) -> None:
    asked = claim("x > 0; exp(x) >= 1 |- log(x**2*exp(x)) >= log(x**2) + x")
    proof = written(asked, combination(("1", [3])))
    check(asked, proof)
    rest = {name: value for name, value in proof.items() if name != field}
    for other in (rest, {**proof, "comment": ""}, {**rest, field.upper(): proof[field]}):
        with pytest.raises(Rejected, match="has the fields"):
            check(asked, other)
    for junk in (*JUNK, proof[field][:-1] if isinstance(proof[field], list) else []):
        with pytest.raises(Rejected):
            check(asked, {**proof, field: junk})


@pytest.mark.parametrize(
    "proof", [None, [], "interval", 1, {}, {"rule": None}, {"rule": ["interval"]}, {"rule": "trust"}]
)
def test_a_proof_that_names_no_rule_is_rejected(proof: Any) -> None:
    with pytest.raises(Rejected, match=r"names its rule|no rule"):
        check(claim("|- 0 <= 1"), {"terms": [], "tables": [], "proof": proof})
    with pytest.raises(Rejected, match="has the fields"):
        check(claim("|- 0 <= 1"), proof)


TRIVIALLY = written(claim("|- x <= x"), TRIVIAL)


@pytest.mark.parametrize(
    "summand",
    [
        *[[c, [0]] for c in (1, 1.0, True, None, "", "1/0", "2/4", "+1", "1.0", "01", "-0", "0/1", " 1", "1e3", "1\n")],
        *[[c, [0]] for c in ("\u0661", "x", "inf", "nan", "1/-1", "-1", "0", ["1"], "1_0", "0x1", "1/1", "1 /2")],
        *[["1", [index]] for index in (-1, 1, 2, 10**30, True, False, "0", 0.0, None, [0])],
        *[["1", facts] for facts in (None, 0, "0", {"0": 0}, (0,))],
        *[["1", [0], square] for square in (1, None, "", "1/0", [], ["+"], ["-", "x"], ["^", "x", -1], "x y", {}, 1.0)],
        *[[], ["1"], ["1", [0], "1"], ["1", [0], "1", "1"], "100", None, {"1": [0]}],
    ],
    ids=str,
)
def test_a_malformed_summand_is_rejected(summand: Any) -> None:
    check(claim("|- x <= x"), changed(TRIVIALLY, "proof", "summands", to=[["1", [0]]]))
    with pytest.raises(Rejected):
        check(claim("|- x <= x"), changed(TRIVIALLY, "proof", "summands", to=[summand]))


@pytest.mark.parametrize(
    "equation", [[], [0], [0, "1", "1"], "01", None, [True, "1"], [-1, "1"], [2, "1"], [0, 1]], ids=str
)
def test_a_malformed_multiple_of_an_equation_is_rejected(equation: Any) -> None:
    asked = claim("x == y |- x <= x")
    proof = written(asked, combination(("1", [1]), equations=[(0, "0")]))
    check(asked, proof)
    with pytest.raises(Rejected):
        check(asked, changed(proof, "proof", "equations", to=[equation]))


@pytest.mark.parametrize(
    "step",
    [
        *[
            1,
            -1,
            True,
            None,
            "0",
            0.0,
            [],
            [0],
            ["given", 0],
            ["exp"],
            ["exp", 0],
            ["exp", 2],
            ["exp", 1, 1],
            [["exp"], 1],
        ],
        *[["root", 1], ["exp", True], ["times", 0, "1"], ["divide", 0, "1"], ["bound", "1"]],
        *[["bound", ["log", "2"], bits, "0", "1"] for bits in (15, 1025, "24", 24.0, True, None)],
        *[
            ["bound", ["log", "2"], 24, *ends]
            for ends in ([], ["0"], ["0", "1", "2"], [0, 1], ["1", "0"], ["0", "1/2"])
        ],
        *[["bound", ["log", "2"], 24, "7/10", "1"], ["bound", ["log", "0"], 24, "0", "1"]],
        *[["bound", ["log", "-1"], 24, "0", "1"], ["bound", ["exp", ["^", "3", 10000]], 24, "0", "1"]],
    ],
    ids=str,
)
def test_a_malformed_step_is_rejected(step: Any) -> None:
    asked = claim("x >= 1 |- x <= x")
    proof = {**TRIVIALLY, "tables": [[["x", ["log", "2"]], []]]}
    for name, good in (("steps", 0), ("against", ["bound", ["log", "2"], 24, "0", "1"])):
        place = int(name == "steps")
        fits = changed(changed(proof, "proof", name, to=[good]), "proof", "summands", to=[["1", [place]]])
        check(asked, fits)
        with pytest.raises(Rejected):
            check(asked, changed(fits, "proof", name, to=[good, step] if name == "against" else [step]))


@pytest.mark.parametrize(
    "data",
    [
        *[
            1,
            0,
            True,
            None,
            1.5,
            math.nan,
            math.inf,
            {},
            {"+": []},
            [],
            ["+"],
            ["x"],
            ["+", 1],
            [["+"], "x"],
            ["-", "x", "y"],
        ],
        *[
            "",
            "x y",
            "x\n",
            "1x",
            "\u03b1",
            "x\u0661",
            "x-y",
            ".5",
            "1.",
            "--1",
            "1//2",
            "\uff11",
            "x'",
            '"x"',
            "1/2/3",
        ],
        *[["^", "x", n] for n in ("2", 2.0, True, None, 10**4 + 1, -(10**4) - 1, "1/2", [2])],
        *[["root", "x", n] for n in (1, 0, -2, "2", 2.0, True, None, 10**4 + 1)],
        *[
            ["^", "x"],
            ["^", "x", 2, 2],
            ["root", "x"],
            ["root", "x", 2, 2],
            ["exp"],
            ["exp", "x", "y"],
            ["log", "x", "2"],
        ],
        *[["EXP", "x"], ["sqrt", "x"], ["sin", "x"], ["", "x"], [None, "x"], [1, "x"], ["Abs", "x"], ["max", "x", "y"]],
    ],
    ids=repr,
)
def test_a_malformed_term_is_rejected(data: Any) -> None:
    with pytest.raises(Rejected):
        read_term(data)
    with pytest.raises(Rejected):
        Claim.read({"given": [], "then": ["<=", data, "1"]})
    with pytest.raises(Rejected):
        check(claim("x >= 0 |- x >= 0"), {"terms": [data], "tables": [], "proof": {"rule": "interval"}})


@pytest.mark.parametrize(
    "data",
    [
        "x",
        "_",
        "K_2",
        "-3/4",
        "0",
        ["+", "x"],
        ["*", "x", "y", "1/2"],
        ["^", "x", 0],
        ["^", "x", 10**4],
        ["root", "x", 2],
    ],
    ids=repr,
)
def test_a_term_is_written_as_it_was_read(data: Any) -> None:
    assert term_data(read_term(data)) == data


@pytest.mark.parametrize(
    "data",
    [
        *[None, [], {}, {"given": []}, {"then": ["<=", "0", "1"]}, {"given": None, "then": ["<=", "0", "1"]}],
        {"given": [], "then": ["<=", "0", "1"], "because": ""},
        {"given": [["<=", "0", "1"], []], "then": ["<=", "0", "1"]},
        {"given": {"<=": "x"}, "then": ["<=", "0", "1"]},
        *[
            {"given": [], "then": ["<=", "0", "1"], "integers": integers}
            for integers in (None, [], {}, "K", {"K": 1}, 0, False, [1], [["+"]], [""], ["K", None])
        ],
        {"given": [], "integers": ["K"]},
        *[
            {"given": [], "then": then}
            for then in (None, [], ["<="], ["<=", "0"], ["<=", "0", "1", "2"], "<=0", {"<=": 1})
        ],
        *[{"given": [], "then": [sign, "0", "1"]} for sign in ("==", "=<", "", None, ["<="], "\u2264", 0, "< ", "<>")],
    ],
    ids=repr,
)
def test_a_malformed_claim_is_rejected(data: Any) -> None:
    with pytest.raises(Rejected):
        Claim.read(data)


def test_the_integers_of_a_claim_are_read_and_written() -> None:
    data = {"given": [], "then": ["<=", "0", "1"]}
    assert Claim.read(data).data == data
    assert Claim.read(data).integers == ()
    listed = data | {"integers": ["K", ["*", "2", "x"]]}
    assert Claim.read(listed).data == listed
    assert Claim.read(listed).names == {"K", "x"}


@pytest.mark.parametrize("name", ["", "1", "x y", "x\n", "\u03b1", "x.y", None, 1, ["x"], True])
def test_a_malformed_name_is_rejected(name: Any) -> None:
    with pytest.raises(Rejected, match="not a name"):
        read_name(name)


@pytest.mark.parametrize("text", ["0", "-1", "3/4", "-3/4", "1000000000000000000000000000001/3"])
def test_a_rational_is_read_exactly(text: str) -> None:
    assert str(read_rational(text)) == text


ZERO_BELOW_ONE = written(claim("|- 0 <= 1"), combination(("1", [0]), ONE))


def wrapped(**parts: Any) -> dict[str, Any]:
    """A certificate of 0 <= 1 with some parts replaced."""
    data = {"format": FORMAT, "about": {}, "claims": [claim("|- 0 <= 1").data], "proofs": [ZERO_BELOW_ONE]}
    return data | parts


def deep(levels: int, data: Any = "1", around: Callable[[Any], Any] = lambda inner: ["+", inner]) -> Any:
    for _ in range(levels):
        data = around(data)
    return data


DEEP_TEXTS = {
    "a deep term": '["+",' * 10**5 + '"1"' + "]" * 10**5,
    "a deep object": '{"rule":' * 10**5 + "1" + "}" * 10**5,
    "deep lists that never end": "[" * 10**6,
}


@pytest.mark.parametrize("inner", DEEP_TEXTS.values(), ids=DEEP_TEXTS.keys())
@pytest.mark.parametrize("place", ["about", "claims", "proofs", "refutes"])
def test_text_that_is_nested_beyond_the_recursion_limit_is_rejected(inner: str, place: str) -> None:
    text = json.dumps(wrapped(**{place: "HERE"})).replace('"HERE"', inner)
    with pytest.raises(Rejected):
        replay(read_certificate(text))


@pytest.mark.parametrize(
    "proof",
    [
        {**ZERO_BELOW_ONE, "proof": deep(3000, ZERO_BELOW_ONE["proof"], lambda inner: weaken([], inner))},
        changed(ZERO_BELOW_ONE, "proof", "equations", to=[[0, deep(900)]]),
        changed(ZERO_BELOW_ONE, "terms", to=[deep(900)]),
    ],
    ids=["proof", "equation", "term"],
)
def test_a_proof_that_is_too_deep_to_check_is_rejected(proof: Any) -> None:
    with pytest.raises(Rejected):
        replay(Certificate({}, (claim("|- 0 <= 1"),), (proof,), None))


CERTIFICATE = json.dumps(wrapped())
PROOF = json.dumps(wrapped(proofs=["HERE"]))
CLAIM = json.dumps(wrapped(claims=["HERE"]))
NO_CERTIFICATES = {
    "empty": "",
    "empty object": "{}",
    "list": "[]",
    "null": "null",
    "NaN": "NaN",
    "a zero byte": "\x00",
    "a byte order mark": "\ufeff" + CERTIFICATE,
    "more after the end": CERTIFICATE + "]",
    "not JSON": CERTIFICATE.replace('"', "'"),
    "proofs twice": CERTIFICATE[:-1] + ',"proofs":[]}',
    "format twice": CERTIFICATE[:-1] + f',"format":"{FORMAT}"}}',
    "a field of a proof twice": PROOF.replace(
        '"HERE"', '{"terms":[],"terms":[],"tables":[],"proof":{"rule":"weaken"}}'
    ),
    "a field of a claim twice": CLAIM.replace('"HERE"', '{"given":[],"given":[],"then":["<=","0","1"]}'),
    "Infinity for a rational": CLAIM.replace('"HERE"', '{"given":[],"then":["<=","0",Infinity]}'),
    "NaN for a rational": CLAIM.replace('"HERE"', '{"given":[],"then":["<=",NaN,"1"]}'),
    "an enormous rational": CLAIM.replace('"HERE"', '{"given":[],"then":["<=","0","' + "9" * 5000 + '"]}'),
    "an enormous exponent": CLAIM.replace('"HERE"', '{"given":[],"then":["<=",["^","x",' + "9" * 40 + '],"1"]}'),
}


@pytest.mark.parametrize("text", NO_CERTIFICATES.values(), ids=NO_CERTIFICATES.keys())
def test_text_that_is_no_certificate_is_rejected(text: str) -> None:
    replay(read_certificate(CERTIFICATE))
    with pytest.raises(Rejected):
        replay(read_certificate(text))


@pytest.mark.parametrize("about", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_are_not_json_are_rejected_even_where_nothing_is_read(about: str) -> None:
    text = json.dumps(wrapped(about={"value": "HERE"})).replace('"HERE"', about)
    with pytest.raises(Rejected, match="not JSON"):
        read_certificate(text)


@pytest.mark.parametrize(
    "change",
    [
        (("proof", "summands"), [["9" * 5000, [0]]]),
        (("proof", "summands"), [["1/" + "9" * 5000, [0]]]),
        (("proof", "summands"), [["1", [0], "9" * 5000]]),
        (("proof", "steps"), [["bound", ["exp", ["^", "3", 10000]], 24, "0", "1"]]),
        (("terms",), ["9" * 5000]),
    ],
    ids=["coefficient", "denominator", "square", "bound", "term"],
)
def test_numbers_longer_than_python_prints_are_rejected_without_another_error(change: Any) -> None:
    path, to = change
    with pytest.raises(Rejected):
        check(claim("|- x <= x"), changed(TRIVIALLY, *path, to=to))


@pytest.mark.parametrize("text", ["|- exp(x**10000) <= 0", "exp(x**10000) >= 0 |- x <= 0", "|- x**10000 <= exp(9)"])
def test_a_refutation_with_numbers_longer_than_python_prints_is_no_other_error(text: str) -> None:
    certificate = Certificate({}, (claim(text),), None, (0, {"x": Fraction(3)}))
    try:
        replay(certificate)
    except Rejected:
        return
    assert text == "|- x**10000 <= exp(9)"


def test_a_kernel_error_names_the_claim() -> None:
    two = wrapped(claims=[claim("|- 0 <= 1").data] * 2, proofs=[ZERO_BELOW_ONE, TRIVIALLY])
    with pytest.raises(Rejected, match=r"^claim 2: "):
        replay(read_certificate(json.dumps(two)))


REFUTED = [
    ("a strict failure", "x >= 0 |- x**2 >= x", {"x": "1/2"}),
    ("an inequality that is attained", "|- x < 1", {"x": "1"}),
    ("a hypothesis that is attained", "x >= 1; x <= 1 |- x > 1", {"x": "1"}),
    ("an equation", "x == y |- x == 2*y", {"x": "1", "y": "1"}),
    ("an inequation", "|- x != 0", {"x": "0"}),
    ("a hypothesis !=", "x != 0 |- x > 0", {"x": "-1"}),
    ("a division by zero", "|- 1/x <= 1", {"x": "0"}),
    ("x/x at zero", "|- x/x == 1", {"x": "0"}),
    ("0*log(x) at zero", "|- 0*log(x) <= 0", {"x": "0"}),
    ("a logarithm of a negative number", "|- log(x) <= 5", {"x": "-1"}),
    ("an even root of a negative number", "|- root(x, 2) >= 0", {"x": "-1"}),
    ("an odd root of a negative number", "|- root(x, 3) <= 0", {"x": "-1"}),
    ("an irrational number", "log(x) <= 1 |- exp(x) <= 7", {"x": "2"}),
    ("a perfect square", "root(x, 2) <= 2 |- x < 4", {"x": "4"}),
    ("a root at zero", "root(x, 2) >= 0 |- x > 0", {"x": "0"}),
    ("a logarithm below one", "|- log(x) < 0", {"x": "2"}),
    ("a logarithm of a small number", "|- log(x) >= 0", {"x": "1/2"}),
    ("a division by a small number", "|- 1/x <= 1", {"x": "1/2"}),
    ("a division by a small negative number", "|- 1/x >= -1", {"x": "-1/2"}),
    ("a hypothesis that divides", "1/x <= 0 |- x > 0", {"x": "-1"}),
    ("a zeroth power at zero", "x**0 == 1 |- x > 0", {"x": "0"}),
    ("a positive power at zero", "x**2 == 0 |- x > 0", {"x": "0"}),
    ("operations on what is negative", "x*x + exp(x) > 0 |- x > 0", {"x": "-1"}),
    ("an integer", "K >= 2 |- K <= 2 for integers K", {"K": "3"}),
    ("a term that is an integer", "|- x <= 0 for integers 2*x; x + 1/2", {"x": "1/2"}),
    ("an integer that is in no relation", "|- x <= 0 for integers T", {"x": "1", "T": "-7"}),
    ("no integer is asked for", "K >= 2; K <= 3 |- (K - 2)*(3 - K) <= 0", {"K": "5/2"}),
]

NOT_REFUTED = [
    ("the conclusion holds", "x >= 0 |- x**2 >= 0", {"x": "1"}, "conclusion"),
    ("the conclusion is attained", "|- x <= 1", {"x": "1"}, "conclusion"),
    ("x = x", "|- x == x", {"x": "1"}, "conclusion"),
    ("a hypothesis fails", "x >= 0 |- x >= 1", {"x": "-1"}, "hypothesis"),
    ("the second hypothesis fails", "x >= 0; x <= 1 |- x <= 1", {"x": "2"}, "hypothesis"),
    ("a strict hypothesis is only attained", "x > 0 |- x > 1", {"x": "0"}, "hypothesis"),
    ("an equation does not hold", "x == 0 |- x == 1", {"x": "2"}, "hypothesis"),
    ("an inequation does not hold", "x != 0 |- x == 1", {"x": "0"}, "hypothesis"),
    ("a hypothesis is undefined", "1/x != 5 |- x > 0", {"x": "0"}, "hypothesis"),
    ("a hypothesis with 0*log(x) is undefined", "0*log(x) <= 0 |- x > 0", {"x": "-1"}, "hypothesis"),
    ("a hypothesis cancels to truth and is undefined", "x/x == 1 |- x > 0", {"x": "0"}, "hypothesis"),
    ("a hypothesis is uncertain", "root(x, 2)**2 <= 2 |- x < 2", {"x": "2"}, "hypothesis"),
    ("the conclusion is uncertain", "|- root(x, 2)**2 == 2", {"x": "2"}, "conclusion"),
    ("the conclusion !=  is uncertain", "|- root(x, 2)**2 != 2", {"x": "2"}, "conclusion"),
    ("a denominator is uncertain", "|- 1/(root(x, 2)**2 - 2) <= 0", {"x": "2"}, "conclusion"),
    ("a logarithm of something uncertain", "|- log(root(x, 2)**2 - 2) <= 0", {"x": "2"}, "conclusion"),
    ("a root of something uncertain", "|- root(root(x, 2)**2 - 2, 2) < 0", {"x": "2"}, "conclusion"),
    ("a product with zero is defined", "|- x*y <= 1", {"x": "0", "y": "1"}, "conclusion"),
    ("the exponential of zero is defined", "|- exp(x) <= 1", {"x": "0"}, "conclusion"),
    ("a division by a small number is defined", "|- 1/x <= 2", {"x": "1/2"}, "conclusion"),
    ("a division by a small irrational number is defined", "|- 1/log(x) <= 2", {"x": "2"}, "conclusion"),
    ("a root of what may be zero", "|- root(-(root(x, 2)**2 - 2)**2, 2) <= 0", {"x": "2"}, "conclusion"),
    ("a division by what is zero by algebra alone", "|- 1/(log(4) - 2*log(2)) >= x", {"x": "0"}, "conclusion"),
    ("logarithms that are equal by algebra alone", "|- log(4) != 2*log(2)", {}, "conclusion"),
    ("an integer by algebra alone", "|- x <= 0 for integers log(4)/log(x)", {"x": "2"}, "not certainly an integer"),
    ("a value is missing", "x >= y |- x <= y", {"x": "1"}, "gives a value"),
    ("a value of nothing", "|- x <= 0", {"x": "1", "y": "1"}, "gives a value"),
    ("no values", "|- x <= 0", {}, "gives a value"),
    ("not an integer", "|- (K - 2)*(3 - K) <= 0 for integers K", {"K": "5/2"}, "not certainly an integer"),
    ("the second is not an integer", "|- x <= 0 for integers 2*x; x", {"x": "1/2"}, "not certainly an integer"),
    ("an integer without a value", "|- x <= 0 for integers T", {"x": "1"}, "gives a value"),
    ("an integer that is not defined", "|- x >= 0 for integers 0*root(x, 2)", {"x": "-1"}, "not certainly an integer"),
    ("an irrational number", "|- x <= 0 for integers log(x)", {"x": "2"}, "not certainly an integer"),
    ("an uncertain integer", "|- x <= 0 for integers root(x, 2)**2", {"x": "2"}, "not certainly an integer"),
]


def values(point: dict[str, str]) -> dict[str, Fraction]:
    return {name: Fraction(value) for name, value in point.items()}


@pytest.mark.parametrize(("text", "point"), [row[1:] for row in REFUTED], ids=[row[0] for row in REFUTED])
def test_a_point_refutes(text: str, point: dict[str, str]) -> None:
    refute(claim(text), values(point))
    replay(read_certificate(json.dumps(_refutation(text, [0, point]))))


@pytest.mark.parametrize(
    ("text", "point", "says"), [row[1:] for row in NOT_REFUTED], ids=[row[0] for row in NOT_REFUTED]
)
def test_a_point_does_not_refute(text: str, point: dict[str, str], says: str) -> None:
    with pytest.raises(Rejected, match=says):
        refute(claim(text), values(point))
    with pytest.raises(Rejected, match=says):
        replay(read_certificate(json.dumps(_refutation(text, [0, point]))))


def _refutation(text: str, refutes: Any) -> dict[str, Any]:
    data = wrapped(claims=[claim(text).data], refutes=refutes)
    del data["proofs"]
    return data


@pytest.mark.parametrize(
    "refutes",
    [
        *[[index, {"x": "1"}] for index in (1, -1, True, False, "0", 0.0, None)],
        *[[0, {"x": value}] for value in (1, "2/2", "1/0", "+1", "x", None, 1.0, ["1"])],
        *[[0, point] for point in (None, [], ["x", "1"], {"x y": "1"}, {"1": "1"}, {"": "1"})],
        *[[], [0], [0, {"x": "1"}, 0], None, {}, {"0": {"x": "1"}}],
    ],
    ids=str,
)
def test_a_malformed_refutation_is_rejected(refutes: Any) -> None:
    replay(read_certificate(json.dumps(_refutation("|- x <= 0", [0, {"x": "1"}]))))
    with pytest.raises(Rejected):
        replay(read_certificate(json.dumps(_refutation("|- x <= 0", refutes))))


def test_a_certificate_cannot_prove_and_refute() -> None:
    with pytest.raises(Rejected, match="the fields are"):
        read_certificate(json.dumps(wrapped(refutes=[0, {}])))


@pytest.mark.parametrize("sign", SIGNS.values())
@pytest.mark.parametrize("x", [Fraction(-1), Fraction(0), Fraction(1)])
def test_relations_between_numbers_are_decided(sign: str, x: Fraction) -> None:
    truth = {"<=": x <= 0, "<": x < 0, ">=": x >= 0, ">": x > 0, "=": x == 0, "!=": x != 0}[sign]
    assert holds(Relation(sign, "x", Fraction(0)), {"x": x}) is truth
    assert holds(Relation(sign, Fraction(0), x), {}) is holds(Relation(sign, "x", Fraction(0)), {"x": -x})


UNCERTAIN = "(root(2, 2)**2 - 2)"
UNKNOWN: dict[str, bool | None] = dict.fromkeys(SIGNS.values())
POSITIVE_TRUTHS = {"<=": False, "<": False, ">=": True, ">": True, "=": False, "!=": True}
NEGATIVE_TRUTHS = {"<=": True, "<": True, ">=": False, ">": False, "=": False, "!=": True}
IRRATIONAL = [
    ("log(2)", POSITIVE_TRUTHS),
    ("-log(2)", NEGATIVE_TRUTHS),
    ("exp(9)", POSITIVE_TRUTHS),
    ("-exp(9)", NEGATIVE_TRUTHS),
    (UNCERTAIN, UNKNOWN),
    (f"{UNCERTAIN}**2", UNKNOWN | {">=": True}),
    (f"-{UNCERTAIN}**2", UNKNOWN | {"<=": True}),
    (f"log({UNCERTAIN})", UNKNOWN),
    (f"log({UNCERTAIN}**2)", UNKNOWN),
    (f"log(-{UNCERTAIN}**2)", dict.fromkeys(UNKNOWN, False)),
    (f"1/{UNCERTAIN}", UNKNOWN),
    (f"1/{UNCERTAIN}**2", UNKNOWN),
    (f"root({UNCERTAIN}, 2)", UNKNOWN),
    (f"root(-{UNCERTAIN}**2, 2)", UNKNOWN),
    (f"root({UNCERTAIN}**2, 2)", UNKNOWN | {">=": True}),
]


@pytest.mark.parametrize("sign", SIGNS.values())
@pytest.mark.parametrize(("text", "truths"), IRRATIONAL, ids=[row[0] for row in IRRATIONAL])
def test_relations_between_irrational_numbers_are_decided_or_uncertain(
    text: str, truths: dict[str, bool | None], sign: str
) -> None:
    assert holds(Relation(sign, read_term(term(text)), Fraction(0)), {}) is truths[sign]
