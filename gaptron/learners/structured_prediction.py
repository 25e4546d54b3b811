"""Online structured prediction: a Fenchel-Young surrogate, gradient or proximal updates, and the best decoder."""

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog

from gaptron.numbers.evaluate import value_at
from gaptron.rounds.layouts import VECTORS
from gaptron.theory.structured.entropies import CoordinateEntropy
from gaptron.theory.structured.means import Means, StatedStructured
from gaptron.theory.structured.outputs import Cube
from gaptron.theory.structured.targets import Hamming, ZeroOne

Floats = NDArray[np.float64]

MOST_ENUMERATED = 1024


class StructuredGaptron:
    """The learner of a structured theorem, at its learning rate.

    Parameters
    ----------
    theorem : StructuredTheorem
        With a learning rate, or a regret; without parameters of its own.
    size : int
        K for classes, d for everything else.
    n_features : int
    feature_norm : float
        X: no feature vector may be longer.
    seed : int or numpy.random.Generator

    Raises
    ------
    ValueError
        If the theorem has no learning rate, or is not claimed for the size.
    """

    def __init__(
        self,
        theorem: StatedStructured,
        size: int,
        n_features: int,
        feature_norm: float = 1.0,
        seed: int | np.random.Generator = 0,
    ) -> None:
        self.theorem, step = theorem.data, theorem.data.step
        if step is None:
            raise ValueError(f"the theorem {self.theorem.name!r} has neither a learning rate nor a regret")
        self.size, self.means = size, Means(theorem, size)
        numbers, at = self.theorem.numbers, {self.theorem.size: Fraction(size)}
        parts = (numbers["scale"], numbers["coefficient"], step)
        self.scale, self.alpha, self.eta = (float(value_at(part, at)) for part in parts)  # eta in units of 1/X^2
        self.feature_norm, self.random = feature_norm, np.random.default_rng(seed)
        self.W = np.zeros((self.means.dimension, n_features))

    @property
    def regret(self) -> float:
        """The coefficient of ||U||^2 in the bound: alpha X^2/(2 eta)."""
        return self.alpha * self.feature_norm**2 / (2 * self.eta)

    # --- a round --------------------------------------------------------------------------------------------------

    def output(self, label: ArrayLike) -> Floats:
        """A true output as a vector (dimension,): itself, or by its number (for classes and grades, and in a list)."""
        given = np.asarray(label, dtype=float)
        if given.ndim:
            if given.shape != (self.means.dimension,):
                raise ValueError(f"an output has {self.means.dimension} entries, not {given.shape}")
            return given
        count = self.theorem.outputs.count(self.size)
        if not 0 <= int(given) < count or int(given) != given:
            raise ValueError(f"label {given:g} is not a number from 0 to {count - 1}")
        return np.asarray(self.means.vectors[int(given)])

    def loss(self, x: ArrayLike, label: ArrayLike) -> float:
        """The surrogate s (Omega*(theta) + Omega(y) - <theta, y>) at the scores theta = W x."""
        theta = self._scores(x)
        return self.scale * max(0.0, self._gap(theta, self.means.mean(theta), self.output(label)))

    def predict_proba(self, x: ArrayLike) -> Floats:
        """The decoder's distribution over the outputs, (N,), in the order of ``means.vectors``.

        Raises
        ------
        ValueError
            If there are more than 1024 of them.
        """
        if self.theorem.outputs.count(self.size) > MOST_ENUMERATED:
            raise ValueError(f"more than {MOST_ENUMERATED} outputs: use predict, or predict_marginals on the cube")
        if self._by_coordinate:
            shares = self.predict_marginals(x)
            return np.asarray(np.prod(np.where(self.means.vectors > 0, shares, 1 - shares), axis=1))
        return self._decoded(self._allowed(self._scores(x)))

    def predict_marginals(self, x: ArrayLike) -> Floats:
        """P(coordinate k is 1), (dimension,), of independent coordinates; Hamming target on the cube."""
        if not self._by_coordinate:
            return np.asarray(self.predict_proba(x) @ self.means.vectors)
        theta = self._scores(x)
        mean = self.means.mean(theta)
        most, least = self._limits(theta, mean)
        return np.asarray(np.clip((mean > 1 / 2).astype(float), np.minimum(least, most), most))

    def predict(self, x: ArrayLike) -> Floats:
        """An output drawn by the decoder, (dimension,)."""
        if self._by_coordinate:
            shares = self.predict_marginals(x)
            return np.asarray((self.random.random(shares.shape) < shares).astype(float))
        return np.asarray(self.means.vectors[self.random.choice(len(self.means.vectors), p=self.predict_proba(x))])

    def expected_target(self, x: ArrayLike, label: ArrayLike) -> float:
        """E L(yhat, y) over the draw of the prediction."""
        true = self.output(label)
        if self._by_coordinate:
            return float(np.abs(self.predict_marginals(x) - true).mean())
        place = int(np.argmin(((self.means.vectors - true) ** 2).sum(axis=1)))
        return float(self.predict_proba(x) @ self.means.table[:, place])

    def update(self, x: ArrayLike, label: ArrayLike) -> None:
        """One step: W - (eta/X^2) g, or the minimiser of loss(V x) + c X^2 ||V - W||^2 with c = 1/(2 eta)."""
        x, true = self._features(x), self.output(label)
        step = self.eta * self.scale / self.feature_norm**2
        if self.theorem.update == "gradient":
            mean = self.means.mean(self.W @ x)
        else:
            mean = self.means.mean(self.W @ x, step * float(x @ x), true)
        self.W = self.W - step * np.outer(mean - true, x)

    # --- the decoder ----------------------------------------------------------------------------------------------

    @property
    def _by_coordinate(self) -> bool:
        """Whether surrogate and target are sums over coordinates that are chosen freely."""
        is_cube = isinstance(self.theorem.outputs, Cube) and isinstance(self.theorem.target, Hamming)
        return is_cube and isinstance(self.theorem.entropy, CoordinateEntropy)

    def _limits(self, theta: Floats, mean: Floats) -> tuple[Floats, Floats]:
        """P(1) is at most what a true 0 allows, and at least 1 minus what a true 1 allows, in each coordinate."""
        ends = np.zeros(theta.shape), np.ones(theta.shape)
        allowed = []
        for end in ends:
            reached = mean
            if self.theorem.update == "proximal":
                reached = self.means.mean(theta, self.eta * self.scale, end)
            gaps = self.means._omega(end) - self.means._omega(reached) - theta * (end - reached)
            rest = self.eta * self.scale / 2 * (reached - end) ** 2
            allowed.append(self.alpha * self.scale * self.means.dimension * (gaps - rest))
        return np.clip(allowed[0], 0, 1), np.clip(1 - allowed[1], 0, 1)

    def _allowed(self, theta: Floats) -> Floats:
        """alpha (loss_y - (eta/2) ||g_y||^2) for ||x|| = X, or alpha e_y with proximal updates: (N,)."""
        vectors = self.means.vectors
        if self.theorem.update == "gradient":
            mean = self.means.mean(theta)
            top = float(theta @ mean) - self.means.value(mean)
            losses = np.array([top + self.means.value(y) for y in vectors]) - vectors @ theta
            squares = ((mean - vectors) ** 2).sum(axis=1)
            return np.asarray(self.alpha * self.scale * (losses - self.eta * self.scale / 2 * squares))
        return np.array([self._envelope(theta, y) for y in vectors])

    def _envelope(self, theta: Floats, true: Floats) -> float:
        """alpha min_delta loss(theta + delta) + c ||delta||^2, by its dual."""
        tau = self.eta * self.scale
        mean = self.means.mean(theta, tau, true)
        return self.alpha * self.scale * (self._gap(theta, mean, true) - tau / 2 * float(((mean - true) ** 2).sum()))

    def _decoded(self, allowed: Floats) -> Floats:
        """A distribution whose expected target is at most what is allowed for every true output."""
        if isinstance(self.theorem.target, ZeroOne):
            needs = VECTORS.missing(allowed)
            return VECTORS.topped_up(needs, needs.sum(), int(np.argmin(allowed)))
        return least_excess(self.means.table, allowed)

    # --- scores ---------------------------------------------------------------------------------------------------

    def _features(self, x: ArrayLike) -> Floats:
        found = np.asarray(x, dtype=float)
        if found.shape != (self.W.shape[1],) or not np.isfinite(found).all():
            raise ValueError(f"a feature vector has {self.W.shape[1]} finite entries, not {found.shape}")
        if float(np.sqrt(found @ found)) > self.feature_norm * (1 + 1e-9):
            raise ValueError(f"a feature vector is longer than feature_norm = {self.feature_norm:g}")
        return found

    def _scores(self, x: ArrayLike) -> Floats:
        return np.asarray(self.W @ self._features(x))

    def _gap(self, theta: Floats, mean: Floats, true: Floats) -> float:
        """Omega(y) - Omega(mean) - <theta, y - mean>."""
        return self.means.value(true) - self.means.value(mean) - float(theta @ (true - mean))


def least_excess(table: Floats, allowed: Floats) -> Floats:
    """The distribution over predictions that minimises max_y E L(yhat, y) - allowed_y: a linear program."""
    count = len(table)
    rows = np.hstack([table.T, -np.ones((len(allowed), 1))])
    total = np.append(np.ones(count), 0.0)[None, :]
    bounds = [(0.0, None)] * count + [(None, None)]
    found = linprog(np.eye(count + 1)[-1], A_ub=rows, b_ub=allowed, A_eq=total, b_eq=[1.0], bounds=bounds)
    if found.x is None:
        raise ArithmeticError(f"no decoder was found: {found.message}")
    weights = np.clip(found.x[:count], 0.0, None)
    return np.asarray(weights / weights.sum())
