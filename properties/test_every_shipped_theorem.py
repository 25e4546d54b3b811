"""A few streams for every theorem that is shipped, so that none is without."""

from pathlib import Path

import pytest

from gaptron.testing.assertion import instances
from gaptron.theory.files import load, shipped_files
from gaptron.theory.theorem import Theorem
from properties import bound_of

pytestmark = pytest.mark.slow

EXAMPLES = 4
FILES = [file for file in shipped_files() if "Theorem(" in file.read_text()]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_mistake_bound(file: Path) -> None:
    for theorem in (s.item for s in load(file) if isinstance(s.item, Theorem)):
        for instance in instances(theorem):
            if instance.eta() is not None:
                bound_of.property_of(instance, (), None if bound_of.DEEP else EXAMPLES)()
