"""Proof files: read, then replayed from their trees, or searched; and what a claim that holds rests on."""

import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from gaptron.language.rejection import Rejected
from gaptron.language.terms import Json
from gaptron.papers.examples import check_example, joined
from gaptron.papers.layout import PlaceError, ProofLine, UnreadError, blocks
from gaptron.papers.proof_lines import Cited, Proof, StepError
from gaptron.papers.rules import Judgement
from gaptron.papers.statements import PaperSetting, StatedClaim, read_claim, read_setting
from gaptron.papers.textbook import FILE
from gaptron.papers.trees import COQ, TreeWriter, cited_in, is_ours, is_whole, replayed
from gaptron.papers.typed_formulas import Hypothesis
from gaptron.system.child import Child, EndedError
from gaptron.system.documents import Document
from gaptron.theory.shipped import FileError

FORMAT = "gaptron proof 2"
SEARCH_SECONDS = 1200.0  # of one claim
SAID = {"declaration": "definition"}  # the range of a symbol says what it is


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """FileError, with the place, if this proof file cannot be read in the block, or the trees beside it."""
    try:
        yield
    except PlaceError as error:
        raise FileError(f"{path}: {error}", error.line) from error
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


@dataclass
class ProvedClaim:
    """A claim and what became of it: "holds", "false" or "not found", with the line and the reason."""

    stated: StatedClaim
    status: str
    proved: Sequence[Judgement] = ()
    line: int = 0
    reason: str = ""
    searched: bool = False
    seconds: float = 0.0
    tree: Json = None
    idle: list[int] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    cites: tuple["ProvedClaim", ...] = ()

    @property
    def whole(self) -> bool:
        """Whether it holds, and rests on nothing of the author's own, nor does a claim that it cites."""
        return self.status == "holds" and is_whole(self.proved) and all(claim.whole for claim in self.cites)


class ProofLibrary:
    """The claims of the files that were read, in order, and the settings of the last one."""

    def __init__(self) -> None:
        self.settings: dict[str, PaperSetting] = {}
        self.cited: dict[str, Cited] = {}
        self.number_of: dict[int, tuple[str, int]] = {}
        self.claims: list[ProvedClaim] = []

    def read(self, text: str) -> list[StatedClaim]:
        """The claims that a file states in its own settings.

        Raises
        ------
        PlaceError
            If a line cannot be read.
        """
        stated: list[StatedClaim] = []
        self.settings = {}
        for line in blocks(text):
            word = line.text.split(" ")[0]
            if word == "setting":
                setting = read_setting(line, self.settings)
                self.settings[setting.name] = setting
                setting.example = joined(setting.base.example if setting.base else None, setting.example)
                if setting.example is not None:
                    check_example(setting, setting.example)
            elif word == "claim":
                stated.append(self._claim(line, stated))
            else:
                raise line.place(UnreadError("a file has settings and claims", word))
        return stated

    def _claim(self, line: ProofLine, before: Sequence[StatedClaim]) -> StatedClaim:
        found = read_claim(line, self.settings)
        if found.name in {*self.cited, *(c.name for c in before)}:
            raise line.place(UnreadError(f"{found.name} is claimed already", found.name))
        return found

    def decide(self, stated: StatedClaim, tree: Json, search: bool, seconds: float = SEARCH_SECONDS) -> ProvedClaim:
        """Replay a claim's tree; search for at most ``seconds`` if there is none that proves it."""
        started = time.monotonic()
        claim = self._replayed(stated, tree)
        if claim is None and not search:
            claim = ProvedClaim(stated, "not found", line=stated.line.number, reason="no tree of rules proves it")
        if claim is None:
            claim = self._searched_apart(stated, seconds)
        claim.seconds = time.monotonic() - started
        names = cited_in(claim.tree["steps"]) if claim.tree else ()
        claim.cites = tuple(c for c in self.claims if c.stated.name in names)
        self.claims.append(claim)
        if claim.status == "holds":
            self.cited[stated.name] = Cited(stated.setting, claim.proved)
            self.number_of |= {id(p): (stated.name, i) for i, p in enumerate(claim.proved)}
        return claim

    def _replayed(self, stated: StatedClaim, tree: Json) -> ProvedClaim | None:
        if tree is None or tree.get("proof") != proof_digest(stated):
            return None
        try:
            found = replayed(stated, {name: c.proved for name, c in self.cited.items()}, rules_of(tree))
        except Rejected:
            return None
        return ProvedClaim(stated, "holds", found, tree=tree, idle=list(tree.get("idle", [])))

    def _searched_apart(self, stated: StatedClaim, seconds: float) -> ProvedClaim:
        """What a process finds that can be killed: its tree is replayed here, and believed for that alone."""
        child = Child(lambda voice: voice.say(self._searched(stated)))
        try:
            said = child.hear(seconds)
        except EndedError as error:
            said = {"line": stated.line.number, "reason": f"the search ended: {error}"}
        finally:
            child.stop()
        if said is None:
            said = {"line": stated.line.number, "reason": f"the search took more than {seconds:g} seconds"}
        if "place" in said:
            raise PlaceError(*said["place"])
        claim = self._replayed(stated, said.pop("tree", None)) or ProvedClaim(stated, "not found", **said)
        claim.status, claim.searched = "false" if claim.values else claim.status, True
        return claim

    def _searched(self, stated: StatedClaim) -> dict[str, Json]:
        """The tree; or the line that is not proved, why, and values at which it is false; or the place of an error."""
        proof = Proof(stated, self.cited, [c.stated.name for c in self.claims if c.status != "holds"])
        try:
            found = proof.proved()
        except PlaceError as error:
            return {"place": [error.reason, error.line, error.column]}
        except StepError as error:
            return {"line": error.line, "reason": _why(error), "values": error.values}
        writer = TreeWriter(stated.setting.hyps, self.number_of)
        tree = {"proof": proof_digest(stated), **writer.tree(found)}
        tree["idle"] = [line for line, some in proof.added if some and not any(id(p) in writer.step_of for p in some)]
        return {"tree": tree}


