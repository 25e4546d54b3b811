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

from gaptron import Argument, Average, Cite, Claim, Implication, Instance, Lemma, Resists, Rounds
from gaptron.instances import by_hand as hand
from gaptron.symbols import K, gamma
from gaptron.theory.lemma1 import (
    BOUND,
    DESCENT,
    GAP,
    PREDICTION,
    READS,
    RISK,
    ROUND,
    SUMS,
    TOTALS,
    E_after,
    E_before,
    E_gap,
    E_loss_u,
    E_wrong,
    a,
    after,
    before,
    cost,
    eta,
    gap,
    gaps,
    loss_u,
    losses,
    mistakes,
    rounds,
    size,
    wrong,
)

share = (K - 1) / K
COST = wrong <= loss_u + (before - after) / (2 * eta) + gamma * share + gap
MEANS = {wrong: E_wrong, loss_u: E_loss_u, before: E_before, after: E_after, gap: E_gap}
AT_A_COST = wrong <= loss_u + (before - after) / (2 * eta) + cost + gap
PAID = losses + (size - E_before) / (2 * eta)
SO_FAR = losses + (size - E_before) / (2 * eta) + gamma * share * rounds
NOW = losses + E_loss_u + (size - E_after) / (2 * eta) + gamma * share * (rounds + 1)
FIXED = (eta, gamma, K, size)
STATE = {
    mistakes: (0, mistakes + E_wrong),
    losses: (0, losses + E_loss_u),
    E_before: (size, E_after),
    rounds: (0, rounds + 1),
}

lemma1_expectation = Lemma(
    name="Lemma 1, T rounds in expectation",
    source="van der Hoeven 2020, Lemma 1",
    implications=(
        Implication(
            name="one more round",
            statement="the potential telescopes, and the gaps add up",
            given=(COST.xreplace(MEANS), mistakes <= SO_FAR + gaps),
            then=mistakes + E_wrong <= NOW + gaps + E_gap,
        ),
        Implication(
            name="last potential",
            statement="from W_1 = 0 the potential drops by at most ||U||^2/(2 eta) in all",
            given=(mistakes <= SO_FAR + gaps,),
            then=mistakes <= losses + size / (2 * eta) + gamma * share * rounds + gaps,
        ),
        Implication(
            name="one more round, gap at most 0",
            statement="the same, when the gap of every round is at most 0 in expectation",
            given=(COST.xreplace(MEANS), E_gap <= 0, mistakes <= SO_FAR),
            then=mistakes + E_wrong <= NOW,
        ),
        Implication(
            name="last potential, gaps at most 0",
            statement="from W_1 = 0 the potential drops by at most ||U||^2/(2 eta) in all",
            given=(mistakes <= SO_FAR,),
            then=BOUND,
        ),
        Implication(
            name="one more round at a cost",
            statement="the same, when exploring costs the same in every round",
            given=(AT_A_COST.xreplace(MEANS), E_gap <= 0, mistakes <= PAID + cost * rounds),
            then=mistakes + E_wrong <= losses + E_loss_u + (size - E_after) / (2 * eta) + cost * (rounds + 1),
        ),
        Implication(
            name="last potential at a cost",
            statement="from W_1 = 0 the potential drops by at most ||U||^2/(2 eta) in all",
            given=(mistakes <= PAID + cost * rounds,),
            then=mistakes <= losses + size / (2 * eta) + cost * rounds,
        ),
    ),
)

HYPOTHESES = (*DESCENT, a >= 0, *PREDICTION, GAP)

lemma1 = Argument(
    name="Lemma 1",
    setting="Lemma 1, an adaptive stream of any length, dimension and number of classes, convex losses, first weights "
    "zero, with projection on a convex set or, on the whole space, without",
    symbols=READS | SUMS,
    hypotheses=("l is convex", *HYPOTHESES),
    steps=(
        Cite("gaptron/lemma1-round", part="Lemma 1, one round"),
        Average(COST, MEANS, FIXED),
        Rounds(
            invariant=mistakes <= SO_FAR + gaps,
            state=STATE | {gaps: (0, gaps + E_gap)},
            step=lemma1_expectation["one more round"],
            fixed=FIXED,
        ),
        lemma1_expectation["last potential"],
    ),
    conclusion=mistakes <= losses + size / (2 * eta) + gamma * share * rounds + gaps,
    example=ROUND | TOTALS | {gaps: 0},
)

with_gaps = Argument(
    name="Lemma 1, gaps at most 0",
    setting="Lemma 1 when the surrogate gap of every round is at most zero in expectation",
    symbols=READS | SUMS,
    hypotheses=("l is convex", *HYPOTHESES, E_gap <= 0),
    steps=(
        Cite("gaptron/lemma1-round", part="Lemma 1, one round"),
        Average(COST, MEANS, FIXED),
        Rounds(
            invariant=mistakes <= SO_FAR,
            state=STATE,
            step=lemma1_expectation["one more round, gap at most 0"],
            fixed=FIXED,
        ),
        lemma1_expectation["last potential, gaps at most 0"],
    ),
    conclusion=BOUND,
    example=ROUND | TOTALS,
)

at_a_cost = Argument(
    name="Lemma 1 at a cost",
    setting="Lemma 1 for any predictions, when the surrogate gap of every round is at most zero in expectation",
    symbols=READS | SUMS,
    hypotheses=("l is convex", *DESCENT, wrong <= RISK + cost, GAP, E_gap <= 0),
    steps=(
        Cite("gaptron/lemma1-round", part="Lemma 1, one round at a cost"),
        Average(AT_A_COST, MEANS, (eta, cost)),
        Rounds(
            invariant=mistakes <= PAID + cost * rounds,
            state=STATE,
            step=lemma1_expectation["one more round at a cost"],
            fixed=(eta, size, cost),
        ),
        lemma1_expectation["last potential at a cost"],
    ),
    conclusion=mistakes <= losses + size / (2 * eta) + cost * rounds,
    example=ROUND | TOTALS,
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
        quote=r"Lemma 1. For any $U \in W$ Algorithm 1 satisfies",
        source="van der Hoeven 2020, Lemma 1",
        grounds=(lemma1, with_gaps, at_a_cost),
        recorded="PROVED",
        finding="Convexity of every l_t is needed, which the losses (3) and (6) as printed lack for K >= 3.",
        second=(Resists(full_information, 40), Resists(bandit_feedback, 30)),
        coq={
            "PaperBandit.v:Lemma1": "LemmaOne.v:lemma_one_as_printed",
            "PaperBandit.v:Lemma1_at_a_cost": "LemmaOne.v:lemma_one_at_a_cost",
        },
    ),
)
