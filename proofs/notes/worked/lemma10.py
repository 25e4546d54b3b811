"""K = 2, T = 1, W* = (2, -2), x_1 = 1, y_1 = 1: the round explores, and the guess is label 2."""

guess, y = 2, 1
Z = int(guess == y)
left, right = int(guess != y), Z
print(f"the guess is wrong, so Z_1 = {Z}")
print(f"mistakes = {left}, N = sum Z_t = {right}: N counts right guesses, not exploration rounds")
assert not left <= right
