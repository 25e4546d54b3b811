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

**References.** van der Hoeven 2020, sections 2 and 3 and Lemma 1.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances import by_hand as hand


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
        quote=r"Lemma 1. For any $U \in W$ Algorithm 1 satisfies",
        source="van der Hoeven 2020, Lemma 1",
        statement="Algorithm 1 on convex losses, which may be estimates, against an adversary that sees the past, for "
        "every U in the convex set: E[mistakes] <= E[sum l_t(U)] + ||U||^2/(2 eta) + gamma (K - 1)/K T + sum E[(1 - a) "
        "1[y* != y] + a (K - 1)/K - l_t(W_t) + (eta/2) ||g_t||^2]; for any other predictions y' the same with the sum "
        "of E[1[y' != y] - (1 - a) 1[y* != y] - a (K - 1)/K] in the place of gamma (K - 1)/K T",
        grounds=tuple(InProof("lemma1.proof", f"gaptron/lemma1{form}") for form in ("", "-any-prediction", "-bandit")),
        recorded="PROVED",
        finding="Convexity of every l_t is needed, which the losses (3) and (6) as printed lack for K >= 3.",
        second=(Resists(full_information, 40), Resists(bandit_feedback, 30)),
        coq={
            "PaperBandit.v:Lemma1": "LemmaOne.v:lemma_one_as_printed",
            "PaperBandit.v:Lemma1_at_a_cost": "LemmaOne.v:lemma_one_at_a_cost",
        },
    ),
)
