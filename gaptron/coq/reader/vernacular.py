"""A reader of exported Coq text: its sentences, of which few kinds may occur, and its terms as trees.

Written against the text alone: nothing of what prints it is used. A tree is ``("number", n)``, ``("name", x)``,
``("apply", head, *arguments)``, ``("if", test, then, otherwise)``, ``("forall", names, body)`` (or ``"exists"``,
``"fun"``), ``("not", a)`` or an operation ``(sign, left, right)``; ``-`` and ``/`` before a single operand are
``("minus", a)`` and ``("inverse", a)``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

Tree: TypeAlias = tuple[Any, ...]

OUTSIDE = frozenset({"Require", "From", "Import", "Open", "Definition", "Lemma", "Theorem", "Ltac", "Print"})
BULLETS = "-+*{} \n"
SENTENCE = re.compile(r"(.*?)\.(?=\s|$)\s*", re.DOTALL)
TOKEN = re.compile(r"\s*(\d+|[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*|=>|->|/\\|\\/|<>|<=|>=|%nat|%R|[-+*/^()<>=~,:])")
NAMED = re.compile(r"(?:Definition|Lemma|Theorem|Ltac)\s+([\w']+)")
DEFINITION = re.compile(r"Definition (\w+)( \([\w ]+ : R\)) : (R|Prop) :=\s(.*)", re.DOTALL)
TYPED = re.compile(r"Definition (\w+)((?: \([\w ]+ : [\w> -]+\))+) : (R|Prop|structured) :=\s(.*)", re.DOTALL)
ARGUMENTS = re.compile(r"\(([\w ]+) :")

RIGHT = {"->": 99, "\\/": 85, "/\\": 80, "^": 30}
LEFT = {"+": 50, "-": 50, "*": 40, "/": 40}
RELATIONS = {"<=": 70, "<": 70, "=": 70, "<>": 70, ">=": 70, ">": 70}
LEVELS = {**RIGHT, **LEFT, **RELATIONS}
BEFORE = {"-": ("minus", 35), "/": ("inverse", 35), "~": ("not", 75)}
BINDERS = {"forall": ",", "exists": ",", "fun": "=>"}  # with what ends their names
TYPES = ("R", "nat", "vector", "->")
WHOLE = 200
CLOSING = frozenset({")", ",", "=>", ":", "then", "else", *LEVELS})


class UnreadableError(Exception):
    """Text that this reader does not accept, and why."""


@dataclass(frozen=True)
class Definition:
    """A function of numbers, or a proposition about them; a structured problem."""

    name: str
    arguments: tuple[str, ...]
    kind: str
    body: Tree


def sentences(text: str) -> Iterator[str]:
    """Those outside of proofs; UnreadableError for a command that an export does not need, or an unfinished proof."""
    if "(*" in text:
        raise UnreadableError("there is a comment")
    in_proof, place = False, 0
    for match in SENTENCE.finditer(text):
        if text[place : match.start()].strip():
            break
        place = match.end()
        sentence = match[1].strip()
        head = re.split(r"\W", sentence.lstrip(BULLETS), maxsplit=1)[0]
        if in_proof:
            in_proof = head != "Qed"
            if in_proof and head[:1].isupper() and head != "Proof":
                raise UnreadableError(f"{head} in a proof")
            continue
        if head == "Proof":
            in_proof = True
            continue
        if head not in OUTSIDE:
            raise UnreadableError(f"the command {head or sentence}")
        yield sentence
    if in_proof or text[place:].strip():
        raise UnreadableError("it ends within a sentence or a proof")


def introduced(texts: list[str]) -> set[str]:
    """All names that some files give a meaning."""
    return {match[1] for text in texts for sentence in sentences(text) if (match := NAMED.match(sentence))}


def definitions(texts: list[str], pattern: re.Pattern[str] = DEFINITION) -> dict[str, Definition]:
    """The functions of real numbers (with ``TYPED`` of other things too) that some files define, by name."""
    found: dict[str, Definition] = {}
    for text in texts:
        for sentence in sentences(text):
            match = pattern.fullmatch(sentence)
            if match is None:
                continue
            name, arguments, kind, body = match.groups()
            if name in found:
                raise UnreadableError(f"{name} is defined twice")
            if "[" not in body:
                names = tuple(name for group in ARGUMENTS.findall(arguments) for name in group.split())
                found[name] = Definition(name, names, kind, tree(body))
    return found


def tree(text: str) -> Tree:
    """The tree of a term."""
    return _Parser(text).read()


def premises_of(term: Tree) -> tuple[list[Tree], Tree]:
    """Of an implication, and what follows from them."""
    premises = []
    while term[0] == "->":
        premises.append(term[1])
        term = term[2]
    return premises, term


def conjuncts(term: Tree) -> list[Tree]:
    """The parts of a conjunction."""
    return [term[1], *conjuncts(term[2])] if term[0] == "/\\" else [term]


def names_in(term: Any) -> set[str]:
    """All names that occur."""
    if isinstance(term, tuple) and term and term[0] == "name":
        return {term[1]}
    return {name for part in term if isinstance(part, tuple) for name in names_in(part)}


class _Parser:
    """Coq's precedences: a smaller level binds tighter."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        place, text = 0, text.strip()
        while place < len(text):
            match = TOKEN.match(text, place)
            if match is None:
                raise UnreadableError(f"{text[place : place + 20]!r} in a term")
            self.tokens.append(match[1])
            place = match.end()
        self.place = 0

    def read(self) -> Tree:
        found = self._term(WHOLE)
        if self._next:
            raise UnreadableError(f"{self._next!r} after a term")
        return found

    @property
    def _next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def _take(self, *expected: str) -> str:
        token = self._next
        if not token or (expected and token not in expected):
            raise UnreadableError(f"{token or 'the end'!r} where {' or '.join(expected) or 'a term'} is expected")
        self.place += 1
        return token

    def _term(self, limit: int) -> Tree:
        left = self._operand(limit)
        while LEVELS.get(self._next, WHOLE + 1) <= limit:
            sign = self._take()
            level = LEVELS[sign]
            left = (sign, left, self._term(level if sign in RIGHT else level - 1))
        return left

    def _operand(self, limit: int) -> Tree:
        if self._next in BINDERS:
            return self._bound_by(self._take())
        if self._next == "if":
            return self._branch()
        if self._next in BEFORE:
            name, level = BEFORE[self._take()]
            return name, self._term(min(level, limit))
        head, arguments = self._atom(), []
        while self._next and self._next not in CLOSING and not self._next.startswith("%"):
            arguments.append(self._atom())
        return ("apply", head, *arguments) if arguments else head

    def _bound_by(self, binder: str) -> Tree:
        names: list[str] = []
        while self._next not in (")", *BINDERS.values()):
            if self._next == "(":
                self._take()
                names += self._bound()
                self._take(")")
            else:
                names += self._bound()
        self._take(BINDERS[binder])
        return binder, tuple(names), self._term(WHOLE)

    def _bound(self) -> list[str]:
        names = []
        while self._next not in (")", ",", "=>", ":", "("):
            names.append(self._take())
        if self._next == ":":
            self._take()
            self._take(*TYPES)
            while self._next in TYPES:
                self._take()
        return names

    def _branch(self) -> Tree:
        self._take("if")
        test = self._term(WHOLE)
        self._take("then")
        then = self._term(WHOLE)
        self._take("else")
        return "if", test, then, self._term(WHOLE)

    def _atom(self) -> Tree:
        if self._next == "(":
            self._take()
            found = self._term(WHOLE)
            self._take(")")
            if self._next in ("%nat", "%R"):
                self._take()
            return found
        word = self._take()
        if word.isdigit():
            return "number", int(word)
        if not (word[0].isalpha() or word[0] == "_"):
            raise UnreadableError(f"{word!r} where a term is expected")
        return "name", word
