"""What stays as it is unless a sentence says why: verdicts, rates, regrets, gaps, and what each learner computes.

GAPTRON_RECORD=1 GAPTRON_WHY="One sentence." python -m pytest tests/golden -m slow writes record.json anew. Its
``changes`` are these sentences, each with the digest of what is recorded since.
"""

import json
import math
import os
from collections.abc import Iterable, Iterator
from copy import deepcopy
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp
from conftest import REPOSITORY, Audited, Command, Shipped
from degenerate.generate import generate
from degenerate.write import theorem_file

from gaptron import GapMap, Gaptron, MarginLoss, StructuredTheorem, Theorem, learners
from gaptron.learners.structured_prediction import StructuredGaptron
from gaptron.structured import Classes, Cost, Cube, Hamming, SquaredNorm, ZeroOne
from gaptron.symbols import K, d, m

RECORD = Path(__file__).with_name("record.json")
PARTS = ("learners", "theorems", "examples", "degenerate", "claims")
SMALL = 50  # operations, names and numbers of a degenerate file
SAMPLED = 4  # degenerate files of the default run
SAMPLED_FILES = ("examples/hinge_too_fast.py", "examples/hole.py", "proofs/gaptron/theorem2_hinge.py")
SHOWN = 4  # differences of an item
Item = dict[str, Any]
Items = dict[str, Item]


# --- learners: twelve rounds ----------------------------------------------------------------------------------------

POINTS = [("3/5", "4/5"), ("1", "0"), ("-3/5", "4/5"), ("0", "-1"), ("4/5", "3/5"), ("-4/5", "-3/5"), ("3/5", "-4/5"),
          ("0", "1/2")]  # fmt: skip
STREAM = [tuple(map(Fraction, point)) for point in POINTS + POINTS[:4]]
LABELS = np.array([0, 0, 1, 2, 1, 2, 0, 1, 0, 0, 1, 2])  # those of one W, but for the fifth
SEED = 2
HALF = Fraction(1, 2)
STEEP = Theorem(
    name="steep", loss=MarginLoss(sp.Max(1 - 2 * m, 0) ** 2), gap_map=GapMap(sp.Max(1 - 2 * m, 0) ** 2),
    learning_rate=1 / (16 * K),
)  # fmt: skip
STRUCTURED = {
    "classes": (Classes(), ZeroOne(), 4),
    "classes with costs": (Classes(), Cost([[0, 1, 3], [2, 0, 1], [1, 1, 0]]), 8),
    "cube": (Cube(), Hamming(), 8 / d),
    "cube, 0-1": (Cube(), ZeroOne(), 8),
}


