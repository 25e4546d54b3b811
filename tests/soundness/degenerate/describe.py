"""A theorem as plain data: expressions are trees of ``Node``, with nothing simplified and nothing evaluated.

A condition with an undefined term has no truth value, and a ``Piecewise`` reads its conditions in order.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

Given = "Node | int | Fraction"


@dataclass(frozen=True)
class Node:
    """An operation and its parts; a number is its text and its value, a name its name."""

    head: str
    parts: tuple

    def __add__(self, other: Given) -> "Node":
        return Node("+", (self, node(other)))

    def __radd__(self, other: Given) -> "Node":
        return Node("+", (node(other), self))

    def __sub__(self, other: Given) -> "Node":
        return Node("-", (self, node(other)))

    def __rsub__(self, other: Given) -> "Node":
        return Node("-", (node(other), self))

    def __mul__(self, other: Given) -> "Node":
        return Node("*", (self, node(other)))

    def __rmul__(self, other: Given) -> "Node":
        return Node("*", (node(other), self))

    def __truediv__(self, other: Given) -> "Node":
        return Node("/", (self, node(other)))

    def __rtruediv__(self, other: Given) -> "Node":
        return Node("/", (node(other), self))

    def __pow__(self, other: Given) -> "Node":
        return Node("**", (self, node(other)))

    def __rpow__(self, other: Given) -> "Node":
        return Node("**", (node(other), self))

    def __neg__(self) -> "Node":
        return Node("*", (node(-1), self))

    def __le__(self, other: Given) -> "Node":
        return Node("<=", (self, node(other)))

    def __lt__(self, other: Given) -> "Node":
        return Node("<", (self, node(other)))

    def __ge__(self, other: Given) -> "Node":
        return Node(">=", (self, node(other)))

    def __gt__(self, other: Given) -> "Node":
        return Node(">", (self, node(other)))


def node(value: "Node | int | Fraction") -> Node:
    """A number as a node; a node as it is."""
    if isinstance(value, Node):
        return value
    text = str(value) if Fraction(value).denominator == 1 else f"Rational({value.numerator}, {value.denominator})"
    return Node("number", (text, Fraction(value)))


def literal(text: str) -> Node:
    """A number as it is written in a file: 10**30, or the shortest decimal of a float."""
    if "**" in text:
        base, exponent = text.split("**")
        return Node("number", (text, Fraction(int(base) ** int(exponent))))
    assert repr(float(text)) == text, text
    return Node("number", (text, Fraction(text)))


def name(text: str) -> Node:
    """A symbol, or the variable of a parameter."""
    return Node("name", (text,))


def function(head: str, *arguments: "Node | int | Fraction") -> Node:
    """sqrt, exp, log, Min, Max, Abs, Eq, Ne, And, Or of these."""
    return Node(head, tuple(map(node, arguments)))


TRUE = Node("True", ())


def piecewise(*pairs: "tuple[Node | int | Fraction, Node]") -> Node:
    """Values and conditions, read in order."""
    return Node("Piecewise", tuple((node(value), condition) for value, condition in pairs))


def nodes(tree: Node) -> Iterator[Node]:
    """The node and everything below."""
    yield tree
    for part in tree.parts:
        for below in part if isinstance(part, tuple) else (part,):
            if isinstance(below, Node):
                yield from nodes(below)


def names(tree: Node) -> frozenset[str]:
    """The names that occur."""
    return frozenset(n.parts[0] for n in nodes(tree) if n.head == "name")


K, m, p, z = map(name, "Kmpz")


@dataclass(frozen=True)
class Range:
    """A parameter: the variable it is assigned to in the file, the name it is given, and its range."""

    variable: str
    label: str
    low: Node | None = None
    high: Node | None = None


@dataclass(frozen=True)
class Description:
    """What a theorem claims. ``loss`` is phi, psi or plus; ``classes`` is None, a number or (first, last)."""

    kind: str  # margin, softmax, binary
    loss: Node
    gap_map: Node
    learning_rate: Node | None = None
    regret: Node | None = None
    minus: Node | None = None
    off_above: Node | None = None
    abstention_cost: Node | None = None
    classes: int | tuple[int, int] | None = None
    parameters: tuple[Range, ...] = ()

    @property
    def first(self) -> int:
        """The smallest K claimed."""
        return 2 if self.classes is None else self.classes if isinstance(self.classes, int) else self.classes[0]

    @property
    def last(self) -> int | None:
        """The largest K claimed, None for no largest."""
        if self.kind == "binary":
            return 2
        return None if self.classes is None else self.classes if isinstance(self.classes, int) else self.classes[1]

    def claims(self, count: int) -> bool:
        """Whether it is claimed for this K."""
        return self.first <= count and (self.last is None or count <= self.last)

    def expressions(self) -> dict[str, Node]:
        """Every expression under the name of its argument."""
        named = {
            "loss": self.loss,
            "minus": self.minus,
            "off_above": self.off_above,
            "gap_map": self.gap_map,
            "learning_rate": self.learning_rate,
            "regret": self.regret,
            "abstention_cost": self.abstention_cost,
        }
        return {argument: tree for argument, tree in named.items() if tree is not None}
