"""Whole theorems in Coq from theorem files, and what must not become one: every control names what refuses it."""

import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY, Command
from sympy import Piecewise, Rational, sqrt
from test_coq_certificates import NOT_TRUE

from gaptron import GapMap, MarginLoss, Parameter
from gaptron.checking.checker import check as check_theorems
from gaptron.coq.development import Whole, development, module_of
from gaptron.coq.formal import NotAcceptedError, asked, read
from gaptron.coq.library import ALLOWED, RefusedError, compiled
from gaptron.coq.proved import HEADER, Claims, claim_to_coq
from gaptron.coq.reader import compare
from gaptron.coq.reader.vernacular import sentences
from gaptron.coq.real_terms import identifier, variable
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.theorem_kinds import kind_of
from gaptron.guesses import obligations_of
from gaptron.kernel import Certificate, Claim, check, read_certificate
from gaptron.kernel import rules as kernel_rules
from gaptron.symbols import K, T, m
from gaptron.theory.files import load
from gaptron.theory.theorem import Theorem

EXAMPLES = REPOSITORY / "examples"
GAPTRON = REPOSITORY / "proofs" / "gaptron"
SLIDES = REPOSITORY / "proofs" / "slides" / "abstention_losses.py"
EXPORTED = REPOSITORY / "proofs" / "coq" / "exported" / "PaperProofs.v"
HOSTILE = [
    'hinge *) Axiom oops : False. (* "',
    "Qed. Abort.",
    "forall",
    "Definitions",
    "guarantee",
    "../../phi",
    "a_b",
    "a__5f_b",
    "a b",
    "\u03b1",
    "\ud800",
    "long " * 100,
    "long " * 101,
    "1",
]
Proof = dict[str, Any]
Proved = tuple[Theorem, dict[str, Certificate]]
SHORTEST = {"functional_extensionality_dep"}  # where its module is imported
UNCERTIFIED = "no certificate for Coq's claim"
LEMMA = re.compile(r"^(?:Lemma|Theorem) (\w+)", re.MULTILINE)


def proved(theorem: Theorem) -> Proved:
    """A theorem with its certificates."""
    (checked,) = check_theorems([theorem], seconds=20.0, workers=1)
    certificates = zip(checked.obligations, checked.certificates, strict=True)
    return theorem, {one.id: read_certificate(json.dumps(data)) for one, data in certificates}


def theorem_of(file: str) -> Theorem:
    (statement,) = load(EXAMPLES / file)
    assert isinstance(statement.item, Theorem)
    return statement.item


@pytest.fixture(scope="module")
def squared_hinge() -> Proved:
    """The example of the README."""
    return proved(theorem_of("squared_hinge.py"))


