"""Surrogate regret: expected target loss against the surrogate loss of a comparator, from estimated gradients.

A round is what a decoder and an estimator make of it: E[L(yhat)] <= (1 - a) S(W) + q, and an unbiased estimate h of
the gradient g of S with E[||h||^2] <= alpha S(W) + beta, both given the past. What follows from adaptive gradient
descent on a set of diameter B is the argument ``surrogate_regret``: for every rate w with alpha w <= a,

    E[sum L(yhat)] <= E[sum S(U)] + B^2/(2 w) + (beta w + q) T,

and ``of_copies`` of it for n interleaved copies (delayed feedback): n B^2/(2 w) in the place of B^2/(2 w). Any other
algorithm whose linear regret is at most B^2/(2 w) + w sum ||h||^2 for some B is ``with_estimates``; gradient descent at
one rate is ``fixed_descent``. A decoder that pays for its gradient, E[L(yhat)] <= S(W) - w E[||h||^2] + q, needs no a:
``with_payments``. Full information is h = g: alpha = b, beta = q = 0, and w = a/b gives b B^2/(2 a).

References: Sakaue, Bao, Tsuchiya, Oki 2024, appendix E; Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, sections 3 and
4; Joulani, Gyorgy, Szepesvari 2013 (copies).
"""

import sympy as sp

from gaptron.theory import facts
from gaptron.theory.arguments import Argument, Average, Cases, Cite, Rounds, Use, When
from gaptron.theory.sentences import EVERY_ROUND
from gaptron.theory.theorem import Implication

B, eta, w = sp.symbols("B eta w", positive=True)
a, alpha = sp.symbols("a alpha", positive=True)
q, beta = sp.symbols("q beta", nonnegative=True)
before, far, after, first, squares, total = sp.symbols("before far after first squares total", nonnegative=True)
root, root_after = sp.symbols("root root_after", nonnegative=True)
inner, regret, slope = sp.symbols("inner regret slope", real=True)
loss, loss_u, paid = sp.symbols("loss loss_u paid", nonnegative=True)
mean_inner, mean_squares = sp.symbols("mean_inner mean_squares", real=True)
losses, payments, inners, all_squares = sp.symbols("losses payments inners all_squares", real=True)
E_losses, E_payments, E_inners, E_all_squares = sp.symbols("E_losses E_payments E_inners E_all_squares", real=True)
E_paid, E_regret, E_total = sp.symbols("E_paid E_regret E_total", real=True)
rounds, copies = sp.symbols("rounds copies", nonnegative=True)
copied_paid, copied_losses = sp.symbols("copied_paid copied_losses", real=True)
copied_rounds = sp.Symbol("copied_rounds", nonnegative=True)

READS = {
    before: "||W - U||^2", far: "||V - U||^2", after: "||W' - U||^2", first: "||W_1 - U||^2", squares: "||h||^2",
    inner: "<h, W - U>", slope: "<g, W - U>", root: "r", root_after: "r'", regret: "sum <h, W - U>",
    total: "sum ||h||^2", loss: "S(W)", loss_u: "S(U)", paid: "E[L(yhat)]", mean_inner: "E[<h, W - U>]",
    mean_squares: "E[||h||^2]", losses: "sum S(U)", payments: "sum E[L(yhat)]", inners: "sum E[<h, W - U>]",
    all_squares: "sum E[||h||^2]", E_losses: "E[sum S(U)]", E_payments: "E[sum E[L(yhat)]]",
    E_inners: "E[sum E[<h, W - U>]]", E_all_squares: "E[sum E[||h||^2]]", E_paid: "E[sum L(yhat)]",
    E_regret: "E[sum <h, W - U>]", E_total: "E[sum ||h||^2]", rounds: "T", copies: "n",
    copied_paid: "E[sum L(yhat) of all copies]", copied_losses: "E[sum S(U) of all copies]",
    copied_rounds: "T of all copies",
}  # fmt: skip

STEP_BOUND = 2 * B * inner <= (before - after) * root_after + B**2 * (root_after - root)
SO_FAR = 2 * B * regret + root * before <= 2 * B**2 * root
AT_A_RATE = regret - w * total <= B**2 / (2 * w)
DOUBLED = sp.Eq(root**2, 2 * total, evaluate=False)
GROWS = sp.Eq(root_after**2, root**2 + 2 * squares)
MOVES = ("V = W - eta h", "W' is the projection of V on a convex set", "U is in this convex set")
ADAPTS = When(root_after > 0, (sp.Eq(eta * root_after, B),))
IN_EVERY_ROUND = When(EVERY_ROUND, (GROWS, before <= B**2))
ADAPTIVE = (*MOVES, ADAPTS, IN_EVERY_ROUND)
"""Adaptive gradient descent: r^2 is twice the sum of ||h||^2, this round's included in r', and eta = B/r' if r' > 0."""

