"""Which parts of a structured theorem the library speaks of: outputs, targets and entropies with their lemmas.

The least expected target is at most A Var(w), and J(w) at least b Var(w) for an entropy that is lambda-strongly convex;
A, lambda and b are those of ``proofs/coq/TargetFamilies.v``, ``RankingFamilies.v`` and ``EntropyFamilies.v``.
"""

from dataclasses import dataclass
from fractions import Fraction

from gaptron.coq import coordinate_entropies, listed, quadratic
from gaptron.coq.script import OutOfScopeError
from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula
from gaptron.obligations.structured.cases import written
from gaptron.obligations.structured.dominated import ratio
from gaptron.theory.structured.entropies import Convolutional, CoordinateEntropy, Quadratic, core
from gaptron.theory.structured.outputs import (
    Classes,
    Cube,
    Finite,
    Ordinal,
    Outputs,
    PermutationMatrices,
    RankVectors,
)
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.structured.targets import Cost, Hamming, KendallTau, ZeroOne

ZERO_ONE = "if Nat.eqb k y then 0 else 1"
WRONG = "sum {size} (fun i => if Req_EM_T (output_of {n} k i) (output_of {n} y i) then 0 else 1) / INR {size}"
DISCORDANT = (
    "if Rlt_dec ((INR (rank {n} k i) - INR (rank {n} k j)) * (INR (rank {n} y i) - INR (rank {n} y j))) 0 then 1 else 0"
)
KENDALL = f"sum {{n}} (fun j => sum j (fun i => {DISCORDANT})) / (INR {{n}} * (INR {{n}} - 1) / 2)"


# omega of a coordinate, in another form
COORDINATE = "first [reflexivity | field | replace (1 + (-1) * {0}) with (1 - {0}) by ring; field]"


@dataclass(frozen=True)
class OutputFamily:
    """How many outputs there are, their entries in Coq, and the lemmas about them.

    ``{n}`` is the size of the theorem, ``{size}`` that of the vectors; ``zero_one`` proves A of the 0-1 target.
    Of outputs that are listed costs are compared pair by pair.
    """

    count: str
    entry: str  # of the output y at the coordinate i
    some: str  # there are outputs
    zero_one: str = ""
    hamming: str = ""  # the proof that the Hamming target is below 2/dimension
    dimension: str = "{n}"  # of the vectors
    binary: str = ""  # a proof that its entries are 0 and 1
    roundable: str = ""
    shannon: str = ""  # the theorem about Shannon's entropy, where rows are distributions


def _zero_one_on(binary: str, distinct: str) -> str:
    return f"exact (zero_one_on_binary _ _ _ {binary} {distinct})"


def _hamming_on(binary: str) -> str:
    return f"apply (hamming_on_binary _ _ _ {binary}); [nia | reflexivity]"


UNITS, CORNERS, GRADES = (
    "(units_are_binary {n})",
    "(corner_is_binary (2 ^ {n}) {n})",
    "(thermometer_is_binary (S {n}) {n})",
)
ROWS = "(fact {n}) {n} {n} _ (rank_matrices_have_rows {n} (fact {n}))"
MATRICES = f"(rows_are_binary {ROWS})"
OUTPUTS: dict[type[Outputs], OutputFamily] = {
    Classes: OutputFamily(
        "{n}",
        "if Nat.eqb i y then 1 else 0",
        "lia",
        "exact (zero_one_on_classes {n})",
        _hamming_on(UNITS),
        binary=UNITS,
        shannon="(shannon_suits {n})",
    ),
    Cube: OutputFamily(
        "(2 ^ {n})",
        "if Nat.testbit y i then 1 else 0",
        "exact (some_corner {n})",
        _zero_one_on(CORNERS, "(corners_distinct {n})"),
        _hamming_on(CORNERS),
        binary=CORNERS,
        roundable="(corners_roundable {n})",
    ),
    Ordinal: OutputFamily(
        "(S {n})",
        "if Nat.ltb i y then 1 else 0",
        "lia",
        _zero_one_on(GRADES, "(thermometers_distinct {n})"),
        _hamming_on(GRADES),
        binary=GRADES,
        roundable="(thermometers_roundable {n})",
    ),
    RankVectors: OutputFamily(
        "(fact {n})",
        "INR (S (rank {n} y i))",
        "exact (some_ranking {n})",
        "exact (zero_one_on_rank_vectors {n})",
        "apply hamming_on_rank_vectors; [lia | reflexivity]",
    ),
    PermutationMatrices: OutputFamily(
        "(fact {n})",
        "if Nat.eqb (rank {n} y (Nat.div i {n})) (Nat.modulo i {n}) then 1 else 0",
        "exact (some_ranking {n})",
        "exact (zero_one_on_rank_matrices {n})",
        _hamming_on(MATRICES),
        dimension="({n} * {n})",
        binary=MATRICES,
        shannon=f"(row_shannon_suits {ROWS})",
    ),
}
KENDALL_ON = {  # A in Coq, and the lemma
    RankVectors: ("2 / (INR {n} * (INR {n} - 1))", "kendall_on_rank_vectors"),
    PermutationMatrices: ("(2 * INR {n} - 3) / (INR {n} * (INR {n} - 1))", "kendall_on_rank_matrices"),
}


