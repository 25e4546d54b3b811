"""A JSON schema for every ``--json``: documents of today fit, and so do those of the past."""

import json
from pathlib import Path
from typing import Any

import click
import pytest
from conftest import REPOSITORY, Command
from jsonschema import Draft202012Validator

from gaptron.commands.cli import main

pytestmark = pytest.mark.usefixtures("lent")

SCHEMAS = {
    path.name.split(".")[0]: json.loads(path.read_text()) for path in (REPOSITORY / "docs/schemas").glob("*.json")
}
RECORDED = sorted((Path(__file__).parent / "documents").glob("*.json"))
TODAY = [
    ("check", "examples/squared_hinge.py"),
    ("check", "examples/missing.py"),
    ("explain", "squared", "examples/squared_hinge.py"),
    ("explain", "nothing", "examples/squared_hinge.py"),
    ("replay", "examples/squared_hinge.py", "--kernel-only"),
    ("run", "nothere.csv"),
    ("prove", "proofs/colt24/descent.proof", "--replay"),
    ("prove", "nothere.proof"),
    ("check", "examples/own_costs_too_fast.py"),
    ("check", "examples/bandit_too_fast.py"),
    ("check", "examples/not_convex.py"),
    ("audit", "examples/tilted_hinge"),
    ("audit", "examples/missing.py"),
    ("sharpen", "examples/optimal_constants.py", "--classes", "2"),
    ("attack", "examples/squared_hinge.py", "--classes", "2", "--rounds", "2", "--generations", "0"),
    ("run", "synsep", "--rounds", "20"),
]


def problems(verb: str, document: Any) -> list[str]:
    return [error.message for error in Draft202012Validator(SCHEMAS[verb]).iter_errors(document)]


def test_every_verb_with_json_has_a_schema() -> None:
    context = click.Context(main)
    verbs = {name: main.get_command(context, name) for name in main.list_commands(context)}
    assert {name for name, verb in verbs.items() if verb and "--json " in verb.get_help(context)} == set(SCHEMAS)
    for schema in SCHEMAS.values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_documents_of_the_past_stay_valid(path: Path) -> None:
    """They are never recorded anew: whoever kept one can still read it."""
    assert problems(path.stem, json.loads(path.read_text())) == []


@pytest.mark.few(2)
@pytest.mark.parametrize("arguments", TODAY, ids=" ".join)
def test_documents_of_today_are_valid(gaptron: Command, arguments: tuple[str, ...]) -> None:
    document = json.loads(gaptron(*arguments, "--json").stdout)
    assert problems(arguments[0], document) == []


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_document_without_one_of_its_parts_is_not_valid(path: Path) -> None:
    document = json.loads(path.read_text())
    for key in document:
        if key in required(path.stem):
            assert problems(path.stem, {name: value for name, value in document.items() if name != key}), key
    assert problems(path.stem, document | {"schema": 2})


def required(verb: str) -> set[str]:
    schema = SCHEMAS[verb]
    parts = schema.get("anyOf", [schema])[:1]
    return {name for part in parts for name in part["required"]}
