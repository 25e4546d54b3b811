"""What the verbs ask, as functions of the library, and what is answered: objects that show themselves.

``check``, ``sharpen``, ``attack``, ``explain``, ``audit`` do the work, and print nothing. A verb calls them where it
runs; the functions of ``gaptron`` (``verbs``) have a process of its own do so, which has run no code of others.
"""
