"""Generated streams alone notice mistakes that are planted in the learner; docs/properties.md has the whole table."""

import importlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers

from properties import bound_of, mutants, planted
from properties.mutants import CHEAP_EXAMPLES, EXAMPLES, MUTANTS, PAGE, column, hunted, power, read

FLIPPED, UNWEIGHTED = MUTANTS[:2]
SIX = bound_of.six()


@pytest.mark.few(1)
@pytest.mark.parametrize("name", SIX)
def test_the_flipped_sign_is_noticed(name: str) -> None:
    found = hunted(FLIPPED, SIX[name], 25)
    assert found is not None
    assert found.stream is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Theorem 4", "Theorem 5"])
def test_the_missing_weight_is_noticed(name: str) -> None:
    found = hunted(UNWEIGHTED, SIX[name], EXAMPLES)
    assert found is not None
    assert found.stream is not None


def test_streams_do_not_depend_on_what_else_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not on a module with numbers of its own, of which some draw would be one."""
    numbers = [10**9 + i for i in range(1000)]

    def drawn() -> list[int]:
        found: list[int] = []

        @planted.generated(300)
        @given(one=st.integers(0, 10**12))
        def collect(one: int) -> None:
            found.append(one)

        collect()
        return found

    before = drawn()
    (tmp_path / "loaded_late.py").write_text(f"NUMBERS = {numbers}")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(providers, "_sys_modules_len", None)
    importlib.import_module("loaded_late")
    assert drawn() == before


def test_the_learner_without_a_mistake_is_not_noticed() -> None:
    theorem = SIX["Theorem 2"]
    assert max(mutants.used(mutants.SHIPPED, theorem, stream) for stream in bound_of.drawn(theorem, 20)) <= 1


@pytest.mark.slow
def test_what_is_false_as_printed_is_not_found_by_streams_of_this_size() -> None:
    """If one is found one day, the page has to say so, and the stream becomes an example."""
    for row, theorem in zip(read(PAGE.read_text(), "printed"), mutants.as_printed().values(), strict=True):
        streams, ratio = mutants.found_as_printed(theorem)
        assert row[1] == streams
        assert abs(float(row[2]) - float(ratio)) < 0.05
        assert float(ratio) < 1


@pytest.mark.slow
@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", SIX)
def test_the_page_says_what_is_noticed(name: str) -> None:
    """A ratio may differ by what another version of an optimiser finds."""
    place = list(SIX).index(name) + 1
    for row, found in zip(read(PAGE.read_text(), "mutants"), column(SIX[name]), strict=True):
        written = row[place]
        assert written == found or close(written, found), (row[0], written, found)


def close(*shares: str) -> bool:
    """Whether both are numbers, and alike."""
    if {"", "noticed"} & {*shares}:
        return False
    one, two = map(float, shares)
    return abs(one - two) < 0.05


def test_the_page_says_how_many_mistakes_are_noticed() -> None:
    """The flipped sign everywhere, the missing 1/p' wherever it applies, and half of what else applies."""
    rows = [row[1:] for row in read(PAGE.read_text(), "mutants")]
    assert len(rows) == len(MUTANTS) >= 12
    assert {*rows[0]} == {"noticed"}
    assert rows[1] == ["", "", "", "noticed", "noticed", "noticed"]
    cells = [cell for row in rows[2:] for cell in row if cell]
    assert 2 * cells.count("noticed") >= len(cells)
    assert all(cell == "noticed" or float(cell) <= 1 for cell in cells)


def test_the_page_says_how_many_streams_are_drawn() -> None:
    drawn = (
        f"{CHEAP_EXAMPLES} streams are drawn, else {EXAMPLES}, with bandit feedback also {EXAMPLES // 4} longer ones"
    )
    assert drawn in " ".join(PAGE.read_text().split())


@pytest.mark.slow
@pytest.mark.parametrize("name", SIX)
def test_the_page_says_how_much_power_there_is(name: str) -> None:
    (row,) = [row for row in read(PAGE.read_text(), "power") if row[0] == name]
    for written, found in zip(row[1:], power(SIX[name]), strict=True):
        assert abs(int(written[:-2]) - int(found[:-2])) <= 10
