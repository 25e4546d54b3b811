"""What can be run, by its name; nothing is imported, so that a usage error is said at once."""

LEARNERS = (
    "proximal-logistic",
    "gaptron",
    "perceptron",
    "second-order-perceptron-diagonal",
    "banditron",
    "pnewtron",
    "soba-diagonal",
    "second-order-perceptron",
    "online-newton-step",
    "newtron",
    "soba",
)
LOSSES = ("logistic", "hinge", "smooth-hinge")
DEFAULT, GAPTRON = LEARNERS[:2]
