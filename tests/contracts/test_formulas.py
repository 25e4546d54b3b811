"""The site typesets the formulas that pages have as plain text: docs/site/formulas.py."""

import re
import runpy
from pathlib import Path

import pytest
from conftest import REPOSITORY
from latex2mathml.converter import convert

DOCS = REPOSITORY / "docs"
FORMULAS = runpy.run_path(str(DOCS / "site" / "formulas.py"))
page, docstring = FORMULAS["page"], FORMULAS["docstring"]
PAGES = [REPOSITORY / "README.md", *sorted(DOCS.glob("*.md")), *sorted((DOCS / "errata").glob("*.md"))]
DOLLARS = re.compile(r"\$\$(.+?)\$\$|\$([^$]+)\$", re.DOTALL)


@pytest.mark.parametrize(
    ("text", "typeset"),
    [
        ("at most K X^2 ||U||^2/(2 (1 - beta)).", r"at most $KX^{2}\lVertU\rVert^{2}/(2(1-\beta))$."),
        ("E[mistakes] <= sum l_t(U), then", r"$\mathbb{E}[\text{mistakes}]\le\suml_{t}(U)$, then"),
        ("1/(K + 1) &lt;= beta", r"$1/(K+1)\le\beta$"),
        ("P(wrong | y) = max(0, 1 - e_y)", r"$\mathbb{P}(\text{wrong}\midy)=\max(0,1-e_{y})$"),
        (r"the map a = 1 - m\*_t", "the map $a=1-m^*_{t}$"),
        ("sqrt(2 K^(n - 1))", r"$\sqrt{2K^{n-1}}$"),
        ("z = \\<w, x_t>, w <- w - eta z", r"$z=\langlew,x_{t}\rangle$, $w\leftarroww-\etaz$"),
        ("1 + z'A^{-1}z", "$1+z'A^{-1}z$"),
        ("log2 p_y of v = e_y (x) x", r"$\log_2p_{y}$ of $v=e_{y}\otimesx$"),
        ("| `K/(8*log(2)**2)`, sharp |", r"| $\frac{K}{8\ln{\left(2\right)}^{2}}$, sharp |"),
        ("so\n\n    c <= max_m loss(m)\n\n", "so\n\n$$c\\le\\max_{m}\\text{loss}(m)$$\n\n"),
    ],
)
def test_a_formula_is_typeset(text: str, typeset: str) -> None:
    assert DOLLARS.sub(lambda found: re.sub(r"\s", "", found[0]), page(text)) == typeset


@pytest.mark.parametrize(
    "text",
    ["a K that is large", "Theorem 2, a T-round game", "`x_t <= 1` is code", "$x_t$ is TeX", "# X^2 in a title",
     "[x_t](y_t)", "```text\nx_t = 1\n```", "| `gaptron/t6-bound` |", "12 of 200 streams", "don't"],
)  # fmt: skip
def test_what_is_no_formula_stays(text: str) -> None:
    assert page(text) == text


@pytest.mark.few(11)
@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(REPOSITORY)))
def test_every_formula_of_a_page_is_understood(file: Path) -> None:
    text = re.sub(r"```.*?```", "", page(file.read_text()), flags=re.DOTALL)
    for block, inline in DOLLARS.findall(text):
        made = convert(block or inline)
        assert not re.search(r"\\|&#x0005C;", made), block or inline


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("at most K X^2 of them", r"at most \ :math:`KX^{2}`\  of them"),
        ("eta : number > 0", "eta : number > 0"),
        ("  d. Not a list", r"  \d. Not a list"),
        ("*rows, W_ : arrays", r"\*rows, W\_ : arrays"),
        ("``x_t`` times |z|", r"``x_t`` times \|z\|"),
        (">>> 2 * K\n2*K\n\n2* K^2", ">>> 2 * K\n2*K\n\n2\\* \\ :math:`K^{2}`\\ "),
    ],
)
def test_a_docstring_is_typeset(text: str, marked: str) -> None:
    made = "\n".join(docstring(text.split("\n")))
    assert re.sub("`.+?`", lambda found: found[0].replace(" ", ""), made) == marked
