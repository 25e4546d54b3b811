"""``gaptron attack``: exit codes, one JSON document, witnesses that travel, and files that lie."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gaptron.commands.attack import attack

SOURCE = """
from sympy import Min, Piecewise
from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, Parameter, m

loss = MarginLoss(Piecewise((1 - 2*m, m <= 0), ((1 - m)**2, m < 1), (0, True)))
gap_map = GapMap((1 - Min(1, m))**2)
true = Theorem(name="true", loss=loss, gap_map=gap_map, learning_rate=1/(4*K), regret=2*K)
false = Theorem(name="false", loss=loss, gap_map=gap_map, learning_rate=3/(4*K), regret=2*K/3)
"""
ABSTAINING = 'abstaining = Theorem(name="abstaining", loss=loss, gap_map=gap_map, abstention_cost=1/K, regret=K)\n'
OWN = (
    'w = Parameter("w", low=1, high=2)\n'
    'own = Theorem(name="own", loss=loss, gap_map=gap_map, learning_rate=1/(4*K*w), regret=2*K*w)\n'
)
QUICK = ("--rounds", 2, "--generations", 1, "--classes", 3)
SMALLEST = ("--rounds", 1, "--generations", 0, "--classes", 2)

Change = Callable[[dict[str, Any]], Any]


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(attack, [str(argument) for argument in arguments])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    return path


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, str]:
    """One attack on both theorems: what it said, and what it saved."""
    folder = tmp_path_factory.mktemp("attack")
    (folder / "mine.py").write_text(SOURCE)
    said = invoke(folder / "mine.py", *QUICK, "--save", folder / "saved.json")
    return said, (folder / "saved.json").read_text()


def witness_of(attacked: tuple[Result, str], name: str) -> str:
    """The part of what was saved that is about one theorem."""
    document = json.loads(attacked[1])
    return json.dumps(document | {"attacks": [one for one in document["attacks"] if one["theorem"] == name]})


@pytest.fixture(scope="module")
def witness(attacked: tuple[Result, str]) -> str:
    return witness_of(attacked, "true")


@pytest.fixture
def saved(witness: str, tmp_path: Path) -> Path:
    path = tmp_path / "saved.json"
    path.write_text(witness)
    return path


def refused(result: Result, *words: str) -> None:
    """One sentence, exit code 2, no traceback."""
    assert result.exit_code == 2, result.output
    first, *further = result.stderr.splitlines()
    assert first.startswith("gaptron: ")
    assert all(line.startswith("    ") for line in further)
    assert all(word in " ".join(result.stderr.split()) for word in words), result.stderr


# --- verdicts -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_true_theorem_is_undecided_and_that_proves_nothing(file: Path) -> None:
    done = invoke(file, "--only", "true", *QUICK)
    assert done.exit_code == 3
    assert "UNDECIDED true: K = 3, T <= 2: ratio" in done.stdout
    assert "no stream found breaks the bound; best ratio" in done.stdout
    assert "this proves nothing" in done.stdout


@pytest.mark.slow
def test_a_false_theorem_is_refuted(attacked: tuple[Result, str]) -> None:
    done, _ = attacked
    assert done.exit_code == 1
    assert "REFUTED   false: K = 3" in done.stdout
    assert "a bound is broken" in done.stdout


def test_one_json_document_holds_every_witness(attacked: tuple[Result, str]) -> None:
    document = json.loads(attacked[1])
    assert document["schema"] == 1
    assert [(a["theorem"], a["verdict"], a["K"]) for a in document["attacks"]] == [
        ("true", "UNDECIDED", 3),
        ("false", "REFUTED", 3),
    ]
    assert sum(block["rounds"] for block in document["attacks"][0]["stream"]) == document["attacks"][0]["T"] <= 2


def test_what_is_saved_is_printed_as_json(file: Path, tmp_path: Path) -> None:
    done = invoke(file, *SMALLEST, "--json", "--save", tmp_path / "saved.json")
    assert done.exit_code == 1
    assert json.loads(done.stdout) == json.loads((tmp_path / "saved.json").read_text())


@pytest.mark.slow
def test_a_shipped_theorem_is_named_by_a_part_of_its_name() -> None:
    done = invoke("3, smooth", "--rounds", 1, "--generations", 0, "--classes", 2)
    assert done.exit_code == 3
    assert "UNDECIDED Theorem 3, smooth hinge: K = 2, T <= 1: ratio 1/2 (one point, 1 round)" in done.stdout


def test_the_help_states_every_exit_code() -> None:
    said = invoke("--help").stdout
    assert all(f"  {code}  " in said for code in (0, 1, 2, 3))


# --- replay ---------------------------------------------------------------------------------------------------------


def test_a_witness_is_confirmed(file: Path, saved: Path) -> None:
    done = invoke(file, "--replay", saved)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("CONFIRMED true: K = 3, T = ")


def test_a_witness_that_refutes_is_confirmed_with_exit_code_1(
    file: Path, attacked: tuple[Result, str], tmp_path: Path
) -> None:
    saved = tmp_path / "saved.json"
    saved.write_text(witness_of(attacked, "false"))
    done = invoke(file, "--replay", saved, "--json")
    assert done.exit_code == 1
    assert [one["verdict"] for one in json.loads(done.stdout)["attacks"]] == ["REFUTED"]


@pytest.mark.slow
def test_a_bandit_witness_is_confirmed(tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    invoke("theorem 5, bandit", "--rounds", 20, "--classes", 2, "--generations", 3, "--save", saved)
    done = invoke("--replay", saved)
    assert done.exit_code == 0, done.output


def test_a_witness_for_what_the_theorem_said_before_is_rejected(file: Path, saved: Path) -> None:
    file.write_text(SOURCE.replace("regret=2*K)", "regret=3*K)"))
    refused(invoke(file, "--replay", saved), "the theorem says regret = 3*K, the witness 2*K")


@pytest.mark.slow
def test_a_witness_needs_its_theorem(saved: Path) -> None:
    refused(invoke("--replay", saved), "there is no theorem 'true'", "name the file")


LIES: dict[str, Change] = {
    "ratio": lambda a: a.update(ratio="1"),
    "mistakes": lambda a: a.update(mistakes="3/2"),
    "loss": lambda a: a.update(comparator_loss="0"),
    "regret": lambda a: a.update(regret="1/2"),
    "narrow": lambda a: a.update(ratio=["0.5", "0.5"]),
    "label": lambda a: a["stream"][0].update(label=0),
    "label type": lambda a: a["stream"][0].update(label=True),
    "label range": lambda a: a["stream"][0].update(label=3),
    "rounds": lambda a: a["stream"][0].update(rounds=a["stream"][0]["rounds"] + 1),
    "no rounds": lambda a: a["stream"][0].update(rounds=0),
    "too many": lambda a: a["stream"][0].update(rounds=10**7),
    "too long": lambda a: a["stream"][0].update(x={"0": "5/4"}),
    "entry": lambda a: a["stream"][0].update(x={"7": "1"}),
    "number": lambda a: a["stream"][0].update(x={"0": "1/0"}),
    "float": lambda a: a["stream"][0].update(x={"0": 0.5}),
    "power": lambda a: a["stream"][0].update(x={"0": "1e999999999"}),
    "long": lambda a: a["stream"][0].update(x={"0": "1" * 1000}),
    "block": lambda a: a.update(stream=[7]),
    "empty": lambda a: a.update(stream=[]),
    "U": lambda a: a["U"].pop(),
    "U = 0": lambda a: a.update(U=[{}, {}, {}]),
    "K": lambda a: a.update(K=2),
    "K type": lambda a: a.update(K="3"),
    "T": lambda a: a.update(T=a["T"] + 1),
    "X": lambda a: a.update(X="2"),
    "features": lambda a: a.update(features=10**9),
    "statement": lambda a: a.pop("statement"),
    "gap map": lambda a: a["statement"].update(gap_map="0"),
    "theorem": lambda a: a.update(theorem=["true"]),
}


@pytest.mark.few(9)
@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_witness_that_lies_is_rejected(file: Path, saved: Path, lie: Change) -> None:
    data = json.loads(saved.read_text())
    lie(data["attacks"][0])
    saved.write_text(json.dumps(data))
    refused(invoke(file, "--replay", saved), f"{saved}: witness 1: ")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", '{"schema": 1}', '{"schema": 2, "attacks": [{}]}', '{"schema": 1, "attacks": []}']
)
def test_a_file_that_is_none_of_witnesses_is_rejected(file: Path, tmp_path: Path, text: str) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text(text)
    refused(invoke(file, "--replay", broken), str(broken))


def test_a_file_that_is_too_deep_too_large_or_not_there_is_rejected(file: Path, tmp_path: Path) -> None:
    hostile = tmp_path / "hostile.json"
    hostile.write_text("[" * 100_000)
    refused(invoke(file, "--replay", hostile), "not JSON")
    hostile.write_bytes(b" " * ((8 << 20) + 1))
    refused(invoke(file, "--replay", hostile), "larger than")
    hostile.write_bytes(b"\xff")
    refused(invoke(file, "--replay", hostile), "not JSON")
    refused(invoke(file, "--replay", tmp_path / "none.json"), "cannot be read")


def test_a_witness_that_takes_too_long_is_rejected(file: Path, saved: Path) -> None:
    refused(invoke(file, "--replay", saved, "--seconds", "1e-6"), "was still running")


# --- what cannot be attacked ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_theorems_about_abstaining_or_with_parameters_are_refused_in_one_sentence(file: Path) -> None:
    file.write_text(SOURCE + ABSTAINING + OWN)
    refused(invoke(file, "--only", "abstaining"), '"abstaining" is not attacked: it is about abstaining')
    refused(invoke(file, "--only", "own"), '"own" is not attacked: it has parameters of its own (w)')
    done = invoke(file, *QUICK)
    assert done.exit_code == 1
    assert done.stderr.count("is not attacked") == 2


@pytest.mark.slow
def test_bad_input_is_one_sentence(file: Path, tmp_path: Path) -> None:
    refused(invoke(), "name a theorem file")
    refused(invoke(tmp_path / "none.py"), "does not exist")
    refused(invoke("proofs/gaptron/theorem6_up_to_11.py", "--classes", 12), "is not claimed for every K")
    refused(invoke(file, *QUICK, "--save", tmp_path / "no" / "folder.json"), "cannot be written")


@pytest.mark.slow
def test_a_name_that_no_theorem_has_is_one_sentence() -> None:
    done = invoke("hing", "--only", "squard hinge", "--json")
    refused(done, "did you mean 'blog, squared hinge'")
    document = json.loads(done.stdout)
    assert (document["schema"], document["attacks"]) == (1, [])
    assert document["error"].startswith("hing squard hinge: no theorem has such a name: ")


def test_a_learning_rate_for_which_no_decoder_exists_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    logistic = "loss=SoftmaxLoss(-log(p, 2)), decoder='best', learning_rate=4, regret=1/8"
    hinge = "loss=MarginLoss(Max(1 - m, 0), off_above=1/K), decoder='best', learning_rate=3/K, regret=K/6"
    head = "from sympy import Max, log\nfrom gaptron import *\nfrom gaptron.symbols import K, m, p\n"
    path.write_text(f"{head}a = Theorem(name='a', {logistic})\nb = Theorem(name='b', {hinge})\n")
    refused(invoke(path, "--only", "a", *SMALLEST), "too large for the a loss", "sum to")
    assert invoke(path, "--only", "b", *SMALLEST).exit_code in (2, 3)