def gaptrons() -> Iterator[tuple[str, Any]]:
    """Gaptron and its variants with each loss that has a name."""
    for loss in ("logistic", "hinge", "smooth hinge"):
        yield f"Gaptron, {loss}", Gaptron(3, 2, loss=loss, seed=SEED)
        yield f"Gaptron, {loss}, rate 2", Gaptron(3, 2, loss=loss, learning_rate=2, seed=SEED)
        bandit: Item = {"loss": loss, "feedback": "bandit", "seed": SEED}
        yield f"Gaptron, {loss}, bandit", Gaptron(3, 2, radius=2, horizon=9000, **bandit)
        yield f"Gaptron, {loss}, bandit, rate 2", Gaptron(3, 2, learning_rate=2, exploration=0.25, **bandit)
        yield f"Gaptron, {loss}, projected", Gaptron(3, 2, loss=loss, radius=1, learning_rate=2, seed=SEED)
        yield f"Gaptron, {loss}, fair ties", Gaptron(3, 2, loss=loss, ties="fair", seed=SEED)
        yield f"Gaptron, {loss}, best decoder", Gaptron(3, 2, loss=loss, decoder="best", seed=SEED)
        yield f"Gaptron, {loss}, proximal", Gaptron(3, 2, loss=loss, update="proximal", seed=SEED)
        yield f"AbstainingGaptron, {loss}", learners.AbstainingGaptron(3, 2, loss=loss, seed=SEED)
    for loss in ("hinge", "smooth hinge"):
        exact: Item = {"loss": loss, "exact": True, "seed": SEED}
        yield f"Gaptron, {loss}, exact", Gaptron(3, 2, **exact)
        yield f"Gaptron, {loss}, bandit, exact", Gaptron(3, 2, feedback="bandit", exploration=HALF, **exact)
        yield f"Gaptron, {loss}, best decoder, exact", Gaptron(3, 2, decoder="best", **exact)
        yield f"Gaptron, {loss}, proximal, exact", Gaptron(3, 2, update="proximal", **exact)
    for loss in ("smooth hinge", "squared hinge"):
        yield f"BinaryGaptron, {loss}", learners.BinaryGaptron(2, loss=loss, seed=SEED)
        yield f"BinaryGaptron, {loss}, exact", learners.BinaryGaptron(2, loss=loss, exact=True, seed=SEED)
        yield f"BinaryGaptron, {loss}, proximal", learners.BinaryGaptron(2, loss=loss, update="proximal", seed=SEED)
        yield f"FTRLGaptron, {loss}", learners.FTRLGaptron(2, loss=loss, seed=SEED)
    yield "ProximalLogistic", learners.ProximalLogistic(3, 2, seed=SEED)
    yield "Gaptron, a theorem's loss, exact", Gaptron(3, 2, loss=STEEP, exact=True, seed=SEED)


def others() -> Iterator[tuple[str, Any]]:
    """The baselines, and the learners of the notes."""
    for exact in (False, True):
        how = ", exact" if exact else ""
        yield f"Perceptron{how}", learners.Perceptron(3, 2, exact=exact, seed=SEED)
        yield f"Banditron{how}", learners.Banditron(3, 2, exploration=HALF, exact=exact, seed=SEED)
        for diagonal in (False, True):
            both = ", diagonal" * diagonal + how
            yield f"SecondOrderPerceptron{both}", learners.SecondOrderPerceptron(3, 2, diagonal=diagonal, exact=exact)
            yield f"SOBA{both}", learners.SOBA(3, 2, exploration=HALF, diagonal=diagonal, exact=exact, seed=SEED)
    yield "SOBA, adaptive", learners.SOBA(3, 2, adaptive=True, seed=SEED)
    yield "Newtron", learners.Newtron(3, 2, exploration=0.5, seed=SEED)
    yield "Newtron, diagonal", learners.Newtron(3, 2, exploration=0.5, diagonal=True, seed=SEED)
    yield "OnlineNewtonStep", learners.OnlineNewtonStep(3, 2, radius=2, seed=SEED)
    yield "OnlineNewtonStep, softmax", learners.OnlineNewtonStep(3, 2, beta=0.5, decoder="softmax", seed=SEED)
    yield "Aggregating", learners.Aggregating(3, 1, grid=5, seed=SEED)
    yield "Aggregating, softmax", learners.Aggregating(2, 1, radius=4, grid=7, decoder="softmax", seed=SEED)
    yield "AbstainingAdaHedge", learners.AbstainingAdaHedge(2, seed=SEED)
    pool = np.random.default_rng(SEED).normal(size=(60, 3, 2))
    yield "BiasedHalving", learners.BiasedHalving(3, 2, pool=pool, alpha=0.3, seed=SEED)
    yield "Cone", learners.Cone(3, 2, threshold=0.1, seed=SEED)
    star = [[1, 0], [-1, 1], [0, -1]]
    yield "BanditGradientDescent", learners.BanditGradientDescent(3, 2, W_star=star, epsilon=0.3, seed=SEED)
    yield "ExpConcaveBandit", learners.ExpConcaveBandit(3, 2, exploration=0.5, newton_rate=0.1, seed=SEED)


