"""The modules of the package as syntax trees, parsed once in a test process."""

import ast
from functools import cache

from conftest import REPOSITORY

from gaptron.expectation.game import uncollected

PACKAGE = REPOSITORY / "gaptron"
PYTHON = {
    str(file.relative_to(PACKAGE)): file.read_text(encoding="utf-8") for file in sorted(PACKAGE.rglob("*.py"))
}  # by paths in the package


@cache
def trees() -> dict[str, ast.Module]:
    """By paths in the package. All of it is kept, so that the collector has nothing to look for."""
    with uncollected():
        return {name: ast.parse(text) for name, text in PYTHON.items()}


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All of a tree."""
    return tuple(ast.walk(tree))
