"""Proposition 6, Theorems 7, 11 and 15 of COLT 2024: surrogate regret from a surrogate gap by online gradient descent.

**Problem.** Online structured prediction with full information, convex losses S_t(W) = S(W x_t; y_t) that are not
negative, a decoder with E_t L_t <= (1 - a) S_t(W_t), and ||grad S_t(W_t)||^2 <= b S_t(W_t).

**Algorithm.** Gradient descent with projection from W_1 = 0, eta = (2/b) m, m = min(1/2, a); in Theorem 15 eta_t =
B/sqrt(2 sum ||g||^2) on a domain of diameter B.

**Theoretical guarantee.** **Upper bounds**: (1 - m) sum S_t(W_t) <= sum S_t(U) + ||U||^2/(2 eta), so sum E_t L_t <=
sum S_t(U) + (1 - a) b ||U||^2/(4 (1 - m) m), on every path of draws; with b = 2 C^2 kappa^2/lambda and 1 - a = 4
gamma/(lambda nu) this is Theorem 7. Theorem 15 has half a root less than is printed: sum S_t(W_t) - S_t(U) <= B
sqrt(2 b sum S_t(W_t)).

**References.** Sakaue, Bao, Tsuchiya, Oki 2024, Proposition 6, Remark 10, Theorems 7, 11 and 15, Lemma 16.
"""

from fractions import Fraction

from sympy import Eq, Rational, symbols

from gaptron import (
    Argument,
    Average,
    Cite,
    Claim,
    Implication,
    InProof,
    Instance,
    Lemma,
    Resists,
    Rounds,
    Use,
)
from gaptron.instances.structured_bandit import adaptive_sides, averaged_sides
from gaptron.numbers.evaluate import ball
from gaptron.symbols import X
from gaptron.theory import facts

SOURCE = "Sakaue, Bao, Tsuchiya, Oki 2024"
FILE = "descent.proof"
a, b, m, rate = symbols("a b m rate", positive=True)
before, far, after, squares, size = symbols("before far after squares size", nonnegative=True)
S, S_u, inner = symbols("S S_u inner", real=True)
surrogates, comparator = symbols("surrogates comparator", real=True)
slope, lam, nu, kappa = symbols("slope lam nu kappa", positive=True)
dist, length, feature = symbols("dist length feature", nonnegative=True)
half = Rational(1, 2)

READS = {
    before: "||W - U||^2", far: "||V - U||^2", after: "||W' - U||^2", squares: "||G||^2", size: "||U||^2", S: "S(W)",
    S_u: "S(U)", inner: "<G, W - U>", rate: "eta", surrogates: "sum S_t(W_t)", comparator: "sum S_t(U)",
    slope: "gamma", lam: "lambda",
}  # fmt: skip
DESCENT = (
    "S is convex",
    "G is a subgradient of S at W",
    "V = W - eta G",
    "W' is the projection of V on a convex set",
    "U is in this convex set",
)
SO_FAR = (1 - m) * surrogates <= comparator + (size - before) / (2 * rate)
ALL = (1 - m) * surrogates <= comparator + size / (2 * rate)
descent = Lemma(
    name="COLT 2024, gradient descent",
    source=f"{SOURCE}, Proposition 6",
    implications=(
        Implication(
            name="one more step",
            statement="||G||^2 <= b S(W) and eta b = 2 m",
            given=(
                SO_FAR,
                S - S_u <= inner,
                Eq(far, before - 2 * rate * inner + rate**2 * squares),
                after <= far,
                squares <= b * S,
                Eq(rate * b, 2 * m),
            ),
            then=(1 - m) * (surrogates + S) <= comparator + S_u + (size - after) / (2 * rate),
        ),
        Implication(
            name="last step",
            statement="W_1 = 0, and what is left of the potential is not negative",
            given=(SO_FAR,),
            then=ALL,
        ),
        Implication(
            name="one more loss",
            statement="S is not negative",
            given=(comparator >= 0, S_u >= 0),
            then=comparator + S_u >= 0,
        ),
    ),
)
PLAIN = {
    before: 1, far: 1, after: 1, squares: 0, size: 1, S: 0, S_u: 0, inner: 0, rate: half, a: half, b: 2, m: half,
    surrogates: 0, comparator: 0,
}  # fmt: skip

