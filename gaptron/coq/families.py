"""Which parts of a structured theorem the library speaks of: outputs, targets and entropies with their lemmas.

The least expected target is at most A Var(w), and J(w) at least b Var(w) for an entropy that is lambda-strongly convex;
A, lambda and b are those of ``proofs/coq/TargetFamilies.v`` and ``EntropyFamilies.v``.
"""

from dataclasses import dataclass

import sympy as sp

from gaptron.coq.script import OutOfScopeError
from gaptron.symbols import v
from gaptron.theory.structured.entropies import CoordinateEntropy, core
from gaptron.theory.structured.outputs import Classes, Cube, Finite, Ordinal, Outputs, PermutationMatrices, RankVectors
from gaptron.theory.structured.targets import Cost, Hamming, KendallTau, Target, ZeroOne
from gaptron.theory.structured.theorem import StructuredTheorem

ZERO_ONE = "if Nat.eqb k y then 0 else 1"
WRONG = "sum {n} (fun i => if Req_EM_T (output_of k i) (output_of y i) then 0 else 1) / INR {n}"


@dataclass(frozen=True)
class OutputFamily:
    """How many outputs there are, their entries in Coq, and the lemmas about them; ``{n}`` is the size."""

    count: str
    entry: str  # of the output y at the coordinate i
    some: str  # there are outputs
    binary: str = ""  # a proof that its entries are 0 and 1
    roundable: str = ""
    distinct: str = ""


OUTPUTS: dict[type[Outputs], OutputFamily] = {
    Classes: OutputFamily("{n}", "if Nat.eqb i y then 1 else 0", "lia"),
    Cube: OutputFamily(
        "(2 ^ {n})",
        "if Nat.testbit y i then 1 else 0",
        "exact (some_corner {n})",
        "(corner_is_binary (2 ^ {n}) {n})",
        "(corners_roundable {n})",
        "(corners_distinct {n})",
    ),
    Ordinal: OutputFamily(
        "(S {n})",
        "if Nat.ltb i y then 1 else 0",
        "lia",
        "(thermometer_is_binary (S {n}) {n})",
        "(thermometers_roundable {n})",
        "(thermometers_distinct {n})",
    ),
}


@dataclass(frozen=True)
class TargetFamily:
    """The cost of predicting k where y is true, A, and the tactic that proves the cost to be below A Var(w).

    ``least`` is the least expected cost at the mean m, with the tactic that proves it to be that, if it is known.
    """

    cost: str
    bound: sp.Expr
    proof: str
    least: str = ""
    least_proof: str = ""


@dataclass(frozen=True)
class EntropyFamily:
    """lambda, b, and the tactic that leaves that there are outputs, and what the entropy is (without convolution)."""

    strength: sp.Expr
    share: sp.Expr
    proof: str


def outputs_of(theorem: StructuredTheorem) -> OutputFamily:
    """OutOfScopeError if the library does not number them."""
    found = OUTPUTS.get(type(theorem.outputs))
    if found is None:
        raise OutOfScopeError(NOT_NUMBERED[type(theorem.outputs)])
    return found


def target_of(theorem: StructuredTheorem) -> TargetFamily:
    """OutOfScopeError if the library has no lemma about it."""
    outputs, kind = outputs_of(theorem), type(theorem.target)
    on_binary = f"{outputs.binary} {outputs.roundable}"
    if kind is ZeroOne and isinstance(theorem.outputs, Classes):
        least = "1 - largest ({n} - 1) m"
        return TargetFamily(
            ZERO_ONE, sp.S.One, "exact (zero_one_on_classes {n})", least, "apply least_zero_one_cost; lia"
        )
    if kind is ZeroOne:
        return TargetFamily(ZERO_ONE, sp.Integer(2), f"exact (zero_one_on_binary _ _ _ {on_binary} {outputs.distinct})")
    if kind is Hamming and outputs.binary:
        compared, least_known = (
            f"apply ({lemma} _ _ _ {on_binary}); [lia | reflexivity]"
            for lemma in ("hamming_on_binary", "least_hamming_cost")
        )
        least = "sum {n} (fun i => Rmin (m i) (1 - m i)) / INR {n}"
        return TargetFamily(WRONG, 2 / theorem.size, compared, least, least_known)
    raise OutOfScopeError(NOT_COMPARED[kind])


def entropy_of(theorem: StructuredTheorem) -> EntropyFamily:
    """By the function of one coordinate; OutOfScopeError if the library has no lemma about it."""
    entropy = core(theorem.entropy)
    if not isinstance(entropy, CoordinateEntropy):
        raise OutOfScopeError("the library has no theorem about quadratic forms as entropies")
    if _is_same(entropy, v**2 / 2):
        return EntropyFamily(sp.S.One, sp.Rational(1, 2), "apply squared_norm_suits")
    if _is_same(entropy, v * sp.log(v)) and isinstance(theorem.outputs, Classes):
        return EntropyFamily(sp.Integer(2), 2 * sp.log(2), "apply (shannon_suits {n})")
    if _is_same(entropy, 4 * v ** sp.Rational(3, 2) / 3) and isinstance(theorem.outputs, Classes):
        return EntropyFamily(sp.S.One, sp.Rational(4, 3) * (2 - sp.sqrt(2)), "apply (entmax_suits {n})")
    binary = outputs_of(theorem).binary
    if _is_same(entropy, v * sp.log(v) + (1 - v) * sp.log(1 - v)) and binary:
        return EntropyFamily(sp.Integer(4), 4 * sp.log(2), f"apply (binary_entropy_suits _ _ _ {binary})")
    raise OutOfScopeError(
        "the library compares J(w) and Var(w) for the squared norm, binary entropies and, on classes, Shannon's and "
        f"Tsallis' with q = 3/2, not for the sum of omega(v) = {entropy.omega} over coordinates of {theorem.outputs!r}"
    )


def _is_same(entropy: CoordinateEntropy, omega: sp.Expr) -> bool:
    return bool(sp.simplify(entropy.omega - omega) == 0)


NOT_NUMBERED: dict[type[Outputs], str] = {
    RankVectors: "the library does not number the permutations of d items, as a statement about rank vectors needs",
    PermutationMatrices: "the library does not number the permutations of d items, as a statement about their matrices "
    "needs, and has Shannon's entropy of one row only",
    Finite: "the library has no comparison of a cost with the variance for outputs that are listed",
}
NOT_COMPARED: dict[type[Target], str] = {
    Cost: "the library has no comparison of a matrix of costs with the variance",
    Hamming: "the library compares the Hamming target with the variance on the cube and on ordinal outputs only",
    KendallTau: "the library has no comparison of Kendall's target with the variance",
}
