"""``gaptron replay --coq``: certificates checked by the kernel that Coq proves sound."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conftest import SECONDS, Audited, Command, Shipped, shipped_entries
from test_replay_and_export import BAD, GOOD, certificates

from gaptron.checking.cache import Cache
from gaptron.checking.checker import check
from gaptron.ledger.certificate_files import write_certificates
from gaptron.theory.claims import Obligations

__all__ = ["certificates"]  # a fixture

QUARTERS = 4
BOTH = ("--against", GOOD, "--against", BAD)


def changed(file: Path, folder: Path, name: str, change: Any) -> Path:
    """A certificate with something changed in its JSON."""
    data = json.loads(file.read_text())
    change(data)
    made = folder / f"{name}.json"
    made.write_text(json.dumps(data))
    return made


def first_summand(part: Any) -> list[Any] | None:
    """The first summand of a proof, wherever it is."""
    if isinstance(part, dict) and part.get("rule") == "combination" and part["summands"]:
        return part["summands"][0]
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return next((found for one in inner if (found := first_summand(one)) is not None), None)


def double(data: Any) -> None:
    """Twice the first coefficient of a combination."""
    summand = first_summand(data["proofs"])
    assert summand is not None
    summand[0] = str(2 * int(summand[0])) if "/" not in summand[0] else summand[0].split("/")[0]


def forget(data: Any) -> None:
    """A claim without its hypotheses."""
    data["claims"][0]["given"] = []


def deepen(data: Any) -> None:
    """A term so deep that nothing can read it."""
    deep: Any = "x"
    for _ in range(600):
        deep = ["+", deep]
    data["claims"][0]["then"][1] = deep


@pytest.mark.slow
@pytest.mark.coq
def test_every_proof_and_every_refutation_is_accepted(certificates: list[Path], gaptron: Command) -> None:
    done = gaptron("replay", "--coq", *certificates, *BOTH, seconds=600)
    verdicts = [line.split()[0] for line in done.stdout.splitlines()]
    assert (verdicts.count("PROVED"), verdicts.count("REFUTED")) == (len(certificates) - 2, 2), done.stdout
    assert done.returncode == 1


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(QUARTERS)
@pytest.mark.parametrize("first", range(QUARTERS))
def test_every_shipped_certificate_is_accepted(first: int, shipped: Shipped, tmp_path: Path, gaptron: Command) -> None:
    folder = tmp_path / "shipped"
    gaptron("check", "--certificates", folder, "--cache", shipped.cache)
    written = sorted(folder.glob("*.json"))
    assert len(written) == sum(len(theorem["obligations"]) for theorem in shipped.document["theorems"]) > 500
    files = written[first::QUARTERS]
    done = gaptron("replay", "--coq", "--json", *files, seconds=2700)
    said = json.loads(done.stdout)["certificates"]
    assert [one for one in said if one["verdict"] != "PROVED"] == []
    assert len(said) == len(files)
    assert done.returncode == 0


@pytest.mark.slow
@pytest.mark.coq
def test_every_step_of_the_audit_is_accepted(audited: Audited, tmp_path: Path, gaptron: Command) -> None:
    """What claims rest on, and no file states; the statements are derived here."""
    claims = [filed.claim for filed in shipped_entries()[1]]
    grounds = [ground for claim in claims for part in (claim, claim.corrected) if part for ground in part.grounds]
    items = {id(one.item): one.item for one in grounds if isinstance(one, Obligations)}
    with closing(Cache(audited.cache, pytest.fail)) as cache:
        found = check([*items.values()], SECONDS, 2, cache=cache)
    write_certificates(
        tmp_path / "audited",
        [
            (one.item.name, obligation.id, certificate)
            for one in found
            for obligation, certificate in zip(one.obligations, one.certificates, strict=True)
            if certificate is not None
        ],
    )
    files = sorted((tmp_path / "audited").glob("*.json"))
    done = gaptron("replay", "--coq", "--kernel-only", "--json", *files, seconds=2700)
    said = json.loads(done.stdout)["certificates"]
    assert [one for one in said if one["verdict"] not in ("PROVED", "REFUTED")] == []
    assert {one["verdict"] for one in said} == {"PROVED", "REFUTED"}


@pytest.mark.slow
@pytest.mark.coq
def test_a_refutation_where_nothing_fails_is_rejected(
    certificates: list[Path], tmp_path: Path, gaptron: Command
) -> None:
    refuting = next(file for file in certificates if "refutes" in json.loads(file.read_text()))
    index, point = json.loads(refuting.read_text())["refutes"]
    missing = {name: value for name, value in point.items() if name != min(point)}
    wrong = [
        changed(refuting, tmp_path, name, lambda data, at=at: data.update(refutes=[index, at]))
        for name, at in (("elsewhere", dict.fromkeys(point, "-7")), ("missing", missing))
    ]
    done = gaptron("replay", "--coq", "--kernel-only", "--json", *wrong, seconds=600)
    elsewhere, short = (one["reason"] for one in json.loads(done.stdout)["certificates"])
    assert elsewhere == f"claim {index + 1}: the verified kernel does not accept its refutation"
    assert short == f"claim {index + 1}: the point gives a value to each variable, and to nothing else"
    assert done.returncode == 2
    assert gaptron("replay", "--coq", "--kernel-only", refuting, *wrong[:1], seconds=600).returncode == 2
    assert gaptron("replay", "--coq", "--kernel-only", refuting, seconds=600).returncode == 1


@pytest.mark.slow
@pytest.mark.coq
def test_what_is_wrong_is_rejected_and_the_rest_is_not(
    certificates: list[Path], tmp_path: Path, gaptron: Command
) -> None:
    good = next(file for file in certificates if first_summand(json.loads(file.read_text()).get("proofs")) is not None)
    wrong = [changed(good, tmp_path, change.__name__, change) for change in (double, forget, deepen)]
    truncated = tmp_path / "truncated.json"
    truncated.write_text(good.read_text()[:-20])
    done = gaptron("replay", "--coq", "--json", good, *wrong, truncated, *BOTH, seconds=600)
    said = {Path(one["file"]).stem: one for one in json.loads(done.stdout)["certificates"]}
    assert said[good.stem]["verdict"] == "PROVED", said
    assert said["double"]["reason"].startswith("claim 1: ")
    assert {name: one["verdict"] for name, one in said.items() if name != good.stem} == dict.fromkeys(
        ("double", "forget", "deepen", "truncated"), "REJECTED"
    )
    assert done.returncode == 2
    assert gaptron("replay", "--coq", good, *BOTH, seconds=600).returncode == 0


@pytest.mark.slow
@pytest.mark.coq
def test_a_proof_of_another_statement_and_one_without_its_theorem(
    certificates: list[Path], tmp_path: Path, gaptron: Command
) -> None:
    good = next(file for file in certificates if file.name.startswith("squared-hinge.gap-right-1"))
    forged = changed(good, tmp_path, "forged", lambda data: data["about"].update(obligation="gap/wrong/1"))
    done = gaptron("replay", "--coq", forged, *BOTH, seconds=600)
    assert "its statement is not that of the obligation 'gap/wrong/1'" in done.stdout
    assert done.returncode == 2
    assert gaptron("replay", "--coq", good, seconds=600).returncode == 3
    assert gaptron("replay", "--coq", "--kernel-only", good, seconds=600).returncode == 0


@pytest.mark.slow
@pytest.mark.coq
def test_what_takes_too_long_is_undecided(certificates: list[Path], gaptron: Command) -> None:
    done = gaptron("replay", "--coq", "--kernel-only", "--timeout", "0.3", certificates[0], seconds=600)
    assert "took longer than 0.3 s" in done.stdout
    assert done.returncode == 3


def unknown(data: Any) -> None:
    """A rule that no kernel has."""
    data["proofs"][0]["proof"] = {"rule": "magic"}


@pytest.mark.slow
@pytest.mark.coq
def test_what_the_verified_kernel_has_no_words_for_is_rejected(
    certificates: list[Path], tmp_path: Path, gaptron: Command
) -> None:
    good = next(file for file in certificates if "proofs" in json.loads(file.read_text()))
    done = gaptron("replay", "--coq", "--kernel-only", "--json", changed(good, tmp_path, "unknown", unknown))
    (said,) = json.loads(done.stdout)["certificates"]
    assert said["verdict"] == "REJECTED"
    assert said["reason"] == "claim 1: not accepted by the verified kernel: it has no words for the rule magic"
    assert done.returncode == 2


@pytest.mark.slow
def test_without_coqc_it_says_what_to_install(certificates: list[Path], tmp_path: Path, gaptron: Command) -> None:
    done = gaptron("replay", "--coq", "--json", certificates[0], PATH=str(tmp_path))
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"] in done.stderr
    assert "coqc is not installed" in done.stderr


def test_the_help_says_what_is_asked_and_what_is_not_there(gaptron: Command) -> None:
    said = " ".join(gaptron("replay", "--help").stdout.split())
    assert "one coqc computes what the kernel that is proved sound in Coq says of them" in said
    assert "of a refutation it computes at its point that the claim fails there" in said
    assert "What that kernel has no words for is rejected, and named." in said
    assert "with --coq also no coqc" in said
