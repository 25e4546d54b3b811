"""What ties a claim to the Coq statements that it names: a person who read both, and the digest of what was read.

Of the claim that is its words and its verdict, of a statement what Coq prints of it and of every definition that it is
made of. If one of them changes, nobody has compared them. The digests are shipped with the library, so that a claim of
somebody else has no evidence by the name of a theorem alone.
"""

import re
import tomllib
from hashlib import sha256

from gaptron.coq.library import folder
from gaptron.ledger.reviewers import recorded
from gaptron.system.documents import Document
from gaptron.theory.claims import LedgerClaim

COMPARED = "compared.toml"
WORD = re.compile(r"[A-Za-z_][\w']*")


def in_coq(claim: LedgerClaim) -> list[Document]:
    """The statements that it names, as Coq prints them, and in what sense a person found that they are the claim."""
    if not claim.coq:
        return []
    printed = recorded()["statements"]
    compared = "compared by nobody" if not_compared(claim) else f"compared by hand: {_compared()[claim.id]['says']}"
    pairs = [(*statement.split(":"), theorem) for statement, theorem in claim.coq.items()]
    return [
        {
            "name": name,
            "file": file,
            "theorem": theorem,
            "compared": compared,
            "statement": _text(printed.get(name, {})),
        }
        for file, name, theorem in pairs
    ]


def not_compared(claim: LedgerClaim) -> str | None:
    """Why what the claim names is no evidence, if nobody compared these words with these statements."""
    if not claim.coq or _compared().get(claim.id, {}).get("digest") == (found := digest(claim)):
        return None
    names = ", ".join(claim.coq)
    return f"nobody compared these words with {names} of Coq (proofs/coq/{COMPARED} would have {found})"


def digest(claim: LedgerClaim) -> str:
    """Of everything that has to be read to compare them."""
    said = recorded()
    texts = {name: text for names in said["definitions"].values() for name, text in names.items()}
    texts |= {name: _text(one) for name, one in said["statements"].items()}
    waiting, read = [statement.partition(":")[2] for statement in claim.coq], dict[str, str]()
    while waiting:
        name = waiting.pop()
        if name not in read:
            read[name] = texts.get(name, "")
            waiting += [word for word in WORD.findall(read[name]) if word in texts]
    parts = [claim.recorded, " ".join(claim.statement.split()), *claim.coq]
    return f"sha256:{sha256(chr(0).join(parts + [t for _, t in sorted(read.items())]).encode()).hexdigest()}"


def _text(one: Document) -> str:
    return str(one.get("printed", ""))


def _compared() -> dict[str, dict[str, str]]:
    return tomllib.loads((folder() / COMPARED).read_text(encoding="utf-8"))