all_steps = Argument(
    name="COLT 2024, gradient descent",
    setting="Gradient descent with projection, any number of rounds, first weights zero",
    symbols=READS,
    hypotheses=(*DESCENT, squares <= b * S, Eq(rate * b, 2 * m)),
    steps=(
        Use(facts.SUBGRADIENT, {"f": "S", "g": "G", "x": "W", "u": "U"}),
        Use(facts.STEP, {"v": "V", "x": "W", "u": "U", "g": "G", "c": "eta"}),
        Use(facts.PROJECTION, {"p": "W'", "v": "V", "u": "U"}),
        Rounds(
            invariant=SO_FAR,
            state={surrogates: (0, surrogates + S), comparator: (0, comparator + S_u), before: (size, after)},
            step=descent["one more step"],
            fixed=(m, rate, size, b),
        ),
        descent["last step"],
    ),
    conclusion=ALL,
    example=PLAIN,
)
all_losses = Argument(
    name="COLT 2024, losses",
    setting="Losses that are not negative",
    symbols=READS,
    hypotheses=(S_u >= 0,),
    steps=(Rounds(comparator >= 0, {comparator: (0, comparator + S_u)}, descent["one more loss"]),),
    conclusion=comparator >= 0,
    example=PLAIN,
)
structured = Lemma(
    name="COLT 2024, Theorem 7",
    source=f"{SOURCE}, Theorem 7",
    implications=(
        Implication(
            name="gradients",
            statement="||G||^2 = ||yhat - y||_2^2 ||x||^2 <= kappa^2 D^2 C^2, and D^2 <= 2 S/lambda",
            given=(
                Eq(squares, length * feature),
                length <= kappa**2 * dist**2,
                feature <= X**2,
                S >= lam * dist**2 / 2,
                Eq(b, 2 * X**2 * kappa**2 / lam),
            ),
            then=squares <= b * S,
        ),
        Implication(
            name="rate",
            statement="eta = lambda m/(C^2 kappa^2) is (2/b) m",
            given=(Eq(rate, lam * m / (X**2 * kappa**2)), Eq(b, 2 * X**2 * kappa**2 / lam)),
            then=Eq(rate * b, 2 * m, evaluate=False),
        ),
        Implication(
            name="less than 1",
            statement="gamma > 0",
            given=(Eq(1 - a, 4 * slope / (lam * nu)),),
            then=a < 1,
        ),
    ),
)
CONSTANTS = (Eq(b, 2 * X**2 * kappa**2 / lam), Eq(1 - a, 4 * slope / (lam * nu)))
GRADIENTS = (
    Eq(squares, length * feature),
    length <= kappa**2 * dist**2,
    feature <= X**2,
    S >= lam * dist**2 / 2,
)
RATE = Eq(rate, lam * m / (X**2 * kappa**2))
POINT = PLAIN | {slope: half, lam: 2, nu: 2, kappa: 1, X: 1, b: 1, rate: 1, length: 0, feature: 0, dist: 0}
W_bar, E_bar, E_risk, E_S, E_sum, E_u, total = symbols("W_bar E_bar E_risk E_S E_sum E_u total", real=True)
rounds = symbols("rounds", positive=True)
excess = symbols("excess", real=True)
batch = Lemma(
    name="COLT 2024, Theorem 11",
    source=f"{SOURCE}, Theorem 11",
    implications=(
        Implication(
            name="from rounds to a draw",
            statement="E L(psi(W_bar x); y) <= (1 - a) E S(W_bar x; y) <= ((1 - a)/T) E sum S_t(W_t), by convexity",
            given=(E_risk <= (1 - a) * E_bar, E_bar <= E_sum / rounds, (1 - a) * E_sum <= E_u * rounds + excess, a < 1),
            then=E_risk <= E_u + excess / rounds,
        ),
        Implication(
            name="sum of losses",
            statement="(1 - a)/(1 - m) <= 1, and the losses of U are not negative",
            given=(ALL, comparator >= 0, m <= a, a < 1, Eq(rate * b, 2 * m)),
            then=(1 - a) * surrogates <= comparator + (1 - a) * b * size / (4 * (1 - m) * m),
        ),
        Implication(
            name="constant of a draw",
            statement="(1 - a) b/4 = 2 gamma C^2 kappa^2/(lambda^2 nu), X being C",
            given=(*CONSTANTS, Eq(excess * (1 - m) * m * lam**2 * nu, 2 * slope * X**2 * kappa**2 * size), m <= half),
            then=Eq((1 - a) * b * size / (4 * (1 - m) * m), excess, evaluate=False),
        ),
        Implication(
            name="mean of a draw",
            statement="E S_t(U) is the same in every round",
            given=(
                (1 - a) * E_sum <= total + (1 - a) * b * size / (4 * (1 - m) * m), Eq(total, E_u * rounds),
                Eq((1 - a) * b * size / (4 * (1 - m) * m), excess), m <= half,
            ),
            then=(1 - a) * E_sum <= E_u * rounds + excess,
        ),
    ),
)  # fmt: skip
theorem11 = Argument(
    name="COLT 2024, Theorem 11",
    setting="Theorem 7 on independent rounds of one distribution, W_bar the mean of the weights, U fixed, the "
    "last expectation "
    "over a fresh draw",
    symbols=READS
    | {
        length: "||yhat - y||_2^2", feature: "||x||^2", dist: "||yhat - y||", E_risk: "E[L(psi(W_bar x); y)]",
        E_bar: "E[S(W_bar x; y)]", E_sum: "E[sum S_t(W_t)]", E_u: "E[S(U x; y)]", total: "E[sum S_t(U)]", rounds: "T",
        excess: "the regret of Theorem 7",
    },
    hypotheses=(
        *DESCENT, *GRADIENTS, S_u >= 0, m <= a, m <= half, RATE, *CONSTANTS, E_risk <= (1 - a) * E_bar,
        E_bar <= E_sum / rounds, Eq(total, E_u * rounds),
        Eq(excess * (1 - m) * m * lam**2 * nu, 2 * slope * X**2 * kappa**2 * size),
    ),
    steps=(
        structured["gradients"], structured["rate"], structured["less than 1"], Cite(all_steps), Cite(all_losses),
        batch["sum of losses"],
        Average(batch["sum of losses"].then, {surrogates: E_sum, comparator: total}, (a, b, m, size)),
        batch["constant of a draw"],
        batch["mean of a draw"],
        batch["from rounds to a draw"],
    ),
    conclusion=batch["from rounds to a draw"].then,
    example=POINT | {E_risk: 0, E_bar: 0, E_sum: 0, E_u: 0, total: 0, rounds: 1, excess: half},
)  # fmt: skip


