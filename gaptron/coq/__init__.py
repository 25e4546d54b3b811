"""Certificates of the kernel as Coq proofs, and theorem files as Coq developments that compile by themselves.

Nothing here is trusted: what it writes is checked by Coq. ``real_terms`` prints the kernel's language over Coq's
reals; ``kernel_data`` writes claims and certificates as data of the verified kernel, ``proofs/coq/kernel``, and
``proved`` as lemmas that it closes. ``records`` has theorems as data, and ``extracted`` runs what Coq computes of
them. The other lemmas that developments use are in ``proofs/coq``.
"""
