"""``gaptron plot``: an offline page with K as a slider, or an image."""

import json
import re
import sys
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import REPOSITORY, Command, is_one_sentence

from gaptron.commands.plot import plot
from gaptron.system.extras import install

PAPER = REPOSITORY / "examples" / "tilted_hinge" / "paper.py"


def figures(page: Path) -> list[dict[str, list[object]]]:
    return [json.loads(unescape(text)) for text in re.findall(r'data-plot="([^"]*)"', page.read_text())]


def test_the_page_has_every_theorem_and_says_where_the_gap_is_positive(gaptron: Command, tmp_path: Path) -> None:
    done = gaptron("plot", PAPER, "--classes", "2-4", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "paper.html: 2 drawn\n")
    true, false = figures(tmp_path / "paper.html")
    assert (true["size"], true["sizes"]) == ("K", [2, 3, 4])
    assert all("at most 0" in str(said) for said in true["says"])
    assert [str(said).split(",")[0] for said in false["says"]] == [
        "K = 2: largest 0.5", "K = 3: largest 0.333333", "K = 4: largest 0.25"]  # fmt: skip
    assert len({str(paths) for paths in false["lines"]}) == 3


def test_a_page_asks_for_nothing_and_escapes_what_it_shows(gaptron: Command, tmp_path: Path) -> None:
    file = tmp_path / "hostile.py"
    text = (REPOSITORY / "examples" / "squared_hinge.py").read_text()
    file.write_text(text.replace('squared hinge"', "</figure><script>alert(1)</script>'{{ 7*7 }}\\x1b[2J\""))
    assert gaptron("plot", file, "--out", tmp_path / "page.html").returncode == 0
    page = (tmp_path / "page.html").read_text()
    assert "<script>alert" not in page
    assert "\x1b" not in page
    assert "{{ 7*7 }}" in page
    assert "default-src 'none'" in unescape(page)
    assert not re.search(r"https?://(?!www\.w3\.org)|@import|url\(|<link|<iframe", page)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["svg", "png"])
def test_an_image_is_drawn(gaptron: Command, tmp_path: Path, ending: str) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / f"out.{ending}"
    assert gaptron("plot", PAPER, "--out", out, "--only", "Theorem 2").stdout == f"{out}: 1 drawn\n"
    start = {"svg": b"<?xml", "png": b"\x89PNG"}[ending]
    assert out.read_bytes().startswith(start)
    if ending == "svg":
        assert b"margin m of the true label" in out.read_bytes() or b"largest gap" in out.read_bytes()


def test_an_image_without_matplotlib_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = CliRunner().invoke(plot, [str(PAPER), "--out", str(tmp_path / "out.png")])
    assert (done.exit_code, done.stdout) == (2, "")
    assert is_one_sentence(done.stderr)
    assert f"out.png: an image needs matplotlib: {install('plot')}; " in done.stderr
    assert not (tmp_path / "out.png").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("examples/literature/fenchel_young.py", "--only", "permutahedron", "--classes", "9"),
            "362880 outputs are too",
        ),
        (("examples/missing.py",), "does not exist"),
        (("examples/squared_hinge.py", "--out", "out.jpeg"), "its ending must be one of .html"),
        (("examples/squared_hinge.py", "--margins", "1", "2"), "a number below 0 and one above 0 are needed"),
        (("examples/squared_hinge.py", "--margins", "nan", "2"), "a number below 0 and one above 0 are needed"),
        (("examples/squared_hinge.py", "--classes", "1"), "--classes 1: a number from 2"),
        (("examples/two_classes.py", "--classes", "7"), "is claimed for none of these numbers of classes"),
    ],
)
def test_what_cannot_be_drawn_is_named(gaptron: Command, arguments: tuple[str, ...], said: str) -> None:
    done = gaptron("plot", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_structured_theorem_is_drawn_with_what_breaks_it(gaptron: Command, tmp_path: Path) -> None:
    done = gaptron("plot", "examples/multilabel_small.py", "--out", tmp_path / "drawn.html")
    assert (done.returncode, done.stderr) == (0, "")
    page = (tmp_path / "drawn.html").read_text()
    assert "size = 4: largest" not in page
    assert "d = 4: largest" in page
    assert (
        "above 0, the inequality fails: d=4, 1/2 on (0, 0, 0, 0), 1/2 on (0, 0, 0, 1): every prediction costs 1/8"
        in page
    )
    assert 'class="line bad"' in page