def played(learner: Any) -> Item:
    """What a learner said in the twelve rounds, and knew in the end; exact ones play eight, as fractions grow."""
    exact = getattr(learner, "exact", False)
    points = np.array(STREAM, dtype=object if exact else float)[: 8 if exact else None, : learner.n_features]
    run = learner.run(points, LABELS[: len(points)] % learner.n_classes, compiled=False)
    shown = {name: getattr(learner, name, None) for name in ("learning_rate", "exploration", "W")}
    shown |= {name: getattr(run, name, None) for name in ("mistakes", "expected_mistakes", "expected_cost")}
    shown |= {name: getattr(run, name) for name in ("label_probability", "loss")}
    return {name: plain(value) for name, value in shown.items() if value is not None}


def played_structured(outputs: Any, target: Any, coefficient: Any, update: str) -> Item:
    """The same of a structured learner, with what it expects to pay."""
    rate = {"learning_rate": HALF} if update == "gradient" else {"regret": coefficient}
    theorem = StructuredTheorem(
        name="played", outputs=outputs, target=target, entropy=SquaredNorm(), coefficient=coefficient, update=update,
        **rate,
    )  # fmt: skip
    learner, rounds = StructuredGaptron(theorem, 3, 2, seed=SEED), []
    for x, label in zip(np.array(STREAM, dtype=float), LABELS.tolist(), strict=True):
        rounds.append([learner.loss(x, label), learner.expected_target(x, label), *learner.predict(x)])
        learner.update(x, label)
    return {"eta": plain(learner.eta), "rounds": plain(np.array(rounds)), "W": plain(learner.W)}


def plain(value: Any) -> Any:
    """Numbers as JSON has them: fractions in full, doubles to twelve decimals, null for what is not a number."""
    if isinstance(value, np.ndarray | list):
        return [plain(part) for part in value]
    if isinstance(value, int | Fraction | np.integer):
        return int(value) if value == int(value) else str(value)
    return None if math.isnan(value) else round(float(value), 12) + 0.0


def all_played() -> Items:
    found = {name: played(learner) for name, learner in (*gaptrons(), *others())}
    for name, about in STRUCTURED.items():
        for update in ("gradient", "proximal"):
            found[f"StructuredGaptron, {name}, {update}"] = played_structured(*about, update)
    return found


# --- verdicts -------------------------------------------------------------------------------------------------------

STATED = ("verdict", "learning_rate", "regret", "scale", "coefficient", "update")
CLAIMED = ("verdict", "kind", "severity", "rough", "argument", "corrected_verdict")
MEASURED = ("obligation", "K", "gap", "fails", "values", "left", "right")


def measured(witness: Item | None) -> Item:
    return {"witness": {name: witness[name] for name in MEASURED if name in witness}} if witness else {}


def place(file: str | Path) -> str:
    return "/".join(Path(file).parts[-2:])


def stated(row: Item) -> Item:
    """A row of ``check --json`` without what depends on the machine."""
    ruled: dict[str, list[str]] = {}
    for obligation in row["obligations"]:
        ruled.setdefault(obligation["verdict"], []).append(obligation["id"])
    said = {name: row[name] for name in STATED if row.get(name)}
    return said | {"obligations": ruled} | measured(row["witness"])


def theorems(rows: list[Item]) -> Items:
    found = {f"{place(row['file'])}: {row['name']}": stated(row) for row in rows}
    assert len(found) == len(rows)
    return found


def checked(files: list[Path], gaptron: Command) -> Items:
    """The theorems of the files; a file without one is refused."""
    rows = json.loads(gaptron("check", *files, "--json").stdout)["theorems"]
    refused = {*map(place, files)} - {place(row["file"]) for row in rows}
    return theorems(rows) | {file: {"verdict": "refused"} for file in refused}