@dataclass(frozen=True)
class TargetFamily:
    """The cost of predicting k where y is true, A, and the tactic that proves the cost to be below A Var(w).

    ``least`` is the least expected cost at the mean m, with the tactic that proves it to be that, if it is known.
    """

    cost: str
    bound: Expression
    proof: str
    least: str = ""
    least_proof: str = ""


@dataclass(frozen=True)
class EntropyFamily:
    """lambda, b, and the tactic that leaves that there are outputs, and what the entropy is (without convolution).

    ``touches`` is the tactic that shows that a tangent is below it; ``form`` the entry of a quadratic form in row i and
    column j.
    """

    strength: Expression
    share: Expression
    proof: str
    touches: str
    form: str = ""
    own: Expression | None = None  # the function of a coordinate, if it is none of those that the library knows


def outputs_of(theorem: StructuredTheorem) -> OutputFamily:
    """Those that the library numbers, or as they are listed; OutOfScopeError if too many are."""
    listed.check_few(theorem)
    outputs = theorem.outputs
    if isinstance(outputs, Finite):
        return OutputFamily(str(len(outputs.points)), listed.entries(outputs), "lia")
    return OUTPUTS[type(outputs)]


def target_of(theorem: StructuredTheorem) -> TargetFamily:
    """OutOfScopeError if the library has no lemma about it."""
    found = _target(theorem)
    if isinstance(theorem.entropy, Convolutional) and not found.least:
        raise OutOfScopeError("the library has no least expected cost of this target on these outputs")
    return found


def cost_of(theorem: StructuredTheorem) -> str:
    """The cost of predicting k where y is true."""
    written = {ZeroOne: ZERO_ONE, Hamming: WRONG, KendallTau: KENDALL}
    return listed.costs(theorem) if isinstance(theorem.target, Cost) else written[type(theorem.target)]


def _target(theorem: StructuredTheorem) -> TargetFamily:
    outputs, kind = outputs_of(theorem), type(theorem.target)
    if listed.is_listed(theorem):
        return TargetFamily(cost_of(theorem), listed.bound(theorem), listed.proof(theorem))
    bound = formula("2*c", c=ratio(theorem.outputs, theorem.target, theorem.size.name) or Fraction(0))
    if kind is ZeroOne:
        on_classes = isinstance(theorem.outputs, Classes)
        least = ("1 - largest ({n} - 1) m", "apply least_zero_one_cost; lia") if on_classes else ()
        return TargetFamily(cost_of(theorem), bound, outputs.zero_one, *least)
    if kind is Hamming:
        return TargetFamily(
            cost_of(theorem), bound, _printed("2 / INR {size}", outputs.hamming), *_least_hamming(outputs)
        )
    by, lemma = KENDALL_ON[type(theorem.outputs)]
    return TargetFamily(cost_of(theorem), bound, _printed(by, f"apply {lemma}; lia"))


def _printed(bound: str, proof: str) -> str:
    """The lemma's A has another form than the printed one."""
    return f"apply with_bound with ({bound}); [rewrite ?mult_INR; numbers_of {{n}}; field; lra | {proof}]"


