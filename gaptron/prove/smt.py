"""Algebraic claims as SMT-LIB 2 over the reals, decided by two independent solvers.

Fractional powers and irrational constants become fresh variables with their defining equations or certain enclosures.
Every denominator is shown not to vanish before it is multiplied out: solvers divide by zero as they like. What a root
is taken of is shown not to be negative before the root is said to exist: with it anything would follow.
"""

from dataclasses import dataclass, field
from fractions import Fraction

import sympy as sp
from sympy.core.relational import Relational

from gaptron.guesses.computer_algebra import seems_nonnegative
from gaptron.guesses.in_sympy import WrittenClaim, written
from gaptron.numbers.evaluate import enclosure, evaluate
from gaptron.obligations import Sequent
from gaptron.prove.solvers import Answer, Solvers
from gaptron.symbols import is_integer, sign_of
from gaptron.theory.verdict import EVIDENCE, UndecidedError

FALSE = "it may be false, but no exact round that breaks it was found, or it may need that K is an integer"
KNOWN = {
    "positive": "(> {} 0)",
    "negative": "(< {} 0)",
    "nonnegative": "(>= {} 0)",
    "nonpositive": "(<= {} 0)",
    "nonzero": "(not (= {} 0))",
}
KNOWN_OF_INTEGERS = KNOWN | {"positive": "(>= {} 1)", "negative": "(<= {} (- 1))"}
INTEGER = "  ; an integer"  # solvers are asked of all real numbers
SIGNS = {sp.Le: "<=", sp.Lt: "<", sp.Ge: ">=", sp.Gt: ">", sp.Eq: "="}


@dataclass
class Encoding:
    """A claim over polynomials: its variables, what is known of them, and what must be shown first."""

    variables: dict[sp.Symbol, str] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)
    nonzero: dict[sp.Expr, None] = field(default_factory=dict)
    rooted: list[list[str]] = field(default_factory=list)  # that a base is negative, as far as roots before it exist
    fresh: dict[sp.Expr, sp.Symbol] = field(default_factory=dict)

    def lines(self, assertions: list[str]) -> list[str]:
        """Everything that is declared, and what is asserted, one command a line."""
        declared = [
            f"(declare-const {name} Real){INTEGER if is_integer(symbol) else ''}"
            for symbol, name in self.variables.items()
        ]
        return [*declared, *(f"(assert {assertion})" for assertion in assertions)]

    def declare(self, symbol: sp.Symbol) -> str:
        """The solver's name of a symbol, with what its assumptions say."""
        if symbol not in self.variables:
            name = self.variables[symbol] = f"v{len(self.variables)}"
            sign = sign_of(symbol)
            if sign is not None:
                known = KNOWN_OF_INTEGERS if is_integer(symbol) else KNOWN
                self.known.append(known[sign].format(name))
        return self.variables[symbol]

    def polynomial(self, expr: sp.Expr) -> str:
        """A polynomial as an SMT-LIB term."""
        expr = sp.expand(expr)
        terms = [self._monomial(term) for term in sp.Add.make_args(expr)]
        return terms[0] if len(terms) == 1 else f"(+ {' '.join(terms)})"

    def _monomial(self, term: sp.Expr) -> str:
        factors = []
        for base, power in term.as_powers_dict().items():
            if base.is_Rational:
                factors.append(_rational(base**power))
            elif base.is_Symbol and power.is_Integer and power.is_positive:
                factors += [self.declare(base)] * int(power)
            else:
                raise UndecidedError(f"{term} is not a polynomial term", may_still_hold=True)
        return factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})"

    def relation(self, relation: Relational, negate: bool = False) -> str:
        """A relation, its denominators multiplied out."""
        if relation in (sp.true, sp.false):
            return "true" if (relation == sp.true) != negate else "false"
        lhs = sp.together(self.abstract(relation.lhs) - self.abstract(relation.rhs))
        numerator, denominator = sp.fraction(lhs)
        numerator *= self._sign_of_divisor(denominator) or denominator
        kind = sp.Eq if isinstance(relation, sp.Ne) else type(relation)
        text = f"({SIGNS[kind]} {self.polynomial(numerator)} 0)"
        return f"(not {text})" if negate != isinstance(relation, sp.Ne) else text

    def _sign_of_divisor(self, divisor: sp.Expr) -> int:
        """1 or -1 if its form says that; otherwise 0, and that it does not vanish is to be shown."""
        for sign in (1, -1):
            if seems_nonnegative(sign * divisor, strict=True):
                return sign
        self.nonzero[divisor] = None
        return 0

    def abstract(self, expr: sp.Expr) -> sp.Expr:
        """Fractional powers and irrational constants replaced by fresh variables."""
        if expr.is_Rational or expr.is_Symbol:
            return expr
        if expr.is_number and not isinstance(expr, (sp.Add, sp.Mul, sp.Pow)):
            return self._constant(expr)
        if not isinstance(expr, sp.Pow):
            return expr.func(*map(self.abstract, expr.args))
        return self._power(expr) if expr.exp.is_Rational else self._constant(expr)

    def _power(self, expr: sp.Expr) -> sp.Expr:
        base = self.abstract(expr.base) if expr.exp.is_Integer else self._root(expr)
        if expr.exp.is_negative:  # here, as a quotient may stand on both sides
            self._sign_of_divisor(sp.fraction(sp.together(base))[0])
        return base**expr.exp.p

    def _constant(self, expr: sp.Expr) -> sp.Symbol:
        if not expr.is_number:
            raise UndecidedError(f"{expr} is not algebraic", may_still_hold=True)
        if expr not in self.fresh:
            symbol = self.fresh[expr] = sp.Dummy("c")
            low, high = map(sp.Rational, enclosure(evaluate(expr, {})))
            name = self.declare(symbol)
            self.known += [f"(<= {_rational(low)} {name})", f"(<= {name} {_rational(high)})"]
        return self.fresh[expr]

    def _root(self, expr: sp.Expr) -> sp.Symbol:
        degree = expr.exp.q
        root = expr.base ** sp.Rational(1, degree)
        if root not in self.fresh:
            symbol = self.fresh[root] = sp.Dummy("r")
            base = self.abstract(expr.base)
            negative = self.relation(sp.Lt(base, 0, evaluate=False))
            self.rooted.append([*self.known, negative])
            name = self.declare(symbol)
            self.known += [f"(>= {name} 0)", self.relation(sp.Eq(symbol**degree, base, evaluate=False))]
        return self.fresh[root]