ROUND = (paid <= (1 - a) * loss + q, mean_squares <= alpha * loss + beta, sp.Eq(mean_inner, slope))
"""What the decoder and the estimator make of a round, given the past."""
CONVEX = ("S is convex", "g is a subgradient of S at W")
OF_A_ROUND = paid <= loss_u + mean_inner - w * mean_squares + (beta * w + q)
OF_ALL_ROUNDS = payments <= losses + inners - w * all_squares + (beta * w + q) * rounds
BOUND = E_paid <= E_losses + B**2 / (2 * w) + (beta * w + q) * rounds
COPIED = copied_paid <= copied_losses + copies * B**2 / (2 * w) + (beta * w + q) * copied_rounds

POINT = dict.fromkeys(READS, 0) | {
    B: 1, eta: 1, w: 1, a: 1, q: 0, alpha: 1, beta: 0, root_after: 0, rounds: 1, copies: 1, copied_rounds: 1,
}  # fmt: skip

made, base, drop, noisy, explored = sp.symbols("made base drop noisy explored", real=True)
drop_is, noisy_most, explored_is = sp.symbols("drop_is noisy_most explored_is", real=True)
three_terms = Implication(
    name="three terms",
    statement="a potential, a noise and an exploration, each by what it is",
    given=(
        made <= base + drop + noisy + explored,
        sp.Eq(drop, drop_is),
        noisy <= noisy_most,
        sp.Eq(explored, explored_is),
    ),
    then=made <= base + drop_is + noisy_most + explored_is,
)
"""What tuning comes to, for Put: BOUND and COPIED have these terms."""

one_step = Argument(
    name="adaptive gradient descent, one round",
    setting="Projected gradient descent at the rate B over r', r'^2 twice the sum of the squared norms so far",
    symbols=READS,
    hypotheses=(*MOVES, ADAPTS, GROWS),
    steps=(
        Cases(
            {
                root_after > 0: (
                    Use(facts.STEP, {"v": "V", "x": "W", "u": "U", "c": "eta", "g": "h"}),
                    Use(facts.PROJECTION, {"p": "W'", "v": "V", "u": "U"}),
                    Implication(
                        name="step at the adaptive rate",
                        statement="2 eta <h, W - U> <= ||W - U||^2 - ||W' - U||^2 + eta^2 ||h||^2 at eta = B/r'",
                        given=(
                            sp.Eq(far, before - 2 * eta * inner + eta**2 * squares),
                            after <= far,
                            sp.Eq(eta * root_after, B),
                            root_after > 0,
                        ),
                        then=2 * B * inner <= (before - after) * root_after + B**2 * squares / root_after,
                    ),
                    Implication(
                        name="squares by their root",
                        statement="||h||^2 = (r'^2 - r^2)/2 <= r' (r' - r)",
                        given=(
                            GROWS,
                            root_after > 0,
                            2 * B * inner <= (before - after) * root_after + B**2 * squares / root_after,
                        ),
                        then=STEP_BOUND,
                    ),
                ),
                root_after <= 0: (
                    Use(facts.CAUCHY_SCHWARZ, {"u": "h", "v": "W - U"}),
                    Implication(
                        name="no gradient yet",
                        statement="r' = 0: all estimates are 0",
                        given=(GROWS, root_after <= 0, inner**2 <= squares * before),
                        then=STEP_BOUND,
                    ),
                ),
            },
            (STEP_BOUND,),
        ),
    ),
    conclusion=STEP_BOUND,
    example=POINT,
)

potential = Argument(
    name="adaptive gradient descent, its potential",
    setting="Projected gradient descent on a convex set of diameter B at the adaptive rate",
    symbols=READS,
    hypotheses=ADAPTIVE,
    steps=(
        Rounds(
            invariant=SO_FAR,
            state={regret: (0, regret + inner), root: (0, root_after), before: (first, after)},
            step=Implication(
                name="one more adaptive step",
                statement="where r grows, the potential r ||W - U||^2 grows by at most B^2 times as much",
                given=(SO_FAR, STEP_BOUND, before * (root_after - root) <= B**2 * (root_after - root)),
                then=2 * B * (regret + inner) + root_after * after <= 2 * B**2 * root_after,
            ),
            fixed=(B, first),
            before=(
                Cite(one_step),
                Implication(
                    name="r grows",
                    statement="r'^2 >= r^2",
                    given=(GROWS,),
                    then=root_after >= root,
                ),
                Implication(
                    name="within the diameter",
                    statement="||W - U|| <= B",
                    given=(root_after >= root, before <= B**2),
                    then=before * (root_after - root) <= B**2 * (root_after - root),
                ),
            ),
        ),
    ),
    conclusion=SO_FAR,
    example=POINT,
)

