"""True theorems, most of them with constants that cannot be improved."""

from dataclasses import replace
from fractions import Fraction

from degenerate.describe import TRUE, Description, K, Range, function, literal, m, name, node, p, piecewise, z

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def largest(*arguments: object) -> object:
    return function("Max", *arguments)


SMOOTH = piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, TRUE))
SMOOTH_Z = piecewise((1 - 2 * z, z <= 0), ((1 - z) ** 2, z < 1), (0, TRUE))
SMOOTH_MAP = (1 - function("Min", 1, m)) ** 2
SQUARED, HINGE = largest(1 - m, 0) ** 2, largest(1 - m, 0)
LOG2 = function("log", node(2))

smooth_hinge = Description("margin", SMOOTH, SMOOTH_MAP, 1 / (4 * K), 2 * K)
squared_hinge = Description("margin", SQUARED, SQUARED, 1 / (4 * K), 2 * K)
hinge = Description(
    "margin", HINGE, piecewise((1 - m, m <= 1 / K), (0, TRUE)), (1 - 1 / K) / K, K**2 / (2 * (K - 1)), off_above=1 / K
)
off = replace(smooth_hinge, off_above=node(1))
hinge_slow = replace(hinge, learning_rate=1 / (2 * K), regret=node(1) * K)
binary_squared = Description("binary", largest(1 - z, 0) ** 2, SQUARED, node(QUARTER), node(2))
binary_smooth = replace(binary_squared, loss=SMOOTH_Z, gap_map=SMOOTH_MAP)
binary_both = replace(binary_squared, minus=largest(1 + z, 0) ** 2)
abstaining = replace(
    smooth_hinge, learning_rate=node(Fraction(3, 16)), regret=node(Fraction(8, 3)), abstention_cost=node(QUARTER)
)
abstaining_more = replace(
    smooth_hinge,
    learning_rate=(1 - name("c")) / 4,
    regret=2 / (1 - name("c")),
    abstention_cost=name("c"),
    parameters=(Range("c", "c", node(0), literal("0.5")),),
)
logistic = Description(
    "softmax", -function("log", p) / LOG2, piecewise((1 - p, p >= HALF), (1, TRUE)), LOG2 / (2 * K), K / LOG2
)
logistic_two = replace(logistic, learning_rate=LOG2 / 4, regret=2 / LOG2, classes=2)
margin_logistic = Description(
    "margin",
    function("log", 1 + function("exp", -m)) / LOG2,
    function("Min", 1, function("log", 1 + function("exp", -m)) / LOG2),
    1 / (8 * K),
)


def for_two(described: Description) -> Description:
    """The theorem for two classes, with numbers instead of expressions in K where they are 1/(4 K) and 2 K."""
    if described.learning_rate == 1 / (4 * K):
        return replace(described, classes=2, learning_rate=node(Fraction(1, 8)), regret=node(4))
    return replace(described, classes=2)


COMMON = (smooth_hinge, squared_hinge, hinge, for_two(smooth_hinge), for_two(squared_hinge))
LESS_COMMON = (binary_squared, binary_smooth, binary_both, abstaining, abstaining_more, hinge_slow, off)
RARE = (logistic, logistic_two, margin_logistic)
