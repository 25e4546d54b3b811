"""Certificates of shipped obligations: they replay, and no change to their text lets anything false through."""

import copy
import json
import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from random_claims import is_seen_to_fail, names_in, random_claim

from gaptron import kernel
from gaptron.checking.recall import plan
from gaptron.guesses.in_sympy import sequent
from gaptron.kernel import Certificate, Rejected, Relation, digest, read_certificate, replay, version
from gaptron.kernel.certificate import FORMAT, canonical_text, sources
from gaptron.kernel.rules import RULES, check
from gaptron.obligations.statement import statement
from gaptron.prove.certify import certify
from gaptron.prove.hints import written
from gaptron.prove.proofs import NotFoundError
from gaptron.symbols import K
from gaptron.theory.files import load, shipped_files

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SEARCH_SECONDS = 0.02
a = sp.Symbol("a", real=True)
PLANTED = {
    "apart": sequent((a >= 1,), sp.Ne(a, 0)),
    "root": sequent((a >= 4,), sp.sqrt(a) >= 2),
    "mean": sequent((a >= 0, 5 * a <= 1), a * (1 - a) <= sp.Rational(1, 5)),
    "fixed": sequent((a >= 2, a <= 2), sp.exp(a) <= sp.exp(2)),
    "generalize": sequent((K >= 2,), 1 / (K * (1 + sp.log(K))) <= 1 / K),
}
DIRECT = {"rule": "interval", "bits": 32, "form": "direct"}
EMPTY = {"rule": "combination", "bounds": [], "summands": [["1", [0], "1"], ["1", [1], "1"]], "equations": []}
BY_HAND = {
    "mean": DIRECT | {"form": "mean"},
    "integer": {"rule": "integer", "term": "a", "at": "2", "below": DIRECT, "above": EMPTY},
}
INTEGER = kernel.Claim((Relation("<", "a", Fraction(3)),), Relation("<=", "a", Fraction(2)), ("a",))
CERTIFIED = [
    ("gaptron/theorem1_logistic", "loss/nonnegative"),
    ("gaptron/theorem1_logistic", "gap map/range"),
    ("gaptron/theorem1_logistic", "gap/right/2"),
    ("gaptron/theorem1_logistic", "gap/wrong/1"),
    ("gaptron/theorem1_logistic", "regret"),
    ("gaptron/theorem2_hinge", "gap/wrong/1"),
    ("gaptron/theorem2_hinge", "regret"),
    ("gaptron/theorem3_smooth_hinge", "loss/convex"),
    ("notes/lemma8_exponential", "square"),
    ("new/bandit_best_rates", "regret"),
    ("new/bandit_hinge_half", "right round, gamma"),
    ("examples/exponential", "gap/right/1"),
    ("planted", "apart"),
    ("planted", "root"),
    ("planted", "mean"),
    ("planted", "integer"),
    ("planted", "fixed"),
    ("planted", "generalize"),
]
NAMED = [f"{file}: {obligation}" for file, obligation in CERTIFIED]


@cache
def derived(file: str, obligation: str) -> tuple[kernel.Claim, ...]:
    """The claims of an obligation, derived from the theorem."""
    files = {f"{path.parent.name}/{path.stem}": path for path in (*shipped_files(), EXAMPLES / "exponential.py")}
    if file == "planted":
        return (INTEGER if obligation == "integer" else statement(PLANTED[obligation]),)
    (found,) = [o for stated in load(files[file]) for o in plan(stated.item) if o.id == obligation]
    return tuple(statement(claim) for claim in found.claims)


@cache
def proved(file: str, obligation: str) -> str:
    """The text of its certificate."""
    claims = derived(file, obligation)
    by_hand = BY_HAND.get(obligation)
    proofs = tuple(written(claim, by_hand) if by_hand else certify(claim, 60) for claim in claims)
    return json.dumps(Certificate({"theorem": file, "obligation": obligation}, claims, proofs, None).data)


def rules_of(data: Any) -> Iterator[str]:
    """The rules that occur in a proof, and the forms of the enclosures."""
    parts: list[Any] = list(data.values()) if isinstance(data, dict) else data if isinstance(data, list) else []
    if isinstance(data, dict) and "rule" in data:
        yield data["rule"]
        if data["rule"] == "interval":
            yield "mean" if data["mean"] is not None else "direct"
    for part in parts:
        yield from rules_of(part)


