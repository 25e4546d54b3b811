"""The text of a theorem file from a description, with every pair of parentheses written."""

from degenerate.describe import Description, Node, Range, names

HEADER = """from sympy import Abs, And, Eq, Integer, Max, Min, Ne, Or, Piecewise, Rational, exp, log, sqrt
from gaptron import BinaryLoss, GapMap, MarginLoss, Parameter, SoftmaxLoss, Theorem
from gaptron.symbols import K, m, p, z
"""
LOSSES = {"margin": "MarginLoss", "softmax": "SoftmaxLoss", "binary": "BinaryLoss"}
OPERATIONS = ("+", "-", "*", "/", "**", "<=", "<", ">=", ">")


def text(tree: Node) -> str:
    """An expression as Python; Python's own division and powers are kept out of it."""
    if tree.head in ("number", "name"):
        return tree.parts[0] if not tree.parts[0].startswith("-") else f"({tree.parts[0]})"
    if tree.head == "True":
        return "True"
    if tree.head == "Piecewise":
        return f"Piecewise({', '.join(f'({text(value)}, {text(condition)})' for value, condition in tree.parts)})"
    if tree.head in OPERATIONS:
        left, right = map(text, tree.parts)
        return f"({f'Integer({left})' if _is_integer(tree.parts[0]) and not names(tree) else left} {tree.head} {right})"
    return f"{tree.head}({', '.join(map(text, tree.parts))})"


def _is_integer(tree: Node) -> bool:
    return tree.head == "number" and tree.parts[1].denominator == 1


def parameter(found: Range) -> str:
    """The line of a parameter."""
    bounds = ", ".join("None" if bound is None else text(bound) for bound in (found.low, found.high))
    return f'{found.variable} = Parameter("{found.label}", {bounds})\n'


def theorem_file(described: Description, title: str = "degenerate") -> str:
    """The whole file."""
    first = "plus=" if described.kind == "binary" else ""
    loss = [first + text(described.loss)]
    loss += [f"{argument}={text(tree)}" for argument, tree in described.expressions().items()
             if argument in ("minus", "off_above")]  # fmt: skip
    lines = [
        f'name="{title}"',
        f"loss={LOSSES[described.kind]}({', '.join(loss)})",
        f"gap_map=GapMap({text(described.gap_map)})",
    ]
    lines += [f"{argument}={text(tree)}" for argument, tree in described.expressions().items()
              if argument in ("learning_rate", "regret", "abstention_cost")]  # fmt: skip
    if described.classes is not None:
        claimed = described.classes
        lines.append(f"classes={claimed if isinstance(claimed, int) else f'range({claimed[0]}, {claimed[1] + 1})'}")
    body = "".join(f"    {line},\n" for line in lines)
    return HEADER + "".join(map(parameter, described.parameters)) + f"theorem = Theorem(\n{body})\n"
