"""A few streams for every theorem that is shipped, so that none is without."""

import pytest

from gaptron.files import load, shipped_files
from gaptron.testing.assertion import instances
from gaptron.theorem import Theorem
from properties import bound_of

EXAMPLES = 4
THEOREMS = {
    statement.item.name: statement.item
    for file in shipped_files()
    for statement in load(file)
    if isinstance(statement.item, Theorem)
}


@pytest.mark.parametrize("theorem", THEOREMS.values(), ids=list(THEOREMS))
def test_mistake_bound(theorem: Theorem) -> None:
    for instance in instances(theorem):
        if instance.eta() is not None:
            bound_of.property_of(instance, (), None if bound_of.DEEP else EXAMPLES)()
