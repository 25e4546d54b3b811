"""The weighted smoothed hinge loss with the best decoder: w^2 + 1 in the place of 2 w^2.

**Problem.** Online binary classification, labels -1 and +1, ||z|| <= R, any comparator u; errors on the class +1 weigh
w >= 1 times as much, up to 4 (the blog has w = 2).

**Algorithm.** One weight vector, as in the blog's Algorithm 1, with eta = 1/(2 (w^2 + 1) R^2). Each label y gets the
probability max(0, 1 - l_y + (eta/2) ||g_y||^2), and what is left goes to the sign of <z, x>.

**Theoretical guarantee.** **Upper bound**: E[mistakes] <= sum l_t(u) + (w^2 + 1) R^2 ||u||^2; at w = 2 the blog has
8, and this is 5. The learning rate is **tight** for every randomized prediction: at m = 0 both losses are 1, the
gradients have norms 2 w R and 2 R, and the two labels need 2 eta R^2 (w^2 + 1) <= 1.

A gap map treats both labels alike and has to serve the worse one: 2 w^2 is the best that any of them allows.

**References.** The loss is Orabona's blog, Example 3; the decoder and the constant are new.
"""

from sympy import Piecewise

from gaptron import BinaryLoss, Parameter, Theorem
from gaptron.symbols import z

w = Parameter("w", 1, 4)

weighted_hinge_best_decoder = Theorem(
    name="weighted smoothed hinge, best decoder",
    source="improves Orabona's blog, Example 3",
    loss=BinaryLoss(
        plus=Piecewise((1 - 2 * w * z, z < 0), ((1 - z) ** 2, z <= 1), (0, True)),
        minus=Piecewise((1 + 2 * z, z > 0), ((1 + z) ** 2, z >= -1), (0, True)),
    ),
    decoder="best",
    learning_rate=1 / (2 * (w**2 + 1)),
    regret=w**2 + 1,
)
