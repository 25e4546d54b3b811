"""The kernel in Coq: what it accepts, and that it refuses what is wrong, rule by rule."""

import re
from pathlib import Path

import pytest

from gaptron.coq.compiler import compiled
from gaptron.coq.library import ALLOWED, axioms_in, compiled_library, default_folder, needed_by

pytestmark = [pytest.mark.slow, pytest.mark.coq]

HEADER = """\
From Coq Require Import ZArith QArith List.
From Gaptron Require Import Enclosures.
From Gaptron.kernel Require Import Polynomials Terms Relations Atoms Hypotheses Derivation Intervals Motion Certificate.
Import ListNotations.
Open Scope nat_scope.
"""


def said(text: str, folder: Path) -> str:
    """What Coq prints of a text that uses the kernel."""
    library = compiled_library(needed_by([HEADER]), default_folder())
    return compiled({"Asked.v": HEADER + text}, folder, library)


def test_its_soundness_rests_on_the_axioms_of_the_reals_alone(tmp_path: Path) -> None:
    assert set(axioms_in(said("Print Assumptions check_sound.\n", tmp_path))) == set(ALLOWED)


def test_what_it_proves_is_the_meaning_of_the_claim(tmp_path: Path) -> None:
    printed = said("Check check_sound.\n", tmp_path)
    assert re.sub(r"\s+", " ", printed).strip() == (
        "check_sound : forall (p : cert) (c : claim), check c p = true -> claim_holds c"
    )
