"""Lemma 1 for T rounds: in expectation, against an adversary that sees the past.

**Problem.** K classes, T rounds. Labels, features and convex losses l_t may depend on the labels predicted in earlier
rounds; the comparator U is fixed. The expected number of mistakes is to be compared with the expected sum of l_t(U).

**Algorithm.** Algorithm 1. With bandit feedback l_t and its subgradient are estimates: divided by the probability p of
the true label if that label was predicted, zero otherwise.

**Theoretical guarantee.** **Upper bound**, Lemma 1: for every U in the ball,

    E[mistakes] <= E[sum l_t(U)] + ||U||^2/(2 eta) + gamma (K - 1)/K T
                   + sum E[(1 - a) 1[y* != y] + a (K - 1)/K - l_t(W_t) + (eta/2) ||g_t||^2].

The inequality of one round holds for every past and every predicted label, so it survives the average over the
(finitely many) labels predicted; the averages are summed, the potential ||W_t - U||^2/(2 eta) telescopes, and its last
value is dropped. With zero rounds both sides are 0. If the bracket is at most c in every round, the sum adds c T.
Estimates are unbiased, and since every label has probability at least gamma/K their second moment is at most
K ||g||^2/gamma. The inequality <V, U> <= ||V|| ||U|| that the projection needs is proved in every dimension, one
coordinate after the other.

**References.** van der Hoeven 2020, sections 2 and 3, Lemma 1 and Appendix B.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from sympy import Eq, symbols

from gaptron import Claim, Implication, Instance, Lemma, Obligations, Resists, Rests
from gaptron.instances import by_hand as hand
from gaptron.symbols import K, gamma

eta, prob = symbols("eta prob", positive=True)
weight, start, now, later, rounds = symbols("weight start now later rounds", nonnegative=True)
left, right, left_sum, right_sum = symbols("left right left_sum right_sum", real=True)
loss, slope, seen, unseen, squares = symbols("loss slope seen unseen squares", real=True)
inner, loss_w, loss_u = symbols("inner loss_w loss_u", real=True)
mix, excess, excess_sum, bracket, bracket_sum = symbols("mix excess excess_sum bracket bracket_sum", real=True)
cap = symbols("cap", real=True)
v, u, product, norm_v, norm_u = symbols("v u product norm_v norm_u", real=True)
squares_v, squares_u, new_v, new_u = symbols("squares_v squares_u new_v new_u", nonnegative=True)
radius = symbols("radius", positive=True)

lemma1_expectation = Lemma(
    name="Lemma 1, T rounds in expectation",
    source="van der Hoeven 2020, Lemma 1",
    implications=(
        Implication(
            name="averaging",
            statement="an inequality of every outcome survives the average: one more outcome of probability weight",
            given=(left <= right, left_sum <= right_sum),
            then=left_sum + weight * left <= right_sum + weight * right,
        ),
        Implication(
            name="importance weight",
            statement="a non-negative multiple of a subgradient is a subgradient of the multiple of the loss",
            given=(loss_w - loss_u <= inner,),
            then=weight * loss_w - weight * loss_u <= weight * inner,
        ),
        Implication(
            name="unbiased loss",
            statement="the estimate is loss/prob if the true label was predicted, else 0: its mean is the loss",
            given=(Eq(seen, loss / prob), Eq(unseen, 0)),
            then=Eq(prob * seen + (1 - prob) * unseen, loss, evaluate=False),
        ),
        Implication(
            name="unbiased subgradient",
            statement="E <estimate of g, W - U> = <g, W - U> >= l(W) - l(U)",
            given=(Eq(seen, inner / prob), Eq(unseen, 0), loss_w - loss_u <= inner),
            then=prob * seen + (1 - prob) * unseen >= loss_w - loss_u,
        ),
        Implication(
            name="second moment",
            statement="prob (g/prob)^2 + (1 - prob) 0^2 = g^2/prob, coordinate by coordinate",
            given=(Eq(seen, slope / prob), Eq(unseen, 0)),
            then=Eq(prob * seen**2 + (1 - prob) * unseen**2, slope**2 / prob, evaluate=False),
        ),
        Implication(
            name="second moment bound",
            statement="||g||^2/prob <= K ||g||^2/gamma if prob >= gamma/K",
            given=(gamma > 0, prob >= gamma / K, squares >= 0),
            then=squares / prob <= K * squares / gamma,
        ),
        Implication(
            name="exploration, other label",
            statement="a label that is not on top has probability mix/K >= gamma/K",
            given=(mix >= gamma,),
            then=mix / K >= gamma / K,
        ),
        Implication(
            name="exploration, top label",
            statement="the top label has probability 1 - mix + mix/K >= gamma/K",
            given=(mix >= gamma, mix <= 1),
            then=1 - mix + mix / K >= gamma / K,
        ),
        Implication(
            name="one more round",
            statement="the potential telescopes: excess = E[1[y' != y]] - E[l(U)], summed over the rounds",
            given=(
                excess_sum <= (start - now) / (2 * eta) + bracket_sum,
                excess <= (now - later) / (2 * eta) + bracket,
            ),
            then=excess_sum + excess <= (start - later) / (2 * eta) + bracket_sum + bracket,
        ),
        Implication(
            name="last potential",
            statement="with W_1 = 0 the start is ||U||^2 = radius^2, and the last potential is not negative",
            given=(Eq(start, radius**2), excess_sum <= (start - later) / (2 * eta) + bracket_sum),
            then=excess_sum <= radius**2 / (2 * eta) + bracket_sum,
        ),
        Implication(
            name="brackets of all rounds",
            statement="brackets of at most cap each, exploration gamma (K - 1)/K included, sum to at most cap T",
            given=(bracket_sum <= cap * rounds, bracket <= cap),
            then=bracket_sum + bracket <= cap * (rounds + 1),
        ),
        Implication(
            name="Cauchy-Schwarz, cross term",
            statement="product = <V, U>, new_v = v^2, new_u = u^2: (2 <V, U> v u)^2 <= (||V||^2 u^2 + ||U||^2 v^2)^2",
            given=(product**2 <= squares_v * squares_u,),
            then=4 * product**2 * new_v * new_u <= (squares_v * new_u + squares_u * new_v) ** 2,
        ),
        Implication(
            name="square root",
            statement="left^2 <= right^2 and right >= 0 give left <= right",
            given=(left**2 <= right**2, right >= 0),
            then=left <= right,
        ),
        Implication(
            name="Cauchy-Schwarz, one more coordinate",
            statement="(<V, U> + v u)^2 <= (||V||^2 + v^2) (||U||^2 + u^2)",
            given=(
                product**2 <= squares_v * squares_u,
                2 * product * v * u <= squares_v * u**2 + squares_u * v**2,
            ),
            then=(product + v * u) ** 2 <= (squares_v + v**2) * (squares_u + u**2),
        ),
        Implication(
            name="Cauchy-Schwarz",
            statement="<V, U> <= ||V|| ||U|| from the inequality between the squares",
            given=(product**2 <= norm_v**2 * norm_u**2, norm_v >= 0, norm_u >= 0),
            then=product <= norm_v * norm_u,
        ),
    ),
)


def bandit_sides(
    rule: hand.HandRule, gamma_: Fraction, stream: list[hand.Point], U: hand.Matrix
) -> tuple[Fraction, Fraction]:
    """Both sides of Lemma 1 with bandit feedback, against an adversary that skips a round after every right draw."""
    share = gamma_ * Fraction(len(U) - 1, len(U))

    def sides(W: hand.Matrix, t: int, n_rounds: int) -> tuple[Fraction, Fraction]:
        if n_rounds == 0:
            return Fraction(0), hand.squared_norm(U) / (2 * rule.eta)
        x, label = stream[t % len(stream)]
        now, moved = hand.step(rule, W, x, label, gamma_, lambda p: 1 / p)
        right_draw = 1 - now.P_wrong
        bracket = (0 if now.right else 1 - now.a) + now.a * Fraction(len(U) - 1, len(U)) - now.loss
        bracket += rule.eta / 2 * now.squares / right_draw
        loss_u = rule.phi(hand.margin(hand.scores(U, x), label)[0])
        (made, bound), (made_moved, bound_moved) = sides(W, t + 1, n_rounds - 1), sides(moved, t + 2, n_rounds - 1)
        mean = [now.P_wrong * p + right_draw * q for p, q in ((made, made_moved), (bound, bound_moved))]
        return now.P_wrong + mean[0], loss_u + share + bracket + mean[1]

    return sides(hand.zeros(*np.shape(U)), 0, len(stream))


def draw_rule(rng: np.random.Generator, n_classes: int) -> hand.HandRule:
    """The smooth hinge loss with any learning rate and any constant gap map."""
    rate, a = (Fraction(int(n), 12) for n in (rng.integers(1, 13), rng.integers(0, 13)))
    return replace(hand.smooth_hinge(n_classes, rate), gap=lambda _: a)


def full_information(rng: np.random.Generator) -> Instance:
    """Lemma 1 without projection, on a stream drawn beforehand."""
    n_classes, stream = hand.draw_stream(rng)
    U, rule, gamma_ = (
        hand.draw_comparator(rng, n_classes, stream),
        draw_rule(rng, n_classes),
        Fraction(rng.integers(5), 4),
    )
    rounds, share = list(hand.play(rule, n_classes, stream, gamma_)), Fraction(n_classes - 1, n_classes)
    brackets = sum(
        (0 if r.right else 1 - r.a) + (r.a + gamma_) * share - r.loss + rule.eta / 2 * r.squares for r in rounds
    )
    losses = hand.comparator_losses(rule, rounds, stream, U)
    right = losses + hand.squared_norm(U) / (2 * rule.eta) + brackets
    return Instance({"stream": stream, "U": U, "eta": rule.eta}, sum(r.P_wrong for r in rounds), right)


def bandit_feedback(rng: np.random.Generator) -> Instance:
    """Lemma 1 with estimated losses, over all draws of up to three rounds."""
    n_classes, stream = hand.draw_stream(rng, 3)
    U, rule, gamma_ = (
        hand.draw_comparator(rng, n_classes, stream),
        draw_rule(rng, n_classes),
        Fraction(rng.integers(1, 5), 4),
    )
    left_, right_ = bandit_sides(rule, gamma_, stream, U)
    return Instance({"stream": stream, "U": U, "eta": rule.eta, "gamma": gamma_}, left_, right_)


claims = (
    Claim(
        id="gaptron/lemma1",
        source="van der Hoeven 2020, Lemma 1",
        statement="Lemma 1: for every adaptive stream, convex losses, any d, K, T, with projection on the ball and U "
        "in it, and without projection for every U: E[mistakes] <= E[sum l_t(U)] + ||U||^2/(2 eta) + gamma (K - 1)/K T "
        "+ sum E[(1 - a_t) 1[y*_t != y_t] + a_t (K - 1)/K - l_t(W_t) + (eta/2) ||g_t||^2]",
        tex=r"\mathbb{E}\left[\sum_{t=1}^{T} 1[y\prime_t \ne y_t]\right] \le "
        r"\mathbb{E}\left[\sum_{t=1}^{T} \ell_t(U)\right] + \frac{\|U\|^2}{2\eta} + \gamma \frac{K-1}{K} T "
        r"+ \sum_{t=1}^{T} \mathbb{E}\left[(1-a_t) 1[y^\star_t \ne y_t] + a_t \frac{K-1}{K} - \ell_t(W_t) "
        r"+ \frac{\eta}{2}\|g_t\|^2\right]",
        grounds=(Rests("gaptron/lemma1-round"), Obligations(lemma1_expectation)),
        recorded="PROVED",
        finding="Convexity of every l_t is needed, which the losses (3) and (6) as printed lack for K >= 3.",
        second=(Resists(full_information, 40), Resists(bandit_feedback, 30)),
    ),
)