def degenerate(recorded: Iterable[str], folder: Path, gaptron: Command) -> Items:
    """Files from the seeds that are recorded: the first 300 decided in a second, so that no verdict is a limit's."""
    files = [folder / name.split(":")[0] for name in recorded]
    files[0].parent.mkdir()
    for file in files:
        file.write_text(theorem_file(generate(int(file.stem), SMALL).described))
    texts = {place(file): digest(file.read_text()) for file in files}  # another file is not another verdict
    return {name: {"text": texts[name.split(":")[0]]} | item for name, item in checked(files, gaptron).items()}


def claim(row: Item) -> Item:
    """A row of ``audit --json`` likewise."""
    constants = {about["name"]: [about["printed"], about["best"], about["sharp"]] for about in row["constants"]}
    said = {name: row[name] for name in CLAIMED if row[name]}
    return said | ({"constants": constants} if constants else {}) | measured(row["witness"])


# --- the record -----------------------------------------------------------------------------------------------------


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def content(record: dict[str, Any]) -> dict[str, Items]:
    return {part: record.get(part, {}) for part in PARTS}


def written(record: dict[str, Any]) -> str:
    """A line for each change and item."""
    dump, blocks = json.JSONEncoder(ensure_ascii=False).encode, []
    for part, items in record.items():
        is_list = isinstance(items, list)
        lines = map(dump, items) if is_list else (f"{dump(name)}: {dump(items[name])}" for name in sorted(items))
        blocks.append(f"{dump(part)}: {'{['[is_list]}\n" + ",\n".join(lines) + f"\n{'}]'[is_list]}")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


def leaves(item: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """What stands in an item and where; of obligations, each one's verdict."""
    if isinstance(item, dict):
        for name, value in item.items():
            if name == "obligations" and isinstance(value, dict):  # one is named so, where none could be derived
                value = {i: verdict for verdict, ids in value.items() for i in ids}
            yield from leaves(value, f"{path}, {name}" if path else name)
    elif isinstance(item, list):
        for index, value in enumerate(item):
            yield from leaves(value, f"{path}[{index}]")
    else:
        yield path, item


def same(one: Any, other: Any) -> bool:
    """Doubles may differ by what another processor rounds."""
    if isinstance(one, float) or isinstance(other, float):
        numbers = isinstance(one, int | float) and isinstance(other, int | float)
        return numbers and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == other)


def difference(recorded: Item, found: Item) -> str:
    """Where an item is not as recorded: the first places."""
    old, new = dict(leaves(recorded)), dict(leaves(found))
    both = [(where, old.get(where, "nothing"), new.get(where, "nothing")) for where in {**old, **new}]
    said = [f"{where}: {before} -> {after}" for where, before, after in both if not same(before, after)]
    return "; ".join(said[:SHOWN]) + (f"; {len(said) - SHOWN} more" if len(said) > SHOWN else "")


def differences(recorded: Items, found: Items) -> dict[str, str]:
    """What is different, by the names of items."""
    said = dict.fromkeys(recorded.keys() - found.keys(), "recorded, and not found")
    said |= dict.fromkeys(found.keys() - recorded.keys(), "found, and not recorded")
    said |= {name: difference(recorded[name], found[name]) for name in recorded.keys() & found.keys()}
    return {name: said[name] for name in sorted(said) if said[name]}


def renewed(record: dict[str, Any], found: dict[str, Items], why: str) -> dict[str, Any]:
    """The record with what was found, and why; what is the same stays to the digit."""
    assert why.endswith("."), "GAPTRON_WHY must be a sentence that says why the record changes"
    new = {}
    for part, items in content(record).items():
        changed = differences(items, found[part])
        new[part] = found[part] | {name: item for name, item in items.items() if name not in changed}
    return {"changes": [*record["changes"], [digest(written(new)), why]], **new}


def read() -> dict[str, Any]:
    record: dict[str, Any] = json.loads(RECORD.read_text())
    return record


