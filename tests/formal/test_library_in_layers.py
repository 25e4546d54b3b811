"""The Coq library in layers: the table of its files is their order, and no file needs a later one."""

import re

from gaptron.coq.library import everything, folder, requirements

HOME = folder()
ORDER = [line for line in (HOME / "_CoqProject").read_text().splitlines() if line.endswith(".v")]


def test_the_table_has_every_file_once_in_the_order_of_the_project() -> None:
    rows = re.findall(r"^\| (`.*?`) \|", (HOME / "README.md").read_text().partition("| files")[2], flags=re.MULTILINE)
    named = [f"{name}.v" for row in rows for name in re.findall(r"`([\w/]+)`", row)]
    assert [name for name in named if name in everything()] == ORDER
    assert set(ORDER) == {name for name in everything() if not name.startswith("exported/")}


def test_no_file_needs_a_later_one() -> None:
    texts = everything()
    for place, name in enumerate(ORDER):
        assert not {f"{one}.v" for one in requirements(texts[name])} & {*ORDER[place:]}, name
