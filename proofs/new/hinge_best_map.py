"""The multiclass hinge loss with the best gap map: a smaller regret constant, for losses that count in more rounds.

**Problem.** Online multiclass classification with full information: K classes, ||x|| <= X, any comparator U.

**Algorithm.** Gaptron (Algorithm 1) with gamma = 0 on the hinge loss max(1 - m(W, y), 0), switched off on rounds whose
top label is right with top margin m* > (K - 1)/K. The gap map is a = max(0, 1 - K m*/(K - 1)), the learning rate
eta = 1/(K X^2).

**Theoretical guarantee.** **Upper bound**: E[mistakes] <= sum l_t(U) + (K/2) X^2 ||U||^2, the cases of l_t being those
of W_t. Theorem 2 has K^2/(2 (K - 1)), which is twice as much for K = 2, where beta is the same; for K >= 3 its
threshold is 1/K, and losses of U count in fewer rounds. The learning rate is **tight**, for this gap
map and for every randomized prediction: at W = 0 all labels are tied, h = loss - (eta/2) ||g||^2 = 1 - eta for each of
them, and probabilities of at least 1 - h = eta for all K labels need K eta <= 1.

Proof in two lines. A right round with m* = s <= (K - 1)/K costs a (K - 1)/K - (1 - s) + eta, which is 0 for this map.
A wrong round with margin -t <= -s costs at most 1 - a/K - (1 + t) + 1/K = s/(K - 1) - t <= 0.

The bound is **attained** for every K: K - 1 rounds of one point with ||x|| = X and label K - 1. After t of them the top
margin is t/K, so that P(wrong) = (K - 1 - t)/K, (K - 1)/2 in sum. The comparator with margin 1 and the least norm has
no loss and X^2 ||U||^2 = (K - 1)/K, so that the regret is (K - 1)/2.

**References.** The loss is equation (2) of van der Hoeven 2020 with beta = (K - 1)/K; the map and the constant are new.
"""

from sympy import Max

from gaptron import Contact, GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

hinge_best_map = Theorem(
    name="hinge, best gap map",
    source="beside van der Hoeven 2020, Theorem 2; another threshold",
    loss=MarginLoss(Max(1 - m, 0), off_above=(K - 1) / K),
    gap_map=GapMap(Max(0, 1 - K * m / (K - 1))),
    learning_rate=1 / K,
    regret=K / 2,
    sharp_at=Contact(right=False, margin=0),
)