def judge(recorded: dict[str, Items], found: dict[str, Items]) -> None:
    said = {part: differences(recorded[part], items) for part, items in found.items()}
    lines = [f"{part}, {name}: {difference}" for part, items in said.items() for name, difference in items.items()]
    if lines:
        pytest.fail(f"not as in {RECORD.name}:\n" + "\n".join(lines), pytrace=False)


@pytest.mark.slow
@pytest.mark.usefixtures("lent")
def test_nothing_recorded_has_changed(shipped: Shipped, audited: Audited, gaptron: Command, tmp_path: Path) -> None:
    record = read()
    found = {
        "learners": all_played(),
        "theorems": theorems(shipped.document["theorems"]),
        "examples": checked(sorted((REPOSITORY / "examples").glob("*.py")), gaptron),
        "degenerate": degenerate(record["degenerate"], tmp_path, gaptron),
        "claims": {row["id"]: claim(row) for row in audited.document["claims"]},
    }
    if os.environ.get("GAPTRON_RECORD") and any(differences(record.get(part, {}), found[part]) for part in PARTS):
        record = renewed(record, found, os.environ.get("GAPTRON_WHY", ""))
        RECORD.write_text(written(record))
    judge(record, found)


@pytest.mark.slow
@pytest.mark.usefixtures("lent")
def test_some_of_what_is_recorded_has_not_changed(gaptron: Command, tmp_path: Path) -> None:
    record = read()
    found = checked([REPOSITORY / file for file in SAMPLED_FILES], gaptron)
    found |= degenerate(list(record["degenerate"])[:SAMPLED], tmp_path, gaptron)
    recorded = record["theorems"] | record["examples"] | record["degenerate"]
    judge({"sample": {name: recorded[name] for name in recorded if name in found}}, {"sample": found})


@pytest.mark.slow
def test_every_learner_computes_what_is_recorded() -> None:
    found = all_played()
    assert {name.split(",")[0] for name in found} == {*learners.__all__, "StructuredGaptron"}
    judge(read(), {"learners": found})


def test_the_last_sentence_is_about_what_is_recorded() -> None:
    record = read()
    assert record["changes"][-1][0] == digest(written(content(record))), "change it with GAPTRON_RECORD=1"
    assert RECORD.read_text() == written(record)


def test_the_record_changes_with_a_sentence_only() -> None:
    record = read()
    found = content(record) | {"claims": {"another": {"verdict": "PROVED"}}}
    with pytest.raises(AssertionError, match="GAPTRON_WHY must be a sentence"):
        renewed(record, found, "")
    changed = renewed(record, found, "Another claim.")
    assert content(changed) == found
    assert [why for _, why in changed["changes"]] == [*(why for _, why in record["changes"]), "Another claim."]
    assert changed["changes"][-1][0] not in {known for known, _ in record["changes"]}


@pytest.mark.few(2)
@pytest.mark.parametrize("part", PARTS)
def test_a_place_that_differs_is_named(part: str) -> None:
    record = read()
    found = deepcopy(content(record))
    name, item = next(iter(found[part].items()))
    where, before = next(iter(leaves(item)))
    item[next(iter(item))] = "other"
    with pytest.raises(pytest.fail.Exception) as failed:
        judge(record, found)
    assert str(failed.value) == f"not as in record.json:\n{part}, {name}: {where}: {before} -> other"
    del found[part][name]
    with pytest.raises(pytest.fail.Exception, match="recorded, and not found"):
        judge(record, found)


def test_an_obligation_that_differs_is_named() -> None:
    before, after = {"PROVED": ["gap/right/1", "gap/wrong/1"]}, {"PROVED": ["gap/right/1"], "REFUTED": ["gap/wrong/1"]}
    found = differences({"hinge": {"obligations": before}}, {"hinge": {"obligations": after}})
    assert found == {"hinge": "obligations, gap/wrong/1: PROVED -> REFUTED"}