@pytest.mark.few(5)
@pytest.mark.parametrize(("file", "obligation"), CERTIFIED, ids=NAMED)
def test_a_certificate_survives_the_round_trip_and_replays(file: str, obligation: str) -> None:
    text = proved(file, obligation)
    read = read_certificate(text)
    assert read.claims == derived(file, obligation)
    assert json.dumps(read.data) == text
    assert read_certificate(canonical_text(read.data)) == read
    replay(read)


mix, gamma, miss, wrong = sp.symbols("mix gamma miss wrong", real=True)
share, MIXED = (K - 1) / K, a * (K - 1) / K + (1 - a) * miss
TOP_LABEL_RIGHT = sequent(
    (
        K >= 2,
        a >= 0,
        gamma >= 0,
        mix >= gamma,
        sp.Eq((mix - a) * (mix - gamma), 0),
        sp.Eq(miss, 0),
        sp.Eq(wrong, mix * share),
    ),
    wrong <= MIXED + gamma * share,
)


def test_variables_that_hypotheses_put_a_term_for_leave_room_for_products_of_the_others() -> None:
    """With P(wrong) and 1[y* != y] among the variables no combination was small enough."""
    claim = statement(TOP_LABEL_RIGHT)
    check(claim, certify(claim, 10))


def test_the_certificates_use_every_rule() -> None:
    used = {name for key in CERTIFIED for name in rules_of(json.loads(proved(*key))["proofs"])}
    assert used == {*RULES, "direct", "mean"}


Path_ = tuple[Any, ...]
Mutant = tuple[Path_, str, Any]


def mutants(data: Any, path: Path_ = ()) -> Iterator[Mutant]:
    """(where, what was done, what stands there instead), for every part of a JSON value."""
    yield from ((path, kind, value) for kind, value in _changes(data))
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in parts:
        yield from mutants(part, (*path, key))


def _changes(data: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(data, str):
        yield from _changed_text(data)
    elif type(data) is int:
        yield from (("integer", data + 1), ("integer", data - 1), ("integer", -data - 1))
    elif isinstance(data, list):
        for i in range(len(data)):
            yield "removed", [*data[:i], *data[i + 1 :]]
            yield "repeated", [*data[: i + 1], *data[i:]]
        for i in range(len(data) - 1):
            if data[i] != data[i + 1]:
                yield "swapped", [*data[:i], data[i + 1], data[i], *data[i + 2 :]]
    elif isinstance(data, dict):
        for key in data:
            rest = {name: part for name, part in data.items() if name != key}
            yield "removed", rest
            yield "renamed", {**rest, f"{key}_": data[key]}


def _changed_text(data: str) -> Iterator[tuple[str, str]]:
    signs = ("<=", "<", ">=", ">", "=", "!=")
    if data in signs:
        yield from (("sign", sign) for sign in signs if sign != data)
        return
    try:
        value = Fraction(data)
    except ValueError:
        yield "text", f"{data}_"
        return
    for changed in (value + 1, value - 1, -value, value + Fraction(1, 10**9), value / 2):
        if changed != value:
            yield "number", str(changed)


def planted(data: Any, path: Path_, value: Any) -> Any:
    """The JSON value with another part at a place."""
    if not path:
        return value
    copied = copy.copy(data)
    copied[path[0]] = planted(data[path[0]], path[1:], value)
    return copied


def place(data: Any, path: Path_) -> str:
    """The innermost rule above a part, and its field."""
    found = "none"
    for depth, key in enumerate(path):
        if isinstance(data, dict) and "rule" in data:
            found = f"{data['rule']}.{key}"
        elif isinstance(data, dict) and "tables" in data:
            found = key
        elif found == "combination.summands" and isinstance(data, list) and depth and isinstance(data[0], str):
            found = "combination." + ("coefficient", "facts", "square")[key]
        data = data[key]
    return found


def is_accepted(data: Any) -> Certificate | None:
    """The certificate if the kernel accepts it; None if it rejects it. Any other error is one of the kernel."""
    try:
        read = read_certificate(json.dumps(data))
        replay(read)
    except Rejected:
        return None
    return read


def test_the_oracle_sees_false_claims_fail_and_true_ones_not() -> None:
    generator = random.Random(0)
    seen = 0
    for key in CERTIFIED:
        for claim in derived(*key):
            assert not is_seen_to_fail(claim, generator)
            if claim.then.sign in ("<=", ">=") and names_in(claim.then.left) | names_in(claim.then.right):
                opposite = Relation({"<=": ">", ">=": "<"}[claim.then.sign], claim.then.left, claim.then.right)
                seen += is_seen_to_fail(claim.instead(opposite), generator)
    assert seen >= 8


def count_proved(seed: int, count: int) -> int:
    """How many random claims the kernel proves; asserts that none of them is seen to fail."""
    generator = random.Random(seed)
    proved = 0
    for _ in range(count):
        claim = random_claim(generator)
        try:
            certify(claim, SEARCH_SECONDS)
        except NotFoundError:
            continue
        proved += 1
        assert not is_seen_to_fail(claim, generator, 60), claim.data
    return proved


def test_what_is_proved_of_random_terms_is_not_seen_to_fail() -> None:
    assert count_proved(1, 40) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 5))
