"""Names of older versions: each says in one sentence what has taken its place, to people and in a theorem file."""

from pathlib import Path

import pytest
from conftest import Command

import gaptron as package

GONE = ("Argument", "Average", "Cases", "Cite", "Derived", "Let", "Put", "Rounds", "Use", "When", "stated")
CLAIM = 'Claim(id="my/one", source="p. 1", statement="one", grounds=NotCheckable("prose")'


@pytest.mark.parametrize("name", GONE)
def test_a_name_that_is_gone_says_what_has_taken_its_place(name: str) -> None:
    with pytest.raises(AttributeError, match=f"^{name} is gone: .*docs/proof_files.md") as asked:
        getattr(package, name)
    with pytest.raises(ImportError, match=f"^{name} is gone: ") as imported:
        __import__("gaptron", fromlist=[name])
    assert str(asked.value) == str(imported.value)
    assert not hasattr(package, name)
    assert name not in package.__all__


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("from gaptron import Argument, Claim", "mine.py:1: Argument is gone: a proof stands in a .proof file"),
        ("import gaptron\none = gaptron.Let(1, 2)", "mine.py:2: AttributeError: Let is gone: write `let NAME = TERM`"),
        ("from gaptron.theory.compose import compose", "mine.py:1: gaptron.theory.compose is gone: a proof stands in"),
        ("from gaptron.theory import facts", "mine.py:1: gaptron.theory.facts is gone: a proof stands in"),
        (f"one = {CLAIM}, recorded='PROVED', argument=1)", "Claim has no argument 'argument': a proof stands in"),
        (f"one = {CLAIM}, recorded='PROVED', composes=1)", "Claim has no argument 'composes': a proof stands in"),
        ("one = Constant(name='c', printed=1, of=1)", "Constant has no argument 'of': the conclusion of the proof"),
        (f"one = {CLAIM})", "Claim has no recorded: write recorded="),
    ],
)
def test_a_file_that_uses_one_is_one_sentence(gaptron: Command, tmp_path: Path, text: str, said: str) -> None:
    head = "" if "import" in text else "from gaptron import Claim, Constant, NotCheckable\n"
    (tmp_path / "mine.py").write_text(f"{head}{text}\n")
    done = gaptron("audit", tmp_path / "mine.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