def two_rounds(rng):
    """Three rounds of one feature with S = (v - y)^2/2: (1 - a) sum S_t(W_t) against the bound of Proposition 6."""
    a_, b_ = Fraction(int(rng.integers(1, 10)), 10), Fraction(2)
    m_ = min(Fraction(1, 2), a_)
    w, left, right, u = Fraction(0), Fraction(0), Fraction(0), Fraction(int(rng.integers(-6, 7)), 3)
    targets = [Fraction(int(k), 3) for k in rng.integers(-6, 7, 3)]
    for target in targets:
        left += (1 - a_) * (w - target) ** 2 / 2
        right += (u - target) ** 2 / 2
        w -= 2 / b_ * m_ * (w - target)
    return Instance({"a": a_, "targets": targets, "u": u}, left, right + (1 - a_) * b_ * u**2 / (4 * (1 - m_) * m_))


def term_a(rng):
    """Term (A) of Proposition 6 with its minimum, b ||U||^2 = 1, against what the remark says in its two cases."""
    gap = Fraction(int(rng.integers(1, 40)), 40)
    least = min(Fraction(1, 2), gap)
    simple = 1 / (4 * gap) if 2 * gap <= 1 else 1 - gap
    return Instance({"a": gap}, (1 - gap) / (4 * (1 - least) * least), simple, "=")


def larger_lambda(rng):
    """gamma = 1, nu = 4, C = kappa = ||U|| = 1, lambda doubled from 2 on: (1 - a) b with b = 2/lambda is a quarter."""
    first = Fraction(int(rng.integers(2, 100)))
    terms = [(1 - (1 - 1 / lam_)) * (2 / lam_) for lam_ in (first, 2 * first)]
    return Instance({"lambda": first}, 4 * terms[1], terms[0], "=")


def random_logarithm(rng):
    """Both sides in balls, at random a, b, c and x."""
    one, two, three = (Fraction(int(v), 8) for v in rng.integers(1, 80, 3))
    x = Fraction(int(rng.integers(0, 400)), 8)
    left = (ball(two * x) * (1 + ball(three * x)).log()).sqrt() - ball(one * x)
    right = ball(two / (2 * one)) * ((1 + ball(two / (2 * one**2))).log() + (1 + ball(three)).log()) + ball(one)
    return Instance({"a": one, "b": two, "c": three, "x": x}, left, right)


