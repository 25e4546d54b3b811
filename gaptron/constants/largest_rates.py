"""The largest learning rates of a theorem's loss: searched, then certified from both sides."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import sympy as sp

from gaptron.constants.brackets import WIDTH, Bracket, Brackets, just_above, just_below
from gaptron.constants.closed_forms import expression_near
from gaptron.constants.contacts import contact_lemma, curve, in_words
from gaptron.constants.engine import Attempt, Engine
from gaptron.constants.questions import QUESTIONS, Proposal, Question, for_classes, lemma_tasks, proximal
from gaptron.constants.rate_search import Binding, contacts
from gaptron.constants.witnesses import breaks_every_rate
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.obligations import reduction_of
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.loss import loss_obligations
from gaptron.obligations.setting import in_setting
from gaptron.obligations.softmax_losses import TWO_LABELS
from gaptron.prove.one_variable import simplest_between
from gaptron.prove.tasks import Task
from gaptron.symbols import K
from gaptron.theory.decoders import GapMap
from gaptron.theory.losses import THRESHOLD
from gaptron.theory.theorem import Theorem

SAMPLED = range(2, 9)  # numbers of classes through which a closed form is guessed
UNTOLD = "with bandit feedback and three labels or more nothing is proved: a finite c may exist or not"
LEAST = 1e-9  # a learning rate below this is taken for zero
SUSPECT = 1e-6  # below this a point is looked for that rules out every rate
COARSE = Fraction(1, 2000)  # of a rate that is proved first, where the largest one is hard to prove
PATIENCE = 1.0  # seconds for each claim, before every number of classes has a bracket
SAME = 1e-9
FALLING = 1e-4  # below this a curve of rounds is looked for on which the largest learning rate falls to 0
NO_RATE = "no learning rate above 0 works: the gap is positive in the rounds "


@dataclass
class Finding(Brackets):
    """What is known of one question; filled in as it becomes known.

    Of ``brackets[K]`` lo is proved feasible and hi refuted; at ``impossible[K]`` every eta > 0 fails.
    ``closed_form`` is the largest learning rate for every K claimed, proved feasible and, ``everywhere``, the largest;
    ``guess`` is what was put to the proof, ``feasible`` the same if it was proved for every K, the largest or not.
    """

    question: Question
    contacts: dict[int, tuple[Binding, ...]] = field(default_factory=dict)
    guess: sp.Expr | None = None
    feasible: sp.Expr | None = None
    closed_form: sp.Expr | None = None
    gap_maps: dict[str, GapMap] = field(default_factory=dict)  # by K, or "K" for all
    binds: dict[int, str] = field(default_factory=dict)
    everywhere: tuple[str, ...] = ()
    unproved: bool = False  # whether a closed form was guessed that may still be proved
    whole_loss: str | None = None  # what the loss is, if it is not quite the theorem's

    @property
    def for_every_count(self) -> Bracket | None:
        """A bracket for every K claimed, where the criterion of two labels alone decides and K is not in it.

        A stream for K = 2 is one for every K but for labels far below, which change its bound as little as one likes.
        """
        alone = all(c.constraint.kind == TWO_LABELS for found in self.contacts.values() for c in found)
        in_loss = any(K in c.constraint.slope.free_symbols for found in self.contacts.values() for c in found)
        proved = self.feasible is not None and self.closed_form is None and alone and not in_loss
        return self.brackets.get(2) if proved else None

    def believed(self, n: int) -> str:
        """The learning rate of the first contact."""
        found = self.contacts.get(n, ())
        return f"; the search believes in eta = {found[0].rate:.6g}, not certified" if found else ""

    def is_sharp_at(self, n: int) -> bool:
        """Whether the bracket for n classes is as narrow as one is made."""
        bracket = self.brackets[n]
        return bracket is not None and bracket[1] <= bracket[0] * (1 + 20 * WIDTH)

    @property
    def is_sharp(self) -> bool:
        """Whether nothing more can be found."""
        decided = all(n in self.reasons or self.is_sharp_at(n) for n in self.brackets)
        return decided and not self.unproved


@dataclass(frozen=True)
class Proving:
    """A closed form, or a rate for one K, that is put to the engine."""

    answer: Finding
    n_classes: int | None
    eta: sp.Expr
    gap_map: GapMap | None
    attempt: Attempt


def sharpen(
    theorem: Theorem, n_classes: Sequence[int], engine: Engine, answers: list[Finding], only: str | None = None
) -> None:
    """Fill ``answers`` (empty at first) for these numbers of classes; what is there when interrupted is true.

    ``only`` names the one question to be asked.

    What is not decided when the engine's time is over says so, and what the search believes.

    ``theorem`` has no parameters of its own; with the best decoder no gap map is given. With bandit feedback the
    question is the optimum over all algorithms: with two labels being right or wrong tells the label.
    """
    if theorem.feedback == "bandit":
        claimed = [n for n in n_classes if theorem.claims(n)]
        told = replace(proximal(theorem), classes=2)
        sharpen(told, [n for n in claimed if n == 2], engine, answers)
        answers[-1].closed_form = answers[-1].feasible = None  # those of two labels are for no other number
        answers[-1].brackets |= {n: None for n in claimed if n > 2}
        answers[-1].reasons |= {n: UNTOLD for n in claimed if n > 2}
        return
    wanted = [n for n in n_classes if theorem.claims(n)]
    questions: Sequence[Question] = QUESTIONS
    if theorem.decoder == "best":  # no map is given; any will do for what is asked over all of them
        questions = QUESTIONS[1:] if theorem.update == "gradient" else QUESTIONS[3:]
        theorem = replace(theorem, decoder="gap map", gap_map=GapMap(sp.S.Zero), update="gradient")
    questions = [question for question in questions if only in (None, question.name)]
    answers += [Finding(question, brackets=dict.fromkeys(wanted)) for question in questions]
    over_algorithms = answers[-1].question.name == "any_algorithm"
    if over_algorithms and theorem.loss.data.has_threshold:
        ((_, phi, _),) = theorem.loss.functions
        answers[-1].whole_loss = f"of the loss phi = {phi} of the comparator's margin, without {THRESHOLD}"
    guesses = SympyGuesses.of(theorem)
    coverage = Coverage(guesses)
    needed = in_setting(theorem, [*loss_obligations(reduction_of(theorem), coverage), *coverage.obligation()], guesses)
    failed = engine.failures([tuple(Task(theorem, o) for o in needed)])[0]
    if failed is not None and engine.is_late:
        for answer in answers:
            answer.stop("not decided in time")
        return
    if failed is not None:
        for answer in answers:
            answer.reasons |= dict.fromkeys(wanted, f"{failed}: there is no theorem at any learning rate")
        return
    sampled = sorted({*wanted, *(n for n in SAMPLED if theorem.claims(n))})
    open_answers = [answer for answer in answers if _search(theorem, answer, sampled, engine)]
    _rule_out(theorem, answers, engine)
    open_answers = [answer for answer in open_answers if not answer.is_sharp]
    patients = [engine.within(PATIENCE)] * (engine.seconds > PATIENCE)
    for patient, last in [*((first, False) for first in patients), (engine, True)]:
        proved = _closed(theorem, open_answers, patient)
        _one_by_one(theorem, open_answers, proved, patient, last)
        open_answers = [answer for answer in open_answers if not answer.is_sharp]
    if engine.is_late:
        for answer in answers:
            answer.stop("not decided in time")


def _search(theorem: Theorem, answer: Finding, sampled: list[int], engine: Engine) -> bool:
    """Look for the contacts; False if that already settles the question, or cannot be done."""
    try:
        constraints = answer.question.constraints(theorem)
    except NotImplementedError as reason:
        answer.reasons |= dict.fromkeys(answer.brackets, str(reason))
        return False
    for n in sampled:
        answer.contacts[n] = contacts(constraints, n)
    for n in answer.brackets:
        _judge(theorem, answer, n)
    engine.found()
    return any(n not in answer.reasons for n in answer.brackets)


def _judge(theorem: Theorem, answer: Finding, n: int) -> None:
    """Whether there is a positive learning rate to be proved for K = n."""
    found = answer.contacts[n]
    if not found:
        answer.reasons[n] = "no round bounds the learning rate: the loss has no gradient where it matters"
        return
    answer.binds[n] = in_words(found[0].constraint, {v: f"{x:.6g}" for v, x in found[0].point.items()})
    if found[0].rate > SUSPECT:
        return
    for contact in found:
        killer = breaks_every_rate(contact, n)
        if killer is not None:
            answer.impossible[n] = killer
            answer.reasons[n] = answer.question.impossible
            return
    if found[0].rate > LEAST:
        return
    witness = answer.question.breaks(theorem, found[0], n, Fraction(1, 10**6))
    if witness is not None:
        answer.witnesses[n] = witness
    answer.reasons[n] = "the largest learning rate seems to be 0: it falls to 0 as the margin grows" + (
        ", and 1/1000000 is refuted" if witness is not None else ""
    )


def _rule_out(theorem: Theorem, answers: list[Finding], engine: Engine) -> None:
    """Where the largest learning rate seems to be 0, prove that no other one works, on a curve of rounds."""
    found = [
        (answer, n, ways[0])
        for answer in answers
        if answer.question.name != "any_algorithm"
        for n in answer.brackets.keys() - answer.impossible.keys()
        if (ways := [way for c in answer.contacts.get(n, ()) if c.rate < FALLING and (way := curve(c, n)) is not None])
    ]
    attempts = [lemma_tasks(way.lemma(f"{theorem.name}: no learning rate")) for _, _, way in found]
    for (answer, n, way), failed in zip(found, engine.failures(attempts), strict=True):
        if failed is None:
            answer.impossible[n] = way.document(n)
            answer.reasons[n] = NO_RATE + way.in_words
            del answer.binds[n]
    engine.found()


def _closed(theorem: Theorem, answers: list[Finding], engine: Engine) -> dict[str, sp.Expr]:
    """Prove the closed forms; by name of the question, those that are feasible for every K claimed."""
    proposals = [p for answer in answers for p in _closed_proposals(theorem, answer)]
    lemmas = {
        p.answer.question.name: lemma
        for p in proposals
        if (lemma := contact_lemma(theorem, p.answer.contacts, p.eta)) is not None
    }
    sharp = [lemma_tasks(lemma) for lemma, _ in lemmas.values()]
    of = [*(p.answer.question.name for p in proposals), *map(str, range(len(sharp)))]
    failures = engine.failures([*(p.attempt for p in proposals), *sharp], of)
    is_sharp = {name for name, failed in zip(lemmas, failures[len(proposals) :], strict=True) if failed is None}
    proved: dict[str, sp.Expr] = {}
    for answer in answers:
        answer.unproved = False
    for p, failed in zip(proposals, failures, strict=False):
        name = p.answer.question.name
        p.answer.unproved = (failed is not None and name not in proved) or name in lemmas.keys() - is_sharp
        if failed is None and name not in proved:
            proved[name] = p.answer.feasible = p.eta
            if p.gap_map is not None:
                p.answer.gap_maps["K"] = p.gap_map
            if name in is_sharp:
                p.answer.closed_form, p.answer.everywhere = p.eta, lemmas[name][1]
    engine.found()
    return proved


def _closed_proposals(theorem: Theorem, answer: Finding) -> Iterator[Proving]:
    if answer.reasons or any(not found for found in answer.contacts.values()):
        return
    rates = {n: found[0].rate for n, found in answer.contacts.items()}
    answer.guess = eta = expression_near(rates) or _same_below(rates)
    if eta is not None:
        for gap_map, attempt in _proposals(theorem, answer, eta):
            yield Proving(answer, None, eta, gap_map, attempt)


def _same_below(rates: Mapping[int, float]) -> sp.Expr | None:
    """A rational just below a learning rate that does not depend on K; None if it does."""
    least, most = min(rates.values()), max(rates.values())
    return sp.Rational(just_below(least)) if len(rates) > 1 and most <= least * (1 + SAME) else None


def _proposals(theorem: Theorem, answer: Finding, eta: sp.Expr) -> list[Proposal]:
    """What to prove; nothing, with the reason, if there is no way to."""
    try:
        return list(answer.question.proposals(theorem, eta))
    except NotImplementedError as reason:
        answer.reasons |= dict.fromkeys(answer.brackets, str(reason))
        return []


def _one_by_one(
    theorem: Theorem, answers: list[Finding], proved: dict[str, sp.Expr], engine: Engine, last: bool
) -> None:
    """The bracket of every number of classes; why there is none is said of the ``last`` attempt."""
    proposals: list[Proving] = []
    for answer in answers:
        for n in answer.brackets:
            if n in answer.reasons or answer.is_sharp_at(n):
                continue
            eta = proved.get(answer.question.name)
            if eta is not None:
                _bracket(theorem, answer, n, _at_most(eta.subs(K, n)))
            else:
                proposals += _proposals_for(theorem, answer, n)
    of = [(p.answer.question.name, p.n_classes) for p in proposals]
    for p, failed in zip(proposals, engine.failures([p.attempt for p in proposals], of), strict=True):
        n = p.n_classes or 0
        if failed is None and not p.answer.is_sharp_at(n):
            if p.gap_map is not None:
                p.answer.gap_maps[str(n)] = p.gap_map
            _bracket(theorem, p.answer, n, _at_most(p.eta))
        elif last and not engine.is_late and failed is not None and p.answer.brackets[n] is None:
            p.answer.reasons.setdefault(n, f"eta = {p.eta} could not be proved: {failed}")
    engine.found()


def _proposals_for(theorem: Theorem, answer: Finding, n: int) -> Iterator[Proving]:
    """The largest rate that is guessed or found, then one that is smaller by less than a thousandth."""
    rate = Fraction(answer.contacts[n][0].rate)
    found = sp.Rational(just_below(rate)) if answer.guess is None else answer.guess.subs(K, n)
    smaller = sp.Rational(simplest_between(rate * (1 - COARSE), rate * (1 - COARSE / 2)))
    for eta in (found,) if answer.brackets[n] is not None else (found, smaller):
        for gap_map, attempt in _proposals(for_classes(theorem, n), answer, eta):
            yield Proving(answer, n, eta, gap_map, attempt)


def _at_most(eta: sp.Expr) -> Fraction:
    """The number itself if it is rational, else a rational just below it."""
    return Fraction(int(eta.p), int(eta.q)) if eta.is_Rational else just_below(float(eta))


def _bracket(theorem: Theorem, answer: Finding, n: int, lo: Fraction) -> None:
    """Rule out a rate just above ``lo``; the bracket is complete only with that witness."""
    hi = just_above(answer.contacts[n][0].rate)
    for contact in answer.contacts[n]:
        witness = answer.question.breaks(theorem, contact, n, hi)
        if witness is not None:
            answer.witnesses[n] = witness
            answer.brackets[n] = (lo, hi)
            return
    answer.reasons[n] = f"eta = {lo} is proved, but no exact round that rules out {hi} was found"
