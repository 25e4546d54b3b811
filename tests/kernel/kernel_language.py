"""Claims and proofs of the kernel, written as a person would."""

import ast
from fractions import Fraction
from typing import Any

from gaptron.kernel import Claim

Proof = dict[str, Any]
SIGNS = {ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">", ast.Eq: "=", ast.NotEq: "!="}


def term(text: str) -> Any:
    """A term's JSON from Python's notation: x**2 - 1/x + log(x) + root(x, 3)."""
    return _term(ast.parse(text, mode="eval").body)


def _term(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=int(value)):
            return str(value)
        case ast.Name(id=name):
            return name
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _term(operand)
            return f"-{inner}" if isinstance(inner, str) and inner[0].isdigit() else ["*", "-1", inner]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return ["+", _term(left), _term(right)]
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return ["+", _term(left), ["*", "-1", _term(right)]]
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return ["*", _term(left), _term(right)]
        case ast.BinOp(left=ast.Constant(value=int(top)), op=ast.Div(), right=ast.Constant(value=int(below))) if below:
            return str(Fraction(top, below))
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return ["*", _term(left), ["^", _term(right), -1]]
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return ["^", _term(left), ast.literal_eval(right)]
        case ast.Call(func=ast.Name(id="root"), args=[argument, degree]):
            return ["root", _term(argument), ast.literal_eval(degree)]
        case ast.Call(func=ast.Name(id=function), args=[argument]):
            return [function, _term(argument)]
    raise ValueError(ast.dump(node))


def relation(text: str) -> list[Any]:
    node = ast.parse(text.strip(), mode="eval").body
    assert isinstance(node, ast.Compare)
    return [SIGNS[type(node.ops[0])], _term(node.left), _term(node.comparators[0])]


def claim(text: str) -> Claim:
    """A claim from "hypothesis; hypothesis |- conclusion", or "... |- conclusion for integers term; term"."""
    given, rest = text.split("|-")
    then, _, integers = rest.partition(" for integers ")
    data = {"given": [relation(part) for part in given.split(";") if part.strip()], "then": relation(then)}
    return Claim.read(data | ({"integers": [term(part.strip()) for part in integers.split(";")]} if integers else {}))


def combination(*summands: Any, equations: Any = (), bounds: Any = ()) -> Proof:
    """Summands (c, facts) or (c, facts, square), equations (fact, factor), bounds (term, bits); terms as text."""
    return {
        "rule": "combination",
        "bounds": [[term(t), bits] for t, bits in bounds],
        "summands": [[c, facts, term(square[0] if square else "1")] for c, facts, *square in summands],
        "equations": [[fact, term(factor)] for fact, factor in equations],
    }


def add_up(*facts: int) -> Proof:
    """The sum of facts."""
    return combination(*(("1", [fact]) for fact in facts))


ONE = ("1", [])
DIRECT: Proof = {"rule": "interval", "bits": 32, "form": "direct"}
MEAN: Proof = {"rule": "interval", "bits": 32, "form": "mean"}


def interval(bits: Any = 32, form: Any = "direct") -> Proof:
    return {"rule": "interval", "bits": bits, "form": form}


def lemma(known: str, proof: Proof, then: Proof) -> Proof:
    return {"rule": "lemma", "relation": relation(known), "proof": proof, "then": then}


def cases(split: str, below: Proof, above: Proof) -> Proof:
    return {"rule": "cases", "split": term(split), "below": below, "above": above}


def integer(whole: str, at: Any, below: Proof, above: Proof) -> Proof:
    return {"rule": "integer", "term": term(whole), "at": at, "below": below, "above": above}


def both(upper: Proof, lower: Proof) -> Proof:
    return {"rule": "both", "upper": upper, "lower": lower}


def apart(sign: Any, proof: Proof) -> Proof:
    return {"rule": "apart", "sign": sign, "proof": proof}


def weaken(keep: Any, proof: Proof) -> Proof:
    return {"rule": "weaken", "keep": keep, "proof": proof}


def contradiction(hypothesis: Any) -> Proof:
    return {"rule": "contradiction", "hypothesis": hypothesis}


def move(direction: Any, slope: Proof, *ends: Proof, facts: Any = (), variable: Any = "x") -> Proof:
    return {
        "rule": "move",
        "variable": variable,
        "direction": direction,
        "facts": [[relation(known), proof] for known, proof in facts],
        "slope": slope,
        "ends": list(ends),
    }


def fixed(value: Any, proof: Proof, variable: Any = "x") -> Proof:
    return {"rule": "fixed", "variable": variable, "value": value, "proof": proof}


def generalize(named: str, proof: Proof, new: Any = "u") -> Proof:
    return {"rule": "generalize", "term": term(named), "new": new, "proof": proof}
