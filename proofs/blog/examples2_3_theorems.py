"""The blog's Examples 2 and 3: losses of one weight vector, two classes.

**Problem.** Online binary classification, labels -1 and +1, ||z|| <= R, any comparator u.

**Algorithm.** The blog's Algorithm 1 with x_1 = 0: predict the sign of m = <z, x> with probability 1 - a, else guess;
the gap map is the loss of the predicted label, a = l(m, yhat); x moves by -eta g.

**Theoretical guarantee.** **Upper bounds**, Theorem 1 of the blog: E[mistakes] <= sum l_t(u) + c R^2 ||u||^2 with c = 2
for the squared hinge loss and the smoothed hinge loss (eta = 1/(4 R^2)), and c = 8 for the weighted smoothed hinge loss
(eta = 1/(16 R^2)). All three learning rates are **tight** for the gap inequality: at m = 0 the gap is exactly 0.

The last theorem has a weight w of the class +1 from 1 to 4: with eta = 1/(4 w^2 R^2) the constant is 2 w^2.

**References.** Orabona's blog, Theorem 1, Examples 2 and 3.
"""

from sympy import Max, Min, Piecewise, Rational

from gaptron import BinaryLoss, Claim, Contact, GapMap, InProof, Parameter, Theorem
from gaptron.symbols import m, z

FILE = "losses.proof"

smoothed = Piecewise((1 - 2 * z, z < 0), ((1 - z) ** 2, z <= 1), (0, True))
w = Parameter("w", 1, 4)


def weighted(weight):
    """The smoothed hinge loss with slope -2 weight on errors of the class +1."""
    return BinaryLoss(
        plus=Piecewise((1 - 2 * weight * z, z < 0), ((1 - z) ** 2, z <= 1), (0, True)),
        minus=Piecewise((1 + 2 * z, z > 0), ((1 + z) ** 2, z >= -1), (0, True)),
    )


squared_hinge = Theorem(
    name="blog, squared hinge",
    source="Orabona's blog, Example 2",
    loss=BinaryLoss(plus=Max(1 - z, 0) ** 2),
    gap_map=GapMap(Max(1 - m, 0) ** 2),
    learning_rate=Rational(1, 4),
    regret=2,
    sharp_at=Contact(right=True, margin=0),
)

smoothed_hinge = Theorem(
    name="blog, smoothed hinge",
    source="Orabona's blog, Example 2",
    loss=BinaryLoss(plus=smoothed),
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    learning_rate=Rational(1, 4),
    regret=2,
    sharp_at=Contact(right=True, margin=0),
)

weighted_hinge = Theorem(
    name="blog, weighted smoothed hinge",
    source="Orabona's blog, Example 3",
    loss=weighted(2),
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    learning_rate=Rational(1, 16),
    regret=8,
    sharp_at=Contact(right=True, margin=0),
)

weighted_hinges = Theorem(
    name="blog, smoothed hinge with weight w in [1, 4]",
    source="Orabona's blog, Example 3",
    loss=weighted(w),
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    learning_rate=1 / (4 * w**2),
    regret=2 * w**2,
)

claims = (
    Claim(
        id="blog/examples-convex",
        kind="reading",
        quote="it still satisfies all the assumptions of Theorem 1, and it is {2}-self-bounded in its first argument",
        source="Orabona's blog, Examples 2 and 3",
        statement="the squared hinge loss, the smoothed hinge loss and the weighted smoothed hinge loss are convex and "
        "not negative",
        grounds=tuple(
            InProof(FILE, f"blog/{loss}-convex") for loss in ("squared-hinge", "smooth-hinge", "weighted-hinge")
        ),
        recorded="PROVED",
    ),
    Claim(
        id="blog/examples-bounds",
        kind="reading",
        quote=r"\sum_{t=1}^T (\ell^\text{hinge}_t)^2({\boldsymbol u}) + 2\|{\boldsymbol u}-{\boldsymbol x}_1\|_2^2 R^2",
        source="Orabona's blog, Examples 2 and 3",
        statement="E[mistakes] <= E[sum l_t(u)] + c R^2 ||u - x_1||^2 for every u: c = 2 for the squared hinge loss "
        "and the smoothed hinge loss, both with eta = 1/(4 R^2), and c = 8 for the weighted smoothed hinge loss with "
        "eta = 1/(16 R^2)",
        grounds=tuple(InProof(FILE, f"blog/{loss}-bound") for loss in ("squared", "smoothed", "weighted")),
        recorded="PROVED",
        finding="The learning rates are the largest for the gap inequality.",
    ),
)
