"""Losses of a softmax probability: from the probabilities of any number of labels down to one or two of them.

||g||^2 = (psi'(p_y) p_y)^2 ((1 - p_y)^2 + S) for ||x|| = 1, S the sum of the other squared probabilities. Of right
rounds p = p_y = p*, of wrong ones q = p_y, p = p*. In the gap S is bounded by the largest value that a sum and a
largest term allow: with sum R and terms <= c it is R^2 if R <= c, c^2 + (R - c)^2 if c <= R <= 2c, and at most c R
always.

A decoder has to give label k P(correct) >= 1 - psi(p_k) + (eta/2) (psi'(p_k) p_k)^2 ((1 - p_k)^2 + S). The others sum
to 1 - p_k, so S <= (1 - p_k)^2, attained if one label has all of it, and label k needs at most f(p_k),
f(p) = 1 - psi(p) + eta (psi'(p) p (1 - p))^2.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from gaptron.language.expressions import Expression, variables
from gaptron.language.formulas import formula, relation, where
from gaptron.language.normal import NORMAL, put, slope
from gaptron.language.relations import Relation
from gaptron.obligations.constraint import Constraint, Implied, of_criterion
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.loss import kinks
from gaptron.obligations.mixture import MixtureCase, mixtures
from gaptron.obligations.pieces import ZERO, Piece, Region, put_all
from gaptron.obligations.reduction import Case, Reduction
from gaptron.obligations.sequents import Obligation, Sequent, claims_more_than_two, class_conditions

HALF, ONE = Fraction(1, 2), Fraction(1)
PROBABILITY = where("p > 0", "p < 1")
TWO_LABELS = "two labels alike, the others far below"
ANY_LABELS = "any labels alike, the least loss counted once"


class SoftmaxReduction(Reduction):
    """psi in the probability p of the true label."""

    variable = "p"
    tops = where("p >= 1/K", "p < 1")
    of_scores = False
    why_falling = "-log p is convex in W"

    def domain(self, at_least: int = 2) -> Region:
        """0 < p < 1."""
        return (*PROBABILITY, *super().domain(at_least))

    def bend(self, loss: Expression) -> Expression:
        """Of the sign of the second derivative in the scores."""
        first = slope(loss, "p")
        return formula("p*(1 - p)*bend + (1 - 2*p)*first", bend=slope(first, "p"), first=first)

    def said_convex(self, name: str) -> str:
        """In words."""
        return f"p (1-p) {name}'' + (1-2p) {name}' >= 0 and kinks turn upward: {name} is convex in the scores"

    def cases(self, eta: Expression, coverage: Coverage) -> Iterator[Case]:
        """Right and wrong rounds, by how large p* is beside the rest."""
        smooth = self.smooth(coverage)
        for mix in mixtures(self.theorem, self.tops, coverage):
            for psi in smooth:
                yield from self._right(mix, psi, eta)
                yield from self._wrong(mix, psi, eta)

    def _right(self, mix: MixtureCase, psi: Piece, eta: Expression) -> Iterator[Case]:
        squares = [
            (where("p >= 1/2"), formula("(1 - p)**2")),
            (where("p >= 1/3", "p < 1/2"), formula("p**2 + (1 - 2*p)**2")),
            (where("p < 1/3"), formula("p*(1 - p)")),
        ]
        weight = self.squares(psi.value, formula("weight*p**2", weight=mix.right_weight))
        for there, others in squares:
            region = (*mix.conditions, *psi.closed("p"), *there, *self.tops)
            known = {"psi": psi.value, "eta": eta, "weight": weight, "others": others}
            gap = formula("right - psi + eta/2*weight*((1 - p)**2 + others)", right=mix.right, **known)
            yield self.right(region, gap)

    def _wrong(self, mix: MixtureCase, psi: Piece, eta: Expression) -> Iterator[Case]:
        true = {"p": "q"}
        squares_of_true = put(self.squares(psi.value, formula("p**2")), true)
        weight = formula("squares*weight", squares=squares_of_true, weight=mix.wrong_weight)
        domain = where("q <= p", "p <= 1 - q", "p >= 1/K", "q <= 1/2", "p < 1")
        squares = [
            (where("p >= 1 - q - p"), formula("p**2 + (1 - q - p)**2")),
            (where("p < 1 - q - p"), formula("p**2 + p*(1 - q - p)")),
        ]
        for there, others in squares:
            region = (*mix.conditions, *put_all(psi.closed("p"), true), *there, *domain)
            known = {"psi": put(psi.value, true), "eta": eta, "weight": weight, "others": others}
            gap = formula("wrong - psi + eta/2*weight*((1 - q)**2 + others)", wrong=mix.wrong, **known)
            yield self.wrong(region, gap, "q", {"p": formula("1 - q")})

    def decoder_implications(self, eta: Expression, coverage: Coverage) -> Iterator[Implied]:
        """sum_k max(0, f(p_k)) <= 1 for any number of labels, as statements about one probability.

        f increases. Up to ``none`` it is not positive, so fewer than 1/none labels count. If one does, f <= 1 is
        enough; if two, the worst case is that they share everything. If n > 2, each has less than 1 - 2 none; where f
        is concave up to there, they are worst when they are equal. NotImplementedError as of ``whole_psi``.
        """
        psi = whole_psi(self, coverage)
        f = formula("1 - psi + eta*squared*(1 - p)**2", psi=psi, eta=eta, squared=squared_slope(psi))
        given = class_conditions(self.theorem) if "K" in variables(f) else ()
        none = coverage.guesses.not_needed(put(f, {"K": Fraction(self.theorem.first_class_count)}))

        def implied(name: str, statement: str, there: Region, then: Relation) -> Implied:
            return Implied(name, statement, (*there, *given), then)

        def at(p: Expression) -> Expression:
            return put(f, {"p": p})

        yield implied("increasing", "f' >= 0", PROBABILITY, Relation(">=", slope(f, "p"), ZERO))
        yield implied(f"not needed up to {none}", f"f({none}) <= 0", (), Relation("<=", at(none), ZERO))
        yield implied("one label", "f(p) <= 1", PROBABILITY, relation("f <= 1", f=f))
        both = relation("f + other <= 1", f=f, other=at(formula("1 - p")))
        yield implied("two labels", "f(p) + f(1 - p) <= 1", PROBABILITY, both)
        most = -(-none.denominator // none.numerator) - 1
        if most > 2:
            there = where("p > 0", "p <= 1 - 2*none", none=none)
            concave = Relation("<=", slope(slope(f, "p"), "p"), ZERO)
            yield implied("concave", f"f'' <= 0 up to {1 - 2 * none}", there, concave)
        for n in range(3, most + 1):
            share = Fraction(1, n)
            yield implied(f"{n} labels", f"{n} f(1/{n}) <= 1", (), relation(f"{n}*f <= 1", f=at(share)))

    def criterion(self, coverage: Coverage) -> Iterator[Constraint]:
        """Of two labels, and where psi(1) > 0 what is enough for every number of them."""
        yield from self.searched(coverage)
        least = self._least(coverage)
        if least > 0:
            yield from (replace(each, is_necessary=False) for each in self._of_two(ANY_LABELS, least, coverage))

    def searched(self, coverage: Coverage) -> Iterator[Constraint]:
        """Of two labels; NotImplementedError if psi has several pieces, unless they end at given probabilities."""
        return self._of_two(TWO_LABELS, ZERO, coverage)

    def _of_two(self, kind: str, least: Fraction, coverage: Coverage) -> Iterator[Constraint]:
        """psi, less half of the least loss, at the probability 1/(1 + e^-m) of a label ahead by m of another."""
        for piece in self.smooth(coverage):
            region = (*map(_ahead, piece.closed("p")), *class_conditions(self.theorem))
            ahead = put(piece.value, {"p": formula("1/(1 + exp(-m))")})
            more = formula("psi - least/2", psi=ahead, least=least)
            yield of_criterion(kind, region, more, HALF, formula("m**2/2"))

    def _least(self, coverage: Coverage) -> Fraction:
        """psi(1) if there are more than two labels, and that is a positive number; else 0."""
        if not claims_more_than_two(self.theorem):
            return ZERO
        at_one = {"p": ONE}
        ends = [
            put(piece.value, at_one)
            for piece in self.smooth(coverage)
            if not coverage.guesses.seems_empty(put_all(piece.closed("p"), at_one))
        ]
        return max((end for end in ends if isinstance(end, Fraction) and end > 0), default=ZERO)

    def hardest(self, coverage: Coverage) -> Iterator[Obligation]:
        """psi lies above its tangents, and at p = 1 the tangent at p has the value psi + psi' (1 - p)."""
        if not claims_more_than_two(self.theorem):
            return
        least, pieces = self._least(coverage), self.smooth(coverage)
        classes = class_conditions(self.theorem, 3) if any("K" in variables(piece.value) for piece in pieces) else ()
        domain = (*classes, *where("p > 0", "p <= 1"))
        claims = []
        for piece in pieces:
            claims.append(Sequent((*domain, *piece.closed("p")), Relation(">=", super().bend(piece.value), ZERO)))
            end = relation("psi - least <= 0", psi=put(piece.value, {"p": ONE}), least=least)
            claims.append(Sequent((*classes, *put_all(piece.closed("p"), {"p": ONE})), end))
        claims += kinks(pieces, "p", domain, coverage)
        statement = f"two labels are the hardest: psi - {least} is convex, at most 0 at p = 1"
        yield Obligation("two labels", statement, tuple(replace(claim, refutes=False) for claim in claims))


def whole_psi(reduction: Reduction, coverage: Coverage) -> Expression:
    """psi; NotImplementedError if it is not one smooth expression."""
    pieces = reduction.smooth(coverage)
    if len(pieces) != 1 or pieces[0].conditions:
        raise NotImplementedError("psi has pieces: write it as one, or for K = 2 psi(1/(1 + exp(-z))) as a BinaryLoss")
    return pieces[0].value


def squared_slope(psi: Expression) -> Expression:
    """(psi'(p) p)^2, by which ||g||^2 exceeds (1 - p)^2 + S."""
    return formula("(slope*p)**2", slope=slope(psi, "p"))


def _ahead(given: Relation) -> Relation:
    """p against a number in (0, 1) as m against its log odds, which increase with it."""
    if "p" not in given.names:
        return given
    end = given.right
    if given.left != "p" or not isinstance(end, Fraction) or not 0 < end < 1:
        raise NotImplementedError("psi has a piece elsewhere: write p against a rational number in (0, 1)")
    odds = end / (1 - end)
    logs = [NORMAL.operation("log", [Fraction(number)]) for number in (odds.numerator, odds.denominator)]
    return Relation(given.sign, "m", formula("above - below", above=logs[0], below=logs[1]))
