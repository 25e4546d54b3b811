"""K = 2, D = 2, W_1 = 0, M_1 = I, x = (1), y = 2; 1/epsilon^2 = 16 D^2 * 32 K^3 D^4."""

K, D = 2, 2
threshold = 16 * D**2 * 32 * K**3 * D**4
value = 1 * 1  # l(W_1) ||x||^2
left, right = int(not value >= threshold), 0
print(f"l_1(W_1) ||x_1||^2 = {value}, 1/epsilon^2 = {threshold}: the round does not explore")
print(f"W_1 = 0 ties and may predict label 1: {left} mistake, claimed {right}")
assert not left <= right
