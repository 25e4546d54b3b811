"""The symbols that theorem files are written in.

K      number of classes, K >= 2
m      margin: any real in a loss, the top margin m* >= 0 in a gap map
p      softmax probability: of the true label in a loss, the largest one p* in a gap map
z      score of a one-vector (binary) loss, any real
gamma  exploration rate, in [0, 1]
X, D   bounds on the feature norm and on the comparator norm, > 0
T      number of rounds, T >= 1
"""

from sympy import Symbol

K = Symbol("K", positive=True)
X = Symbol("X", positive=True)
D = Symbol("D", positive=True)
T = Symbol("T", positive=True)
p = Symbol("p", positive=True)
gamma = Symbol("gamma", nonnegative=True)
m = Symbol("m", real=True)
z = Symbol("z", real=True)

ALL = {s.name: s for s in (K, X, D, T, gamma, m, p, z)}
