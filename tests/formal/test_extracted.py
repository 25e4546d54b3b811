"""What is run of Coq's functions is what it extracts; GAPTRON_RECORD=1 writes ``gaptron/coq/obligations.json`` anew."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from gaptron.coq.extracted import EXTRACTED, of_coq
from gaptron.coq.kernel_data import Pair
from gaptron.coq.library import compiled

ASKED = (
    "closure", "loss_parts", "joined", "lower", "losses_of", "claims_of_loss", "theorems_of_pieces", "sharply",
    "pieces_of_likely", "need_of", "about_lead", "obligations", "softmax_obligations", "exploring_obligations",
    "attained_obligations", "decoded_obligations", "likely_obligations", "lead_obligations", "scored_obligations",
)  # fmt: skip
FILE = f"""Require Import Extraction.
From Gaptron Require Import WrittenFunctions Obligations.
Extraction Language JSON.
Extraction "extracted" {" ".join(ASKED)}.
"""
KEPT = ("func", "argnames", "name", "nameval", "args", "body")


def compact(extracted: Any) -> dict[str, Any]:
    """Coq's terms by name, without types; lists for dictionaries."""
    terms = (one for each in extracted["declarations"] for one in each.get("fixlist", [each]))
    return {one["name"]: small(one["value"]) for one in terms if "value" in one}


def small(term: Any) -> Any:
    if isinstance(term, list):
        return [small(each) for each in term]
    if not isinstance(term, dict):
        return term
    kind = term["what"].removeprefix("expr:")
    if kind == "rel":
        return term["name"]
    if kind == "case":
        ways = [(one["pat"], one["body"]) for one in term["cases"]]
        cases = [[way.get("name", "_"), way.get("argnames", []), small(body)] for way, body in ways]
        return [kind, small(term["expr"]), cases]
    return [kind, *(small(term[field]) for field in KEPT if field in term)]


@pytest.mark.slow
@pytest.mark.coq
def test_what_is_run_is_what_coq_extracts(library: Path, tmp_path: Path) -> None:
    compiled({"Extract.v": FILE}, tmp_path, library)
    (written,) = tmp_path.rglob("extracted.json")
    text = json.dumps(compact(json.loads(written.read_text())), separators=(",", ":")) + "\n"
    if os.environ.get("GAPTRON_RECORD"):
        EXTRACTED.write_text(text)
    assert EXTRACTED.read_text() == text


def test_whatever_is_asked_for_is_extracted() -> None:
    """Also what stands in the file only because something else needs it."""
    text = "".join(file.read_text(encoding="utf-8") for file in EXTRACTED.parent.rglob("*.py"))
    asked = {*re.findall(r'of_coq\("(\w+)"\)', text), *re.findall(r'computes = .*"(\w+)"\n', text)}
    assert {"mirrored", "obligations", "scored_obligations"} <= asked
    assert all(map(of_coq, sorted(asked)))


X, ONE = ("Var", 0), ("Int", 1)


@pytest.mark.parametrize(
    ("data", "slope"),
    [
        (("Pow", X, 3), ("Mul", ("Int", 3), ("Pow", X, 2))),
        (("Inv", ("Pow", X, 2)), ("Mul", ("Int", -2), ("Inv", ("Pow", X, 3)))),
        (("Root", X, 2), ("Mul", ("Rat", 1, 3), ("Mul", ("Root", X, 2), ("Inv", X)))),
        (("Mul", ("Rat", 5, 8), ("Add", X, ("Exp", ("Var", 1)))), ("Rat", 5, 8)),
    ],
    ids=str,
)
def test_numbers_are_numbers(data: Any, slope: Any) -> None:
    assert of_coq("derived")(data) == slope


def test_lists_and_pairs_are_lists_and_pairs() -> None:
    least = ("Smaller", ("Smooth", X), ("Smooth", ONE))
    below, above = (Pair([Pair(Pair(sign, X), ONE)], value) for sign, value in (("Le", X), ("Ge", ONE)))
    assert of_coq("parts_of")(least) == [below, above]
    assert of_coq("closure")([Pair(Pair("Lt", X), ONE), Pair(Pair("Lt", ("Var", 2)), ONE)]) == [
        Pair(Pair("Le", X), ONE),
        Pair(Pair("Lt", ("Var", 2)), ONE),
    ]


def test_what_is_no_data_is_refused_and_what_is_not_extracted_is_not_there() -> None:
    with pytest.raises(ValueError, match="no case for"):
        of_coq("parts_of")(("Sine", X))
    with pytest.raises(KeyError):
        of_coq("not_there")
