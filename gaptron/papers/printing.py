"""A file's settings, claims and proofs as a paper would print them: Markdown with LaTeX."""

import ast
import re
from collections.abc import Sequence

from gaptron.papers.checked_files import ProvedClaim
from gaptron.papers.layout import ProofLine, blocks
from gaptron.papers.normal_forms import relation
from gaptron.papers.proof_lines import STEP
from gaptron.papers.statements import EVERY, MOVES, StatedClaim

GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "eta", "kappa", "mu", "nu", "rho", "sigma", "tau", "phi", "psi",
    "theta", "omega",
}  # fmt: skip
NAMES = {"lam": r"\lambda", "eps": r"\epsilon", "yhat": r"\hat y", "ystar": "y^*", "l": r"\ell"}
SIGNS = {ast.LtE: r"\le", ast.GtE: r"\ge", ast.Lt: "<", ast.Gt: ">", ast.Eq: "=", ast.NotEq: r"\ne", ast.In: r"\in"}
SHAPES = {
    "norm2": r"\|{0}\|^2", "norm": r"\|{0}\|", "sqrt": r"\sqrt{{{0}}}", "total": r"\sum_t \left({0}\right)",
    "mean": r"\mathbb{{E}}_t\left[{0}\right]", "expect": r"\mathbb{{E}}\left[{0}\right]", "ind": r"\mathbb{{1}}[{0}]",
    "e": "e_{{{0}}}", "outer": r"\left({0}\right) \otimes {1}", "end": "{0}_{{T+1}}", "max": r"\max\{{{0}, {1}\}}",
    "min": r"\min\{{{0}, {1}\}}", "exp": r"\exp\left({0}\right)", "log": r"\ln\left({0}\right)",
}  # fmt: skip


def name_of(name: str) -> str:
    """A symbol in TeX."""
    if name in NAMES:
        return NAMES[name]
    if name in GREEK:
        return "\\" + name
    parts = re.fullmatch(r"([A-Za-z])(\d+|n)", name)
    if parts:
        return f"{parts[1]}_{{{parts[2]}}}" if parts[2] != "n" else f"{parts[1]}'"
    return name if len(name) == 1 else rf"\mathrm{{{name}}}"


def tex(node: ast.AST, tight: int = 0) -> str:
    """An expression in TeX; tight: 1 in a sum, 2 right of a minus or in a product, 4 below a power."""
    if isinstance(node, ast.Name):
        return name_of(node.id)
    if isinstance(node, ast.UnaryOp):
        return _wrapped("-" + tex(node.operand, 2), tight > 1)
    if isinstance(node, ast.BinOp):
        return _operation(node, tight)
    if isinstance(node, ast.Compare):
        links = zip(node.ops, node.comparators, strict=True)
        return tex(node.left) + "".join(f" {SIGNS[type(op)]} {tex(right)}" for op, right in links)
    if isinstance(node, ast.Call):
        return _call(node)
    return ast.unparse(node)


def _wrapped(text: str, wrap: bool) -> str:
    return rf"\left({text}\right)" if wrap else text


def _operation(node: ast.BinOp, tight: int) -> str:
    op, left, right = type(node.op), node.left, node.right
    if op is ast.Add:
        return _wrapped(f"{tex(left, 1)} + {tex(right, 1)}", tight > 1)
    if op is ast.Sub:
        return _wrapped(f"{tex(left, 1)} - {tex(right, 2)}", tight > 1)
    if op is ast.Div:
        return rf"\frac{{{tex(left)}}}{{{tex(right)}}}"
    if op is ast.MatMult:
        return rf"\langle {tex(left)}, {tex(right)} \rangle"
    if op is ast.Pow:
        return f"{tex(left, 4)}^{{{tex(right)}}}"
    return _wrapped(rf"{tex(left, 2)}\,{tex(right, 2)}", tight > 3)


def _call(node: ast.Call) -> str:
    name, args = ast.unparse(node.func), node.args
    if name == "max" and isinstance(args[0], ast.GeneratorExp):
        (over,) = args[0].generators
        return rf"\max_{{{', '.join(map(tex, over.ifs)) or tex(over.target)}}} {tex(args[0].elt, 2)}"
    shown = [tex(a) for a in args]
    return SHAPES[name].format(*shown) if name in SHAPES else rf"{name_of(name)}\left({', '.join(shown)}\right)"