def test_what_is_proved_of_many_random_terms_is_not_seen_to_fail(seed: int) -> None:
    assert count_proved(seed, 300) >= 60


# The only changes inside proofs that the kernel accepts, all of them proofs of the same claim.
HARMLESS = {
    "cases.table integer": "another table that has the atoms",
    "combination.against integer": "a step that no summand uses",
    "combination.against number": "wider ends of an enclosure that no summand uses",
    "combination.against repeated": "a step twice, the last",
    "combination.against swapped": "a product or a sum in another order, or wider ends",
    "combination.steps integer": "another hypothesis that says what is needed",
    "combination.steps repeated": "a hypothesis twice, the last",
    "combination.steps swapped": "hypotheses in another order, for what they define",
    "combination.table integer": "another table that has the atoms",
    "contradiction.steps repeated": "a hypothesis twice",
    "contradiction.table integer": "another table that has the atoms",
    "cases.split swapped": "the cut x - c written as -c + x",
    "combination.equations swapped": "a sum in another order",
    "combination.summands swapped": "a sum in another order",
    "combination.summands repeated": "twice a summand that is zero: 0 > 0 is the contradiction",
    "combination.coefficient number": "another multiple of 0 > 0",
    "combination.facts repeated": "another multiple of 0 > 0",
    "combination.facts swapped": "a product in another order",
    "combination.square swapped": "a sum in another order",
    "generalize.steps repeated": "a hypothesis twice",
    "generalize.table integer": "another table that has the atoms",
    "interval.box integer": "another hypothesis that bounds the variable alike",
    "interval.bits integer": "an enclosure with a bit more or less",
    "interval.box number": "an end a little outside of its bound",
    "interval.steps integer": "another hypothesis that says what is needed",
    "interval.steps removed": "a hypothesis that is not needed with these others",
    "interval.steps repeated": "a hypothesis twice",
    "interval.steps swapped": "hypotheses in another order",
    "interval.table integer": "another table that has the atoms",
    "lemma.relation sign": "another lemma that is proved alike",
    "lemma.relation swapped": "another lemma that is proved alike",
    "move.derived swapped": "the derivative, its factors in another order",
    "move.far repeated": "a bound twice",
    "move.far swapped": "bounds in another order",
    "move.near repeated": "a bound twice",
    "move.steps repeated": "a hypothesis twice",
    "move.table integer": "another table that has the atoms",
    "tables integer": "a part of a hint that no rule needs",
    "tables removed": "a table, atom or hint that no rule needs",
    "tables repeated": "a table twice, the last; a part of a product twice",
    "tables swapped": "tables or atoms in another order, or a sum's parts",
    "tables text": "an atom that no rule needs",
    "terms repeated": "a term twice, the last",
    "weaken.keep integer": "another hypothesis that says as much",
    "weaken.keep removed": "a hypothesis that is not needed",
    "weaken.keep repeated": "a hypothesis twice",
    "weaken.keep swapped": "hypotheses in another order",
}