doubled = Argument(
    name="adaptive rate",
    setting="The number r of adaptive gradient descent",
    symbols=READS,
    hypotheses=(IN_EVERY_ROUND,),
    steps=(
        Rounds(
            invariant=DOUBLED,
            state={root: (0, root_after), total: (0, total + squares)},
            step=Implication(
                name="one more square",
                statement="r'^2 is twice the sum",
                given=(DOUBLED, GROWS),
                then=sp.Eq(root_after**2, 2 * (total + squares), evaluate=False),
            ),
        ),
    ),
    conclusion=DOUBLED,
    example=POINT,
)

adaptive_descent = Argument(
    name="adaptive gradient descent",
    setting="Projected gradient descent on a convex set of diameter B, at the rate B over the root of twice the sum of "
    "the squared norms so far, any gradients and any w",
    symbols=READS,
    hypotheses=ADAPTIVE,
    steps=(
        Cite(potential),
        Cite(doubled),
        Implication(
            name="regret and the root",
            statement="the potential is not negative",
            given=(SO_FAR,),
            then=regret <= B * root,
        ),
        Implication(
            name="root at a rate",
            statement="B r <= B^2/(2 w) + w r^2/2, the mean of two numbers and its square",
            given=(),
            then=B * root <= B**2 / (2 * w) + w * root**2 / 2,
        ),
        Implication(
            name="regret at a rate",
            statement="r^2 is twice the sum",
            given=(regret <= B * root, B * root <= B**2 / (2 * w) + w * root**2 / 2, DOUBLED),
            then=AT_A_RATE,
        ),
    ),
    conclusion=AT_A_RATE,
    example=POINT,
)

paying_rounds = Argument(
    name="rounds that pay for their estimates",
    setting="Rounds whose expected target loss is paid, with w times the second moment of the estimate, by the "
    "comparator's surrogate loss, expectations of a round given the past",
    symbols=READS,
    hypotheses=(OF_A_ROUND,),
    steps=(
        Rounds(
            invariant=OF_ALL_ROUNDS,
            state={
                payments: (0, payments + paid),
                losses: (0, losses + loss_u),
                inners: (0, inners + mean_inner),
                all_squares: (0, all_squares + mean_squares),
                rounds: (0, rounds + 1),
            },
            step=Implication(
                name="one more estimate",
                statement="all terms are sums",
                given=(OF_A_ROUND, OF_ALL_ROUNDS),
                then=payments + paid
                <= losses
                + loss_u
                + inners
                + mean_inner
                - w * (all_squares + mean_squares)
                + (beta * w + q) * (rounds + 1),
            ),
            fixed=(w, beta, q),
        ),
    ),
    conclusion=OF_ALL_ROUNDS,
    example=POINT,
)

MEANS = {losses: E_losses, payments: E_payments, inners: E_inners, all_squares: E_all_squares}
IN_THE_MEAN = OF_ALL_ROUNDS.xreplace(MEANS)
AT_A_MEAN_RATE = AT_A_RATE.xreplace({regret: E_regret, total: E_total})
with_payments = Argument(
    name="surrogate regret of rounds that pay",
    setting="Any algorithm whose linear regret against a fixed U is bounded at the rate w, in rounds that pay for "
    "their estimates, expectations of a round given the past",
    symbols=READS,
    hypotheses=(AT_A_RATE, OF_A_ROUND),
    steps=(
        Average(AT_A_RATE, {regret: E_regret, total: E_total}, (B, w)),
        Cite(paying_rounds),
        Average(OF_ALL_ROUNDS, MEANS, (w, beta, q, rounds)),
        Use(facts.TOWER, {"x": "L(yhat)"}),
        Use(facts.TOWER, {"x": "<h, W - U>"}),
        Use(facts.TOWER, {"x": "||h||^2"}),
        Implication(
            name="estimates in the mean",
            statement="E[sum <h, W - U>] - w E[sum ||h||^2] <= B^2/(2 w)",
            given=(
                IN_THE_MEAN,
                AT_A_MEAN_RATE,
                sp.Eq(E_paid, E_payments),
                sp.Eq(E_regret, E_inners),
                sp.Eq(E_total, E_all_squares),
            ),
            then=BOUND,
        ),
    ),
    conclusion=BOUND,
    example=POINT,
)