def math(text: str) -> str:
    """A formula or term, in dollars, with what is said for all."""
    if every := EVERY.fullmatch(text.strip()):
        given = f" with {' and '.join(math(c) for c in every[3].split(' and '))}" if every[3] else ""
        return f"for all ${name_of(every[1])}${given}: {math(every[4])}"
    return f"${tex(ast.parse(text.strip(), mode='eval').body)}$"


def formula(stated: StatedClaim) -> str:
    """What a claim says, in TeX."""
    return r",\quad ".join(tex(ast.parse(part.strip(), mode="eval").body) for part in stated.text.split(" and "))


def printed(text: str, claims: Sequence[ProvedClaim]) -> str:
    """A file as a paper would print it, with what each claim rests on."""
    of = {claim.stated.name: claim for claim in claims}
    out: list[str] = []
    for block in blocks(text):
        if block.text.startswith("setting"):
            out += _setting(block)
        else:
            out += _claim(block, of[block.text.split()[1]])
    return "\n".join(out)


def _setting(block: ProofLine) -> list[str]:
    title = re.search(r'"(.*)"', block.text)
    out = [f"## {title[1] if title else block.text.split()[1].rstrip(':')}", ""]
    for line in (line for line in block.below if line.text != "example:"):
        out += [f"- {_declaration(one)}{' (in each round)' if one is not line else ''}" for one in line.below or [line]]
    return [*out, ""]


def _declaration(line: ProofLine) -> str:
    word, _, rest = line.text.partition(" ")
    if word in ("let", "define"):
        left, right = rest.split(" = ", 1)
        return f"*Definition.* {math(left)} is {math(right)}"
    if word == "protocol":
        return f"*Protocol.* {math(rest)}"
    if word == "assume":
        body, _, source = rest.partition(" from ")
        return f"*Assumption.* {math(body)}" + (f" ({source})" if source else "")
    if word == "state" and (moves := MOVES.fullmatch(rest)):
        return f"*State.* ${name_of(moves[1])}_1$ = {math(moves[3])}, then {math(moves[4])}"
    return f"{word} {rest}"


def _claim(block: ProofLine, claim: ProvedClaim) -> list[str]:
    parts = " and ".join(math(part) for part in claim.stated.text.split(" and "))
    out = [f"**Theorem ({claim.stated.name}).** {parts}.", ""]
    if claim.status == "holds":
        out += [f"*{_rests(claim)}*", ""]
    normal = [f"- {math(relation(goal))}" for goal in claim.stated.goals if goal[0] == "rel"]
    note = ["<details><summary>normal form</summary>", "", *normal, "", "</details>", ""]
    return [*out, *note, "*Proof.*", "", *_lines(block), "", "$\\blacksquare$", ""]


def _rests(claim: ProvedClaim) -> str:
    hyps = {h for p in claim.proved for h in p.hyps}
    facts = sorted(h.text for h in hyps if h.kind == "fact")
    ours = sorted({h.text for h in hyps if h.kind == "ours"})
    assumed = ["the assumptions"] if any(h.kind == "assumption" for h in hyps) else []
    said = ["the definitions", "the protocol", *assumed, *facts]
    return f"Rests on {', '.join(said)}" + (f"; assumed without a quotation: {'; '.join(ours)}." if ours else ".")


def _lines(block: ProofLine) -> list[str]:
    return [f"{'  ' * depth}- {_step(line)}" for one in block.below for depth, line in one.walk()]


def _step(line: ProofLine) -> str:
    if line.text in ("yes:", "no:"):
        return "If so:" if line.text == "yes:" else "If not:"
    if line.text.startswith("let "):
        return _declaration(line)
    found = STEP.fullmatch(line.text)
    tag, body, hint = (found[1], found[2], found[3] or "") if found else ("", line.text, "")
    lead = f"({tag}) " if tag else ""
    if body.startswith("cite "):
        return f"{lead}By {body.removeprefix('cite ')}."
    if hint.startswith("cases on "):
        return f"{lead}{math(body)}, according as {math(hint.removeprefix('cases on '))}:"
    return f"{lead}{math(body)}" + (f" ({hint})" if hint else "")
