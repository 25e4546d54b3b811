"""What is said while constants are searched for."""

import pytest
from conftest import REPOSITORY

from gaptron.answers.sharpening import class_counts, engine, sharpenable, sharpened
from gaptron.checking.cache import default_path
from gaptron.constants.report import Result
from gaptron.system.progress import Progress
from gaptron.theory.files import FileError

FILE = REPOSITORY / "examples" / "squared_hinge.py"

pytestmark = pytest.mark.usefixtures("lent")


@pytest.mark.slow
def test_constants_are_counted_as_they_are_certified() -> None:
    said: list[str] = []
    shown, results = Progress("obligations", lambda done, total, what: said.append(what)), list[Result]()
    with engine(20.0, default_path(), 2, shown) as deciding:
        assert not sharpened(sharpenable(FILE), [2, 3], deciding, results, shown)
    counts = [what for what in dict.fromkeys(said) if "constants" in what]
    assert counts[0] != counts[-1] == "squared hinge: 8 of 8 constants certified"


def test_numbers_of_classes_are_read_strictly() -> None:
    assert class_counts("2-4,10") == [2, 3, 4, 10]
    for text in ("1", "4-2", "x", "", "2-", "9999999", "٣"):
        with pytest.raises(ValueError, match="a number from 2 to 1000"):
            class_counts(text)


def test_what_has_another_name_is_told_what_there_is() -> None:
    with pytest.raises(FileError, match="it holds 'squared hinge'"):
        sharpenable(FILE, "squred hinge")