def _why(error: StepError) -> str:
    if error.values:
        return "it fails at " + ", ".join(f"{name} = {value}" for name, value in error.values.items())
    return error.reason


def proof_digest(stated: StatedClaim) -> str:
    """Of the lines of a proof, so that a proof that was edited is searched again."""
    lines = [" " * depth + " ".join(line.text.split()) for depth, line in stated.line.walk()]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def rules_of(tree: dict[str, Json]) -> dict[str, Json]:
    """A tree without what is noted beside its rules."""
    return {name: part for name, part in tree.items() if name not in ("proof", "idle")}


def tree_file(path: Path) -> Path:
    """Where the trees of a file stand."""
    return path.with_name(path.name + ".json")


def read_trees(path: Path) -> dict[str, Json]:
    """The trees beside a file, by claim; none if there is no such file.

    Raises
    ------
    FileError
        If there is one that cannot be read, or is of another format.
    """
    file = tree_file(path)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise FileError(f"{file}: no trees of rules: {getattr(error, 'strerror', None) or error}") from error
    good = isinstance(data, dict) and data.get("format") == FORMAT and isinstance(data.get("claims"), dict)
    if not good or not all(isinstance(tree, dict) for tree in data["claims"].values()):
        raise FileError(f"{file}: no trees of rules of the format {FORMAT!r}; without this file they are searched")
    trees: dict[str, Json] = data["claims"]
    return trees


def trees_text(claims: Sequence[ProvedClaim]) -> str:
    """The file of the trees of claims that hold."""
    trees = {c.stated.name: c.tree for c in claims if c.tree is not None}
    return json.dumps({"format": FORMAT, "claims": trees}, sort_keys=True, separators=(",", ":")) + "\n"


def hypotheses(claim: ProvedClaim) -> list[Document]:
    """{"text", "kind", ...} of each: definition, protocol, assumption, fact, claim (one that is whole) or ours."""
    hyps = {h for p in claim.proved for h in p.hyps}
    rows = [_row(h) for h in sorted(hyps, key=lambda h: (h.kind, h.text))]
    cited = [_listed(one.stated.name, "claim" if one.whole else "ours") for one in claim.cites]
    return list({(row["text"], row["kind"]): row for row in (*rows, *cited)}.values())


def _row(h: Hypothesis) -> Document:
    kind = "ours" if is_ours(h) else SAID.get(h.kind, h.kind)
    closed = [f"{FILE}:{name}" for name in COQ[h.text]] if kind == "fact" else []
    return _listed(h.text, kind, h.location, h.quote, ", ".join(closed) or None)


def _listed(text: str, kind: str, location: str = "", quote: str = "", coq: str | None = None) -> Document:
    return {"text": text, "kind": kind, "location": location, "quote": quote, "coq": coq}
