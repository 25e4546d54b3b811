"""K = 2, W = 0, x = (1), y = 2; a tie goes to label 1."""

W, y = (0, 0), 1
loss = (1 - W[y] + W[1 - y]) ** 2
top = W.index(max(W))
left, right = int(top != y), 0
print(f"l(W) = (1 - 0 + 0)^2 = {loss} <= 1")
print(f"the top label is label {top + 1}, the true one label {y + 1}: {left} mistake")
assert not (loss <= 1 and left <= right)