claims = (
    Claim(
        id="colt24/prop6",
        quote="Then, it holds that ... (1-a) b ||U||_F^2 / (4 (1 - min{1/2,a}) min{1/2,a})",
        source=f"{SOURCE}, section 4, Proposition 6",
        statement="gradient descent with projection on Fenchel-Young losses, any stream and any draws of the decoder, "
        "eta = 2 m/b, m = min(1/2, a): sum E_t L_t <= sum S_t(U) + (1 - a) b ||U||^2/(4 (1 - m) m)",
        grounds=InProof(FILE, "colt24/prop6"),
        recorded="PROVED",
        second=Resists(two_rounds, 100),
    ),
    Claim(
        id="colt24/remark10",
        quote="simplifies to b||U||_F^2/(4a) if a <= 1/2 and to (1-a) b ||U||_F^2 if a > 1/2",
        source=f"{SOURCE}, section 4, Remark 10",
        statement="(1 - a) b/(4 (1 - m) m) is b/(4 a) for a <= 1/2 and (1 - a) b < b/(4 a) for a > 1/2, at most c from "
        "a = 1 - c/b on; in Theorem 7 it is 8 gamma C^2 kappa^2/nu times 1/lambda^2 for lambda >= 8 gamma/nu",
        grounds=tuple(InProof(FILE, f"colt24/remark10-{part}") for part in ("small", "large", "limit", "rate")),
        recorded="PROVED",
        second=(Resists(term_a, 60), Resists(larger_lambda, 60)),
    ),
    Claim(
        id="colt24/thm7",
        quote="If lambda > 4 gamma/nu holds and Alg is OGD with learning rate eta = (lambda/(C^2 kappa^2)) "
        "min{1/2, 1 - 4 "
        "gamma/(lambda nu)}",
        source=f"{SOURCE}, section 4, Theorem 7 (with Remark 9, first sentence)",
        statement="Algorithm 1, gradient descent, any adaptive stream, eta = lambda m/(C^2 kappa^2), m = min(1/2, a): "
        "sum E_t L_t <= sum S_t(U) + 2 gamma C^2 kappa^2 ||U||^2/(lambda^2 nu (1 - m) m)",
        grounds=InProof(FILE, "colt24/thm7"),
        recorded="PROVED",
        second=Resists(two_rounds, 100),
    ),
    Claim(
        id="colt24/thm11",
        quote="E[L(psi(Wbar x); y)] <= E[S_Omega(Ux; y)] + (1/T) ...",
        source=f"{SOURCE}, section 4.2, Theorem 11",
        grounds=theorem11,
        recorded="PROVED",
        second=Resists(lambda rng: Instance(*averaged_sides(rng)), 20),
    ),
    Claim(
        id="colt24/thm15",
        quote="(1 - 4 gamma/(lambda nu))^-1 16 gamma C^2 kappa^2 B^2/(lambda^2 nu)",
        source=f"{SOURCE}, Appendix E.1, Theorem 15",
        statement="a domain of diameter B, eta_t = B/sqrt(2 sum ||G_i||^2): sum S_t(W_t) - S_t(U) <= 2 b B^2 + 2 B "
        "sqrt(2 b sum S_t(U)), and E sum L_t <= E sum S_t(U) + 16 gamma C^2 kappa^2 B^2/(lambda^2 nu a)",
        grounds=(InProof(FILE, "colt24/thm15-sums"), InProof(FILE, "colt24/thm15")),
        recorded="PROVED",
        second=Resists(lambda rng: Instance(*adaptive_sides(rng)), 30),
        finding="The same steps give less, 2 b B^2 + B sqrt(2 b sum S_t(U)) in the first part, and a "
        "quarter of the "
        "constant for a <= 1/2 in the second.",
    ),
    Claim(
        id="colt24/lemma16",
        quote="-ax + sqrt(bx ln(cx+1)) <= (b/2a)(ln(b/(2a^2) + 1) + ln(c+1)) + a",
        source=f"{SOURCE}, Appendix E.2, Lemma 16",
        statement="-a x + sqrt(b x ln(c x + 1)) <= (b/(2 a)) (ln(b/(2 a^2) + 1) + ln(c + 1)), and so with + a added",
        grounds=InProof("numbers.proof", "colt24/lemma16"),
        recorded="PROVED",
        second=Resists(random_logarithm, 100),
        finding="The term a is not needed.",
    ),
)