def _rational(value: sp.Rational) -> str:
    top = str(abs(value.p)) if value.q == 1 else f"(/ {abs(value.p)} {value.q})"
    return f"(- {top})" if value.p < 0 else top


def questions(claim: Sequent) -> list[str]:
    """SMT-LIB 2 texts that are all unsatisfiable only if the claim holds. Raises UndecidedError if not algebraic."""
    if not claim.is_algebraic:
        raise UndecidedError(f"{written(claim).then} is not algebraic")
    return ["\n".join(["(set-logic QF_NRA)", *lines]) for lines in scripts(written(claim))]


def scripts(claim: WrittenClaim) -> list[list[str]]:
    """The declarations and assertions of each question, without the logic and the final check."""
    encoding = Encoding()
    given = [encoding.relation(relation) for relation in claim.given]
    there = len(encoding.rooted)  # roots of hypotheses exist where these hold
    undefined = []
    for need in claim.needed:
        lacking = encoding.relation(need, negate=True)
        undefined.append([*encoding.known, lacking])
    negation = encoding.relation(claim.then, negate=True)
    vanishing = [f"(= {encoding.polynomial(denominator)} 0)" for denominator in encoding.nonzero]
    goals = [[*encoding.known, goal] for goal in (*vanishing, negation)]
    asked = dict.fromkeys(map(tuple, (*encoding.rooted[there:], *undefined, *goals)))
    return [encoding.lines([*given, *goal]) for goal in asked]


def decide_algebraic(claim: Sequent, solvers: Solvers, seconds: float) -> str:
    """The weakest evidence for an algebraic claim: "smt x2" if both solvers agree, "smt" if one was silent.

    Raises
    ------
    UndecidedError
        With the reason and, if a solver thinks it found one, a candidate counterexample.
    """
    levels = []
    for text in questions(claim):
        answers = solvers.ask(text, seconds)
        said = {name: answer.answer for name, answer in answers.items()}
        if "sat" in said.values():
            if "unsat" in said.values():
                raise UndecidedError(f"the solvers disagree: {said}", _model(claim, answers))
            raise UndecidedError("a solver finds that it fails over the reals", _model(claim, answers), hint=FALSE)
        if "unsat" not in said.values():
            reasons = ", ".join(answer.reason for answer in answers.values())
            raise UndecidedError(f"no solver decided it ({reasons})", may_still_hold=True)
        levels.append("smt x2" if set(said.values()) == {"unsat"} else "smt")
    return max(levels, key=EVIDENCE.index)


def _model(claim: Sequent, answers: dict[str, Answer]) -> dict[sp.Symbol, Fraction]:
    encoding, shown = Encoding(), written(claim)
    for relation in (*shown.given, shown.then):
        encoding.relation(relation)
    model = next(answer.model for answer in answers.values() if answer.answer == "sat")
    return {symbol: model[name] for symbol, name in encoding.variables.items() if name in model}
