"""The documentation site: ``make docs``. Pages are Markdown in docs/; what pages.py writes is in docs/generated/."""

import re
import sys
from pathlib import Path

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

import gaptron

sys.path.insert(0, str(Path(__file__).parent))
import formulas

project = "gaptron"
author = copyright = "the gaptron authors"
release = version = gaptron.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
include_patterns = ["*.md", "errata/*.md", "generated/*.md", "generated/notebooks/*.ipynb"]
html_theme = "furo"
html_title = "gaptron"
html_extra_path = ["../generated/extra"]
html_static_path = ["static"]
html_css_files = ["print.css"]
html_math_renderer = "mathml"  # nothing is loaded from elsewhere
html_show_sphinx = False
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # the tests execute them and compare
napoleon_use_ivar = True
autodoc_class_signature = "mixed"
autodoc_typehints = "none"  # the docstrings say types and shapes
suppress_warnings = ["myst.header"]  # a note on one finding begins at the level of a page's part


def typeset_docstring(_app, _what, _name, _object, _options, lines: list[str]) -> None:
    """Formulas of docstrings are plain text."""
    lines[:] = formulas.docstring(lines)


def link_folders(_app, _page, source: list[str]) -> None:
    """A link to a folder or a source file of the repository is its name: the site has documents only."""
    source[0] = re.sub(r"\[([^\]]+)\]\(((?:\.\./|schemas)[^)#]*)\)", r"\1", source[0])


def from_the_root(_app, _path, _page, text: list[str]) -> None:
    """README's links, which are those of the repository: documents, the picture, and names of all else."""
    named = re.sub(r"(?<!!)\[([^\]]+)\]\((?!docs/[\w.]+\))[^)]*\)", r"\1", text[0])
    text[0] = formulas.page(named.replace("](docs/", "]("))


def typeset(app, page, source: list[str]) -> None:
    """Formulas, which Markdown has as plain text."""
    if Path(app.env.doc2path(page)).suffix == ".md":
        source[0] = formulas.page(source[0])


def inline_math(translator, node) -> None:
    translator.body.append(convert(node.astext()))
    raise SkipNode


def block_math(translator, node) -> None:
    style = "overflow-y: hidden; padding: 0.5em 0"  # or two lines of a fraction are scrolled
    translator.body.append(f'<div class="math" style="{style}">{convert(node.astext(), display="block")}</div>')
    raise SkipNode


def setup(app) -> None:
    app.connect("autodoc-process-docstring", typeset_docstring, priority=400)
    app.connect("source-read", link_folders)
    app.connect("source-read", typeset)
    app.connect("include-read", from_the_root)
    app.add_html_math_renderer("mathml", (inline_math, None), (block_math, None))
