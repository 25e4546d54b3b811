"""Against every algorithm: the adversaries that force a regret, with exact numbers.

That a constant is attained is an obligation (``obligations.attained``); the optimal one is a question of ``sharpen``.
"""