@pytest.fixture
def remembering(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the kernel has accepted once is not checked again: most of a mutant is what the original was."""
    accepted = set[tuple[kernel.Claim, str]]()

    def remembered(claim: kernel.Claim, proof: Any) -> None:
        key = claim, json.dumps(proof)
        if key not in accepted:
            check(claim, proof)
            accepted.add(key)

    for module in ("rules", "certificate"):
        monkeypatch.setattr(f"gaptron.kernel.{module}.check", remembered)


def survey(key: tuple[str, str], step: int = 1) -> tuple[Counter[str], int]:
    """The accepted mutants of a certificate by place and kind, and the number of mutants; asserts that none harms."""
    data = json.loads(proved(*key))
    generator = random.Random(1)
    accepted: Counter[str] = Counter()
    total = 0
    for number, (path, kind, value) in enumerate(mutants(data)):
        if number % step:
            continue
        total += 1
        read = is_accepted(planted(data, path, value))
        if read is None:
            continue
        where = path[0] if path else "top"
        accepted[f"{place(data, path)} {kind}" if where == "proofs" else str(where)] += 1
        if where == "claims":
            changed = [claim for claim in read.claims if claim not in derived(*key)]
            assert read.claims != derived(*key), (path, kind, value)
            assert not any(is_seen_to_fail(claim, generator) for claim in changed), (path, kind, value)
        else:
            assert read.claims == derived(*key), (path, kind, value)
    return accepted, total


def check_survey(accepted: Counter[str], total: int) -> None:
    inside = Counter({name: count for name, count in accepted.items() if name not in ("about", "claims")})
    assert set(inside) <= set(HARMLESS), set(inside) - set(HARMLESS)
    assert inside.total() <= max(10, 0.1 * total)


STEPS = {
    ("gaptron/theorem1_logistic", "gap/wrong/1"): 12,
    ("gaptron/theorem1_logistic", "gap/right/2"): 5,
    ("gaptron/theorem3_smooth_hinge", "loss/convex"): 9,
}


@pytest.mark.few(4)
@pytest.mark.usefixtures("remembering")
@pytest.mark.parametrize("key", CERTIFIED, ids=NAMED)
def test_a_changed_certificate_is_rejected_or_still_true(key: tuple[str, str]) -> None:
    check_survey(*survey(key, STEPS.get(key, 2)))


@pytest.mark.slow
@pytest.mark.usefixtures("remembering")
@pytest.mark.parametrize("key", CERTIFIED, ids=NAMED)
def test_every_changed_certificate_is_rejected_or_still_true(key: tuple[str, str]) -> None:
    check_survey(*survey(key))


@pytest.mark.parametrize("key", CERTIFIED, ids=NAMED)
def test_a_truncated_certificate_is_rejected(key: tuple[str, str]) -> None:
    text = proved(*key)
    for end in range(0, len(text), 50):
        with pytest.raises(Rejected):
            read_certificate(text[:end])
    with pytest.raises(Rejected):
        read_certificate(text[:-1])


MANY = ("gaptron/theorem3_smooth_hinge", "loss/convex")


@pytest.mark.parametrize("shift", range(1, 9))
def test_proofs_of_other_claims_are_rejected(shift: int) -> None:
    read = read_certificate(proved(*MANY))
    assert read.proofs is not None
    with pytest.raises(Rejected, match="claim "):
        replay(replace(read, proofs=(*read.proofs[shift:], *read.proofs[:shift])))


def test_claims_reordered_with_their_proofs_are_not_the_derived_claims() -> None:
    read = read_certificate(proved(*MANY))
    assert read.proofs is not None
    backwards = replace(read, claims=read.claims[::-1], proofs=read.proofs[::-1])
    replay(backwards)
    assert backwards.claims != derived(*MANY)


@pytest.mark.parametrize("count", [0, 1, 8, 10])
def test_the_number_of_proofs_must_be_that_of_the_claims(count: int) -> None:
    read = read_certificate(proved(*MANY))
    assert read.proofs is not None
    with pytest.raises(Rejected, match="one proof for every claim"):
        replay(replace(read, proofs=(*read.proofs, read.proofs[-1])[:count]))


def test_no_claims_prove_nothing() -> None:
    empty = Certificate({}, (), (), None)
    with pytest.raises(Rejected, match="one proof for every claim"):
        replay(empty)
    with pytest.raises(Rejected, match="no claims"):
        read_certificate(json.dumps(empty.data))
    with pytest.raises(Rejected, match="one proof for every claim"):
        replay(replace(read_certificate(proved(*MANY)), proofs=None))


@pytest.mark.parametrize("other", CERTIFIED, ids=NAMED)
def test_the_proofs_of_another_obligation_are_rejected_under_this_statement(other: tuple[str, str]) -> None:
    read = read_certificate(proved(*other))
    assert read.proofs is not None
    for key in CERTIFIED:
        claims = derived(*key)
        if claims == read.claims or len(claims) != len(read.proofs):
            continue
        with pytest.raises(Rejected, match="claim "):
            replay(replace(read, claims=claims))


def test_the_certificate_of_another_obligation_replays_with_other_claims() -> None:
    found = {key: read_certificate(proved(*key)).claims for key in CERTIFIED}
    assert len(set(found.values())) == len(CERTIFIED)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "gaptron certificate 1"},
        {"format": "gaptron certificate 2 "},
        {"format": None},
        {"format": [FORMAT]},
        {"about": None},
        {"about": []},
        {"about": "theorem"},
        {"claims": {}},
        {"claims": None},
        {"claims": []},
        {"proofs": {}},
        {"proofs": None},
        {"proofs": [math.nan]},
        {"proofs": [math.inf]},
        {"claims": [math.nan]},
        {"comment": ""},
        {"refutes": [0, {}]},
    ],
    ids=str,
)
def test_a_certificate_with_another_head_is_rejected(change: dict[str, Any]) -> None:
    data = json.loads(proved("planted", "apart"))
    replay(read_certificate(json.dumps(data)))
    with pytest.raises(Rejected):
        replay(read_certificate(json.dumps(data | change)))


@pytest.mark.parametrize("name", ["format", "about", "claims", "proofs"])
def test_a_certificate_without_a_part_is_rejected(name: str) -> None:
    data = json.loads(proved("planted", "apart"))
    del data[name]
    with pytest.raises(Rejected):
        read_certificate(json.dumps(data))


def test_a_refutation_survives_the_round_trip_and_its_changes_are_rejected_or_refute() -> None:
    false = statement(sequent((a >= 0, a <= 4), a**2 <= a))
    data = Certificate({"by": "hand"}, (false,), None, (0, {"a": Fraction(7, 2)})).data
    read = read_certificate(json.dumps(data))
    assert read.data == data
    assert read.refutes == (0, {"a": Fraction(7, 2)})
    replay(read)
    for path, _, value in mutants(data):
        found = is_accepted(planted(data, path, value))
        if found is not None and path[0] == "refutes":
            assert found.claims == (false,)
            assert found.refutes is not None
            assert 1 < found.refutes[1]["a"] <= 4
        elif found is not None and path[0] != "about":
            assert found.claims != (false,)


def test_a_digest_tells_values_apart_and_not_the_order_of_keys() -> None:
    assert digest({"a": 1, "b": [1, "2"]}) == digest({"b": [1, "2"], "a": 1})
    values: list[Any] = [{"a": 1}, {"a": "1"}, {"a": [1]}, [1, 2], [2, 1], [[1], 2], {}, [], "", None, 1, True, "1"]
    assert len({digest(value) for value in values}) == len(values)
    assert digest([]) == "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"
    assert canonical_text({"b": [1, "x"], "a": None}) == '{"a":null,"b":[1,"x"]}'


def test_the_version_is_a_digest_of_all_sources_of_the_kernel() -> None:
    rooms = Path(kernel.__file__).parents[1]
    names = [source.relative_to(rooms).as_posix() for source in sources()]
    assert {"kernel/rules/logic.py", "kernel/evidence.py", "language/terms.py"} < set(names)
    assert {file.relative_to(rooms).as_posix() for file in (rooms / "kernel").rglob("*.py")} < set(names)
    assert version() == digest([[name, (rooms / name).read_text(encoding="utf-8")] for name in names])


def test_what_else_the_machine_does_takes_no_time_from_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count(0, 1000)
    (claim,) = derived("gaptron/theorem2_hinge", "regret")[:1]
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    kernel.check(claim, certify(claim, 5))