def _least_hamming(outputs: OutputFamily) -> tuple[str, ...]:
    if not outputs.roundable:
        return ()
    proof = f"apply (least_hamming_cost _ _ _ {outputs.binary} {outputs.roundable}); [lia | reflexivity]"
    return "sum {n} (fun i => Rmin (m i) (1 - m i)) / INR {n}", proof


def entropy_of(theorem: StructuredTheorem) -> EntropyFamily:
    """By its matrix or its function of one coordinate; OutOfScopeError if the library has no lemma about it."""
    entropy = core(theorem.entropy)
    if isinstance(entropy, Quadratic):
        least = quadratic.strength(entropy)
        proof, touches = quadratic.proof(theorem, entropy), quadratic.touches(theorem, entropy)
        return EntropyFamily(least, least / 2, proof, touches, quadratic.form(entropy))
    assert isinstance(entropy, CoordinateEntropy)  # noqa: S101
    if _is_same(entropy, "v**2/2"):
        touches = _touching(_known_touches("squared_norm_touches"))
        return EntropyFamily(Fraction(1), Fraction(1, 2), "apply squared_norm_suits", touches)
    outputs = outputs_of(theorem)
    binary = _binary_entries(theorem, outputs)
    known = _known_on_binary(theorem, entropy, outputs, binary)
    if known is not None:
        strength, share, proof, touching = known
        return EntropyFamily(strength, share, proof, _touching(_known_touches(touching), f"{binary} | "))
    return _own_entropy(entropy.omega, binary)


def _own_entropy(omega: Expression, binary: str) -> EntropyFamily:
    """With the lambda and b that are guessed."""
    coordinate_entropies.check_written(omega)
    strength, share = coordinate_entropies.strength(omega), coordinate_entropies.share(omega)
    touches = _touching(coordinate_entropies.touches(omega), f"{binary} | ")
    return EntropyFamily(strength, share, coordinate_entropies.suits(binary), touches, own=omega)


def _binary_entries(theorem: StructuredTheorem, outputs: OutputFamily) -> str:
    """The tactic that shows that all are 0 and 1."""
    if outputs.binary:
        return f"exact {outputs.binary}"
    one_by_one = "intros y i Hy Hi; below y Hy; below i Hi; first [left; reflexivity | right; reflexivity]"
    return f"{listed.pinned(theorem)}; {one_by_one}"


def _known_on_binary(
    theorem: StructuredTheorem, entropy: CoordinateEntropy, outputs: OutputFamily, binary: str
) -> tuple[Expression, Expression, str, str] | None:
    """lambda, b, the tactic that it suits the outputs, and the lemma about its tangents."""
    if _is_same(entropy, "v*log(v)") and outputs.shannon:
        return Fraction(2), formula("2*log(2)"), f"apply {outputs.shannon}", "shannon_touches"
    if _is_same(entropy, "4*v**(3/2)/3") and isinstance(theorem.outputs, Classes):
        return Fraction(1), formula("4/3*(2 - sqrt(2))"), "apply (entmax_suits {n})", "entmax_touches"
    if _is_same(entropy, "v*log(v) + (1 - v)*log(1 - v)"):
        proof = f"apply binary_entropy_suits; [{binary} | | ]"
        return Fraction(4), formula("4*log(2)"), proof, "binary_entropy_touches"
    return None


def _known_touches(lemma: str) -> str:
    """The tactic for one coordinate, at a point whose values are computed."""
    return f"apply ({lemma} omega); [intros x; unfold omega; {COORDINATE.format('x')} | computed; lra ..]"


def _touching(one: str, binary: str = "") -> str:
    """The tactic for a sum over coordinates, and that their entries are 0 and 1 where this is needed."""
    sums = "binary_sum_touches" if binary else "sum_touches"
    return f"apply ({sums} _ _ _ _ _ _ omega); [{binary}reflexivity | one_by_one ltac:({one})]"


def _is_same(entropy: CoordinateEntropy, omega: str) -> bool:
    return written(f"own - ({omega})", own=entropy.omega) == 0