with_estimates = Argument(
    name="surrogate regret of any descent",
    setting="Any algorithm whose linear regret against a fixed U, on unbiased estimates h of subgradients of convex "
    "surrogate losses S, is bounded at the rate w, expectations of a round given the past",
    symbols=READS,
    hypotheses=(AT_A_RATE, *CONVEX, *ROUND, alpha * w <= a),
    steps=(
        Use(facts.SUBGRADIENT, {"f": "S", "g": "g", "x": "W", "u": "U"}),
        Implication(
            name="a round pays for its estimate",
            statement="w E[||h||^2] <= a S(W) + w beta, and S(W) - S(U) <= <g, W - U>",
            given=(*ROUND, loss - loss_u <= slope, alpha * w <= a),
            then=OF_A_ROUND,
        ),
        Cite(with_payments),
    ),
    conclusion=BOUND,
    example=POINT,
)

FIXED = (*MOVES, sp.Eq(eta, 2 * w, evaluate=False), first <= 2 * B**2)
"""Gradient descent at one rate eta = 2 w, and a B that is at least ||W_1 - U|| over the root of two."""
STEPPED = 2 * eta * regret + before <= first + eta**2 * total
fixed_descent = Argument(
    name="gradient descent at a fixed rate",
    setting="Projected gradient descent, any gradients",
    symbols=READS,
    hypotheses=FIXED,
    steps=(
        Use(facts.STEP, {"v": "V", "x": "W", "u": "U", "c": "eta", "g": "h"}),
        Use(facts.PROJECTION, {"p": "W'", "v": "V", "u": "U"}),
        Rounds(
            invariant=STEPPED,
            state={regret: (0, regret + inner), total: (0, total + squares), before: (first, after)},
            step=Implication(
                name="one more step at a fixed rate",
                statement="2 eta <h, W - U> <= ||W - U||^2 - ||W' - U||^2 + eta^2 ||h||^2",
                given=(STEPPED, sp.Eq(far, before - 2 * eta * inner + eta**2 * squares), after <= far),
                then=2 * eta * (regret + inner) + after <= first + eta**2 * (total + squares),
            ),
            fixed=(B, w, eta, first),
        ),
        Implication(
            name="regret at a fixed rate",
            statement="the last potential is not negative, and ||W_1 - U||^2/(4 w) <= B^2/(2 w)",
            given=(STEPPED, sp.Eq(eta, 2 * w, evaluate=False), first <= 2 * B**2),
            then=AT_A_RATE,
        ),
    ),
    conclusion=AT_A_RATE,
    example=POINT | {eta: 2},
)

surrogate_regret = Argument(
    name="surrogate regret of estimated gradients",
    setting="Adaptive gradient descent on unbiased estimates h of subgradients of convex surrogate losses S, a fixed "
    "U, every w, expectations of a round given the past",
    symbols=READS,
    hypotheses=(*ADAPTIVE, *CONVEX, *ROUND, alpha * w <= a),
    steps=(Cite(adaptive_descent), Cite(with_estimates)),
    conclusion=BOUND,
    example=POINT,
)

sum_of_copies = Argument(
    name="sums over copies",
    setting="Any number n of copies, each on its own rounds",
    symbols=READS,
    hypotheses=(BOUND,),
    steps=(
        Rounds(
            invariant=COPIED,
            state={
                copied_paid: (0, copied_paid + E_paid),
                copied_losses: (0, copied_losses + E_losses),
                copied_rounds: (0, copied_rounds + rounds),
                copies: (0, copies + 1),
            },
            step=Implication(
                name="one more copy",
                statement="each copy pays for itself",
                given=(BOUND, COPIED),
                then=copied_paid + E_paid
                <= copied_losses + E_losses + (copies + 1) * B**2 / (2 * w) + (beta * w + q) * (copied_rounds + rounds),
            ),
            fixed=(B, w, beta, q),
        ),
    ),
    conclusion=COPIED,
    example=POINT,
)

of_copies = Argument(
    name="surrogate regret of interleaved copies",
    setting="Any number n of interleaved copies of adaptive gradient descent, each on its own rounds, on unbiased "
    "estimates h of subgradients of convex surrogate losses S, a fixed U, every w",
    symbols=READS,
    hypotheses=(*ADAPTIVE, *CONVEX, *ROUND, alpha * w <= a),
    steps=(Cite(surrogate_regret), Cite(sum_of_copies)),
    conclusion=COPIED,
    example=POINT,
)