@pytest.fixture(scope="module")
def claims(squared_hinge: Proved, library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its claims, compiled: a folder."""
    folder = tmp_path_factory.mktemp("claims")
    name, text = next(iter(development(*squared_hinge).files.items()))
    compiled({name: text}, folder, library)
    return folder


def without_claims(whole: Whole) -> dict[str, str]:
    """What is asked of Coq, but for the claims."""
    return {name: text for name, text in asked(whole).items() if not name.endswith("_claims.v")}


def lemma_at(text: str, line: int) -> str:
    """The lemma that has this line of a file."""
    return LEMMA.findall("\n".join(text.split("\n")[:line]))[-1]


@pytest.mark.slow
@pytest.mark.coq
def test_a_theorem_file_becomes_a_whole_theorem(squared_hinge: Proved, library: Path, claims: Path) -> None:
    whole = development(*squared_hinge)
    found = read(whole, compiled(without_claims(whole), claims, library))
    assert set(found.axioms) <= set(ALLOWED.values())
    assert "guarantee (full K d (margin_loss K d (phi (INR K)) (gap_map_of (INR K)) None)) X" in found.statement
    assert compare(squared_hinge[0], [*whole.files.values()], found.statement) > 50


def with_rate(rate: object) -> Callable[[Theorem], Theorem]:
    return lambda theorem: replace(theorem, learning_rate=rate)


OTHER_THEOREMS = {
    "a learning rate times 101/100": with_rate(101 / (400 * K)),
    "a regret times 99/100": lambda theorem: replace(theorem, regret=theorem.regret * 99 / 100),
    "a gap map above 1": lambda theorem: replace(theorem, gap_map=GapMap(1 + m)),
}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(3)
@pytest.mark.parametrize("changed", OTHER_THEOREMS.values(), ids=OTHER_THEOREMS)
def test_a_theorem_is_no_other_than_that_of_its_data(
    changed: Callable[[Theorem], Theorem], squared_hinge: Proved, library: Path, claims: Path
) -> None:
    refuse_other_data(squared_hinge, changed(squared_hinge[0]), claims, library)


def refuse_other_data(found: Proved, other: Theorem, claims: Path, library: Path, lemma: str = "from_data") -> None:
    """It has no certificates; with those of the theorem that is proved Coq refuses what is said of its data."""
    theorem, certificates = found
    with pytest.raises(OutOfScopeError, match=UNCERTIFIED):
        development(other, certificates)
    module = module_of(theorem.name)
    known = Claims()
    for one in obligations_of(theorem):
        if one.id.endswith("/defined"):
            known.add(one, certificates[one.id])
    text = kind_of(other)(other, known, module).text()
    with pytest.raises(RefusedError) as error:
        compiled({f"{module}.v": text}, claims, library)
    assert lemma_at(text, error.value.line) == lemma


AXIOM = "\nAxiom oops : False.\nLemma rate_is_positive"
SHADOW = "\nModule Classical_Prop. Axiom classic : False. End Classical_Prop.\nLemma rate_is_positive"
OTHER_TEXTS = {
    "a premise less": (" (2 <= K)%nat -> 0 < X", " 0 < X", "No product"),
    "a root that is not always defined": ("  (v_K <> 0).", "  (0 <= 1000 - v_K).", "No applicable tactic"),
    "Admitted": ("Qed.\nPrint Assumptions", "Admitted.\nPrint Assumptions", "it rests on .*_whole"),
    "an axiom": ("\nLemma rate_is_positive", AXIOM, r"it rests on .*\.oops"),
    "an axiom by the name of one that is allowed": (
        "\nLemma rate_is_positive",
        SHADOW,
        r"it rests on T_.*\.Classical_Prop\.classic",
    ),
}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(6)
@pytest.mark.parametrize(("old", "new", "says"), OTHER_TEXTS.values(), ids=OTHER_TEXTS)
def test_a_changed_development_is_refused(
    old: str, new: str, says: str, squared_hinge: Proved, library: Path, claims: Path
) -> None:
    whole = development(*squared_hinge)
    text = whole.files[f"{whole.module}.v"]
    assert text.count(old) == 1
    changed = text.replace(old, new)
    if "False" in new:  # and what is assumed is used
        axiom = "oops" if "oops" in new else "Classical_Prop.classic"
        changed = re.sub(
            r"(Lemma rate_is_positive .*?\.\n)Proof\..*?Qed\.", rf"\1Proof. destruct {axiom}. Qed.", changed
        )
    other = Whole({**whole.files, f"{whole.module}.v": changed}, whole.module, whole.theorem)
    with pytest.raises((RefusedError, NotAcceptedError), match=says):
        read(other, compiled(without_claims(other), claims, library))


def changed_proof(certificates: dict[str, Certificate]) -> tuple[Claim, Proof]:
    """A claim of the certificates, and its proof with one coefficient changed."""
    rows = [(c, p) for one in certificates.values() for c, p in zip(one.claims, one.proofs or (), strict=True)]
    for claim, proof in rows:
        rule = proof["proof"]
        if rule["rule"] == "combination":
            (_, *first), *rest = rule["summands"]
            changed = {**proof, "proof": {**rule, "summands": [["7/5", *first], *rest]}}
            if is_rejected(claim, changed):
                return claim, changed
    raise AssertionError("no claim is proved by a combination")


def is_rejected(claim: Claim, proof: Proof) -> bool:
    try:
        check(claim, proof)
    except kernel_rules.Rejected:
        return True
    return False


@pytest.mark.slow
@pytest.mark.coq
def test_a_changed_certificate_is_refused(squared_hinge: Proved, library: Path, tmp_path: Path) -> None:
    claim, proof = changed_proof(squared_hinge[1])
    with pytest.raises(RefusedError, match=NOT_TRUE):
        compiled({"Changed.v": HEADER + claim_to_coq(claim, proof, "changed")}, tmp_path, library)


# --- names ------------------------------------------------------------------------------------------------------------


def test_names_are_identifiers_and_differ() -> None:
    for names in ([*map(identifier, HOSTILE)], [*map(module_of, HOSTILE)]):
        assert len(set(names)) == len(HOSTILE)
        assert all(re.fullmatch(r"\w+", name, re.ASCII) for name in names)
    assert all(len(f".{module_of(name)}_claims.aux") < 255 for name in HOSTILE)
    assert variable("forall") == "v_forall"


@pytest.mark.slow
def test_a_hostile_name_is_not_spliced(squared_hinge: Proved) -> None:
    theorem, certificates = squared_hinge
    plain = all_text(development(theorem, certificates))
    for name in HOSTILE:
        whole = development(replace(theorem, name=name), certificates)
        assert all_text(whole).replace(module_of(name), "") == plain.replace(module_of(theorem.name), "")


def all_text(whole: Whole) -> str:
    """Names of files and their texts."""
    return "\n".join([*whole.files, *whole.files.values()])


@pytest.mark.slow
@pytest.mark.coq
def test_hostile_names_compile(library: Path, tmp_path: Path) -> None:
    """A theorem and parameters named after Coq's words and the library's."""
    width, other = Parameter("forall", 1, 2), Parameter("guarantee", 1, 2)
    theorem = replace(
        theorem_of("squared_hinge.py"),
        name=HOSTILE[0],
        learning_rate=1 / (4 * K * width * other),
        regret=None,
        sharp_at=None,
        classes=2,
    )
    whole = development(*proved(theorem))
    assert read(whole, compiled(asked(whole), tmp_path, library)).theorem == whole.theorem


# --- what is not exported ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_obligation_without_certificate_is_named(squared_hinge: Proved) -> None:
    theorem, certificates = squared_hinge
    with pytest.raises(OutOfScopeError, match="loss/convex"):
        development(theorem, {name: c for name, c in certificates.items() if name != "loss/convex"})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "obligation"),
    [
        pytest.param(with_rate(1 / (4 * K * (1 + sqrt(1000 - K)))), "learning rate/defined", id="a root"),
        pytest.param(
            lambda theorem: replace(
                theorem, loss=MarginLoss(Piecewise((1 - 2 * m, m < 0), ((1 - m) ** 2, (m > 0) & (m < 1)), (0, m >= 1)))
            ),
            "loss/defined",
            id="a loss with a hole",
        ),
    ],
)
def test_what_is_not_defined_has_no_certificate(
    changed: Callable[[Theorem], Theorem], obligation: str, squared_hinge: Proved
) -> None:
    """In Coq the root of a negative number is a number."""
    theorem, certificates = squared_hinge
    with pytest.raises(OutOfScopeError, match=obligation):
        development(changed(theorem), certificates)


def test_a_bandit_theorem_without_a_regret_is_out_of_scope() -> None:
    with pytest.raises(OutOfScopeError, match="no regret is claimed"):
        development(replace(theorem_of("bandit_hinge.py"), regret=None), {})


# --- bandit feedback --------------------------------------------------------------------------------------------------


ADMITTED = re.compile(r"^(Lemma (\w+)\b.*?\.\n)Proof\..*?Qed\.", re.DOTALL | re.MULTILINE)
BANDIT_LEMMAS = ("explores", "pays", "steps", "conditions")


Control = tuple[Callable[[Theorem], Theorem], str, str, str | None]


@pytest.fixture(scope="module")
def bandit() -> Proved:
    """A theorem with bandit feedback, with its certificates."""
    theorem = theorem_of("bandit_hinge.py")
    return proved(theorem)


def only(text: str, lemmas: tuple[str, ...]) -> str:
    """A development in which these lemmas alone, and the theorem, are proved."""
    return ADMITTED.sub(lambda lemma: lemma[0] if lemma[2] in lemmas else f"{lemma[1]}Admitted.", text)


def compiled_claims(certified: Proved, library: Path, folder: Path) -> Path:
    """The folder, with its claims compiled."""
    name, text = next(iter(development(*certified).files.items()))
    compiled({name: text}, folder, library)
    return folder


@pytest.fixture(scope="module")
def bandit_claims(bandit: Proved, library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its claims, compiled: a folder."""
    return compiled_claims(bandit, library, tmp_path_factory.mktemp("bandit"))


BANDIT_CONTROLS = {
    "nothing changed": (lambda theorem: theorem, "", "", None),
    "twice the rate": (
        lambda theorem: replace(theorem, learning_rate=theorem.learning_rate * 2), "", "", UNCERTIFIED
    ),
    "another exploration": (lambda theorem: replace(theorem, exploration=Rational(1, 5)), "", "", "steps"),
    "a smaller constant": (
        lambda theorem: replace(theorem, regret=theorem.regret - T / 1000), "", "", "pays"
    ),
    "a premise less": (lambda theorem: theorem, "0 < X -> 0 < D -> (1 <= T)", "0 < X -> (1 <= T)", "whole"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(6)
@pytest.mark.parametrize("control", BANDIT_CONTROLS.values(), ids=BANDIT_CONTROLS)
def test_a_bandit_theorem_follows_from_its_claims_and_no_other_does(
    control: Control, bandit: Proved, library: Path, bandit_claims: Path
) -> None:
    follows_or_is_refused(control, BANDIT_LEMMAS, bandit, library, bandit_claims)


def follows_or_is_refused(
    control: Control, lemmas: tuple[str, ...], certified: Proved, library: Path, claims: Path
) -> None:
    """Coq accepts the theorem that is not changed; others are not exported, or it refuses the lemma that is named."""
    changed, old, new, lemma = control
    theorem, certificates = certified
    if lemma == UNCERTIFIED:
        with pytest.raises(OutOfScopeError, match=UNCERTIFIED):
            development(changed(theorem), certificates)
        return
    whole = development(changed(theorem), certificates)
    name = f"{whole.module}.v"
    text = whole.files[name]
    if lemma is None:
        found = read(whole, compiled(without_claims(whole), claims, library))
        assert compare(theorem, [*whole.files.values()], found.statement) > 50
        return
    assert old in text
    text = only(text.replace(old, new), lemmas)
    with pytest.raises(RefusedError) as error:
        compiled({name: text}, claims, library)
    assert lemma_at(text, error.value.line).endswith(lemma)


# --- abstention -------------------------------------------------------------------------------------------------------


ABSTAINING = "abstention, smooth hinge"  # its cost is a parameter in [0, 99/100]
ABSTENTION_LEMMAS = ("rate_is_positive", "conditions")


@pytest.fixture(scope="module")
def abstaining() -> Proved:
    """A theorem about abstention, with its certificates."""
    (theorem,) = (s.item for s in load(SLIDES) if isinstance(s.item, Theorem) and s.item.name == ABSTAINING)
    return proved(theorem)


@pytest.fixture(scope="module")
def abstaining_claims(abstaining: Proved, library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its claims, compiled: a folder."""
    return compiled_claims(abstaining, library, tmp_path_factory.mktemp("abstaining"))


ABSTENTION_CONTROLS = {
    "nothing changed": (lambda theorem: theorem, "", "", None),
    "a larger cost": (
        lambda it: replace(it, abstention_cost=(1 + it.abstention_cost) / 2, sharp_at=None), "", "", UNCERTIFIED
    ),
    "a rate times 101/100": (
        lambda it: replace(it, learning_rate=it.learning_rate * 101 / 100, sharp_at=None), "", "", UNCERTIFIED
    ),
    "a regret times 99/100": (
        lambda theorem: replace(theorem, regret=theorem.regret * 99 / 100), "", "", UNCERTIFIED
    ),
    "a premise less": (lambda theorem: theorem, "0 <= v_c -> v_c <= (99 / 100) -> 0 < X", "0 < X", "whole"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(6)
@pytest.mark.parametrize("control", ABSTENTION_CONTROLS.values(), ids=ABSTENTION_CONTROLS)
def test_an_abstention_theorem_follows_from_its_claims_and_no_other_does(
    control: Control, abstaining: Proved, library: Path, abstaining_claims: Path
) -> None:
    follows_or_is_refused(control, ABSTENTION_LEMMAS, abstaining, library, abstaining_claims)


@pytest.mark.slow
def test_an_abstention_cost_without_certificate_is_named(abstaining: Proved) -> None:
    theorem, certificates = abstaining
    name = "abstention cost/nonnegative"
    with pytest.raises(OutOfScopeError, match=name):
        development(theorem, {other: c for other, c in certificates.items() if other != name})


# --- the paper's theorems as stated by hand ---------------------------------------------------------------------------


PAPER = {
    "theorem_1": ("theorem1_logistic", "((1 / 2) * (/ v_K) * (ln 2))", "((101 / 200) * (/ v_K) * (ln 2))"),
    "theorem_2": ("theorem2_hinge", "((1 + ((-1) * (/ v_K))) * (/ v_K))", "((1 + ((-1) * (/ v_K))) * (2 / v_K))"),
    "theorem_3": ("theorem3_smooth_hinge", "((1 / 4) * (/ v_K))", "((101 / 400) * (/ v_K))"),
}
KEPT = ("Require", "From", "Import", "Open", "Definition")


def paper(file: str) -> Theorem:
    """The theorem of the paper in this file."""
    (theorem,) = (s.item for s in load(GAPTRON / f"{file}.py") if isinstance(s.item, Theorem))
    return theorem


def admitted(theorem: Theorem) -> tuple[str, str]:
    """The file of a theorem with its definitions and its statement alone: name and text."""
    module = module_of(theorem.name)
    written = kind_of(theorem)(theorem, Claims(), module).text().replace(f" {module}_claims.", ".")
    said = [one for one in sentences(written) if one.startswith(KEPT) or one.startswith(f"Theorem {module}_whole")]
    return f"{module}.v", ".\n".join([*said, "Admitted"]) + ".\n"


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.parametrize("theorem", PAPER)
def test_the_paper_as_stated_by_hand_needs_the_theorem_of_the_file(theorem: str, library: Path, tmp_path: Path) -> None:
    """With another learning rate in what is exported, the theorem of Paper.v is not proved."""
    files = dict(admitted(paper(file)) for file, *_ in PAPER.values())
    file, old, new = PAPER[theorem]
    name, text = admitted(paper(file))
    assert text.count(old) == 1
    files |= {name: text.replace(old, new), EXPORTED.name: EXPORTED.read_text()}
    with pytest.raises(RefusedError) as error:
        compiled(files, tmp_path, library)
    assert lemma_at(files[EXPORTED.name], error.value.line) == theorem


@pytest.mark.slow
@pytest.mark.coq
def test_the_paper_as_stated_by_hand_follows_from_what_is_exported(
    gaptron: Command, library: Path, tmp_path: Path
) -> None:
    files = [GAPTRON / f"{file}.py" for file, *_ in PAPER.values()]
    done = gaptron("export", "--coq", tmp_path / "exported", *files, PATH="/nowhere")
    assert done.returncode == 0, done.stderr
    project = (tmp_path / "exported" / "_CoqProject").read_text().split()
    texts = {name: (tmp_path / "exported" / name).read_text() for name in project if name.startswith(("T_", "PaperP"))}
    assert list(texts)[-1] == EXPORTED.name
    said = compiled(texts, tmp_path, library)
    for answer in said.split("Axioms:\n")[1:]:
        assert {line.split()[0] for line in answer.splitlines() if line[:1].isalpha()} <= {*ALLOWED, *SHORTEST}
    modules = [f"Gaptron.{Path(name).stem}" for name in texts if name.startswith("T_")]
    places = ("-Q", str(library), "Gaptron", "-Q", str(tmp_path), "Gaptron")
    command = ["coqchk", "-silent", "-o", "-bytecode-compiler", "yes", *places, *modules]
    checked = subprocess.run(command, text=True, capture_output=True, check=False)
    assert checked.returncode == 0, checked.stderr
    listed = (checked.stdout + checked.stderr).partition("* Axioms:")[2].partition("* Constants")[0].split()
    assert set(listed) == set(ALLOWED.values())
