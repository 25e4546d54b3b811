"""The hand-written Coq library: it compiles, rests on the allowed axioms only, and what is false in it is refused."""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import REPOSITORY

from gaptron.coq.library import everything

LIBRARY = REPOSITORY / "proofs" / "coq"
ALLOWED = {
    "Coq.Logic.Classical_Prop.classic",
    "Coq.Logic.FunctionalExtensionality.functional_extensionality_dep",
    "Coq.Reals.ClassicalDedekindReals.sig_forall_dec",
    "Coq.Reals.ClassicalDedekindReals.sig_not_dec",
}
THEOREMS = {
    "kernel.Certificate": ["check_sound"],
    "kernel.Refutation": ["refute_sound"],
    "MarginTheorem": ["margin_theorem"],
    "SoftmaxTheorem": ["softmax_theorem"],
    "BinaryTheorem": ["binary_theorem"],
    "BlogProofs": ["blog_theorem_1", "blog_example_2"],
    "Sharpness": ["hinge_rate_is_largest", "smooth_hinge_rate_is_largest"],
    "OptimalTheorem": ["optimal_constant", "closed_form_of_the_decoder"],
    "OptimalDecoder": ["bounds_can_be_kept_iff"],
    "OptimalMargin": ["margin_losses", "hinge_optimum", "smooth_hinge_optimum", "attaining_margin_theorem"],
    "OptimalAllScores": [
        "losses_of_all_scores",
        "pairwise_losses",
        "separable_losses",
        "pairwise_hinge_optimum",
        "one_against_the_rest_optimum",
        "nothing_for_the_own_score",
        "opposite_scores",
        "attaining_pairs_theorem",
        "attaining_each_score_theorem",
        "pairs_not_attained",
        "each_score_not_attained",
    ],
    "LogisticLowerBound": ["some_rounds_cost", "logistic_lower_bound"],
    "OptimalDelay": ["late_criterion", "delay_is_exact"],
    "OptimalBinary": ["attaining_binary_theorem", "binary_not_attained", "squared_hinge_optimum"],
    "OptimalSets": ["sets_are_enough"],
    "OptimalSoftmax": ["attaining_softmax_theorem"],
    "Meaning": ["mixtures_of_rivals", "guarantee_can_fail"],
    "BanditTheorem": ["any_rate_theorem", "bandit_margin_theorem", "bandit_softmax_theorem"],
    "PaperBanditProofs": ["theorem_4", "theorem_5", "theorem_6", "theorem_6_to_11"],
    "TheoremSixRefuted": ["theorem_6_false_from_55", "theorem_6_false_at_100"],
    "Decoders": ["decoder_exists_iff"],
    "DecoderTheorem": ["decoder_theorem"],
    "BanditMargins": ["exploring_margin_theorem", "any_rate_margin_theorem"],
    "BanditSoftmax": ["any_rate_softmax_theorem"],
    "ExploringSound": ["proved_exploring"],
    "BanditHingeHalf": ["bandit_hinge_half"],
    "DecoderConditions": ["decoder_margin_theorem", "switched_decoder_margin_theorem", "decoder_binary_theorem"],
    "DecoderSoftmax": ["decoder_softmax_theorem"],
    "NewProofs": ["logistic_best_decoder", "delay_exact", "logistic_lower"],
    "BestExploration": ["best_exploration_rate", "best_exploration_guarantees", "best_exploration_theorem"],
    "StructuredCriterion": ["structured_criterion"],
    "StructuredTheorem": ["structured_theorem", "proximal_from_entropies"],
    "Sparsemax": ["sparsemax_zero_one"],
    "Sparsemap": ["sparsemap_hamming"],
    "Shannon": ["softmax_zero_one"],
    "AbstentionTheorem": ["abstaining_margin_theorem", "abstaining_softmax_theorem", "abstaining_binary_theorem"],
    "LossSound": ["losses_known"],
    "ObligationsSound": ["proved"],
    "SoftmaxSound": ["proved_softmax"],
    "LikelySound": ["decoded_likely"],
    "LeadSound": ["attained_lead"],
    "AttainedSound": ["attained"],
    "ScoresSound": ["attained_scores", "losses_of_scores"],
    "DecodedSound": ["decoded"],
    "BinaryObligations": ["proved_both"],
    "SlidesProofs": ["abstaining_smooth_hinge", "abstaining_hinge"],
    "BanditMeaning": ["unbiased", "projection_in_ball", "bandit_guarantee_can_fail"],
}
READ = (
    "Definitions.v",
    "BanditDefinitions.v",
    "DecoderDefinitions.v",
    "DelayDefinitions.v",
    "ScoreLosses.v",
    "AbstentionDefinitions.v",
    "Paper.v",
    "PaperBandit.v",
    "Blog.v",
    "New.v",
    "Slides.v",
    "Optimal.v",
    "StructuredDefinitions.v",
)
Compiled = subprocess.CompletedProcess[str]

pytestmark = [pytest.mark.slow, pytest.mark.coq]


def run(*command: object, cwd: Path) -> Compiled:
    return subprocess.run([*map(str, command)], cwd=cwd, text=True, capture_output=True, timeout=600, check=False)


def listed() -> list[str]:
    """The files of the project, in its order."""
    return [line for line in (LIBRARY / "_CoqProject").read_text().split("\n") if line.endswith(".v")]


@pytest.fixture
def coqc(library: Path, tmp_path: Path) -> Callable[[str], Compiled]:
    """Compile a text that uses the library."""

    def compile_text(text: str) -> Compiled:
        (tmp_path / "Text.v").write_text(text)
        return run("coqc", "-Q", library, "Gaptron", "Text.v", cwd=tmp_path)

    return compile_text


def test_every_file_is_compiled(library: Path) -> None:
    assert sorted(listed()) == sorted(everything())
    assert all((library / name).with_suffix(".vo").exists() for name in listed())


def without_comments(name: str) -> str:
    """The text of a file, whose comments are not nested."""
    return re.sub(r"\(\*.*?\*\)", "", (LIBRARY / name).read_text(), flags=re.DOTALL)


def test_nothing_is_left_unproved() -> None:
    for name in listed():
        found = re.findall(
            r"\b(Admitted|admit|Axioms?|Conjecture|Parameters?|Unset|bypass_check)\b", without_comments(name)
        )
        assert not found, (name, found)


@pytest.mark.parametrize("name", READ)
def test_what_has_to_be_read_is_definitions_only(name: str) -> None:
    sentences = [sentence.split() for sentence in re.split(r"\.\s", without_comments(name)) if sentence.strip()]
    assert {words[0] for words in sentences} <= {"From", "Import", "Open", "Definition", "Fixpoint", "Record"}
    used = {word for words in sentences if words[:2] == ["From", "Gaptron"] for word in words[4:]}
    assert used <= {name.removesuffix(".v") for name in READ}


def checked_axioms(said: str) -> set[str]:
    """The axioms in what Coq's checker says."""
    found = re.search(r"\* Axioms:\n(.*?)\n\s*\n", said, flags=re.DOTALL)
    assert found is not None, said
    return set(found[1].split())


def test_the_checker_accepts_it_with_the_allowed_axioms(library: Path) -> None:
    checked = run("make", "check", cwd=library)
    said = checked.stdout + checked.stderr
    assert checked.returncode == 0, said
    assert checked_axioms(said) == ALLOWED
    for doubtful in ("type-in-type", "unsafe (co)fixpoints", "positivity is assumed"):
        assert re.search(rf"{re.escape(doubtful)}: <none>", said), said


def assumptions(said: str) -> set[str]:
    """The names that Print Assumptions prints: the library's modules but for their folders."""
    header, *lines = said.splitlines()
    assert header == "Axioms:", said
    return {line.split()[0] for line in lines if not line.startswith(" ")}


SHORT = {".".join(name.split(".")[-2:]) for name in ALLOWED}


def test_assumptions(coqc: Callable[[str], Compiled]) -> None:
    theorems = ", ".join(f"{module}.{theorem}" for module, found in THEOREMS.items() for theorem in found)
    modules = " ".join(THEOREMS)
    said = coqc(
        f"From Gaptron Require {modules}.\nDefinition everything := ({theorems}).\nPrint Assumptions everything.\n"
    )
    assert said.returncode == 0, said.stderr
    assert assumptions(said.stdout) == SHORT


def test_what_is_admitted_is_seen(coqc: Callable[[str], Compiled]) -> None:
    text = "From Gaptron Require Import Paper.\nTheorem admitted : Theorem3.\nAdmitted.\nPrint Assumptions admitted.\n"
    said = coqc(text)
    assert said.returncode == 0, said.stderr
    assert assumptions(said.stdout) - SHORT == {"admitted"}


PLANTED = {
    "smooth hinge, smaller regret": (
        ("SmoothHingeProof.v", "(1 / (4 * k)) (2 * k)", "(1 / (4 * k)) (199 / 100 * k)"),
        "SmoothHingeProof",
    ),
    "logistic, smaller regret": (
        ("LogisticProof.v", "(ln 2 / (2 * k)) (k / ln 2)", "(ln 2 / (2 * k)) (99 / 100 * k / ln 2)"),
        "LogisticProof",
    ),
    "features of any size": (
        ("Definitions.v", "(x h) (x h) <= X ^ 2 /\\ price", "(x h) (x h) <= X ^ 3 /\\ price"),
        "GameTheorem",
    ),
    "another start": (("Definitions.v", "W [] k i = 0", "W [] k i = 1"), "GameTheorem"),
    "a step the other way": (("Definitions.v", "W h k i - eta * g k i", "W h k i + eta * g k i"), "GameTheorem"),
    "algorithms that are told no label": (
        ("Optimal.v", "revealed := fun y _ => y;", "revealed := fun _ _ => 0%nat;"),
        "OptimalUpper",
    ),
    "a problem with another price": (("Optimal.v", "target P draw y;", "target P y draw;"), "OptimalUpper"),
    "a smaller constant for the hinge": (
        ("OptimalMargin.v", "INR K ^ 2 / (4 * (INR K - 1)) <= c)", "INR K ^ 2 / (5 * (INR K - 1)) <= c)"),
        "OptimalMargin",
    ),
    "a smaller constant for one hinge against the rest": (
        ("OptimalAllScores.v", "<-> 1 / 4 <= c)", "<-> 6 / 25 <= c)"),
        "OptimalAllScores",
    ),
    "a loss that leaves out no rival": (
        ("ScoreLosses.v", "if Nat.eqb k y then 0 else phi (theta y - theta k)", "phi (theta y - theta k)"),
        "OptimalAllScores",
    ),
    "labels that arrive a round too soon": (
        ("DelayDefinitions.v", "S _ => None end", "S _ => Some y end"),
        "OptimalDelay",
    ),
    "a lower bound that is half as far away": (
        ("LogisticLowerBound.v", "17 / 6 * B * ln", "17 / 12 * B * ln"),
        "LogisticLowerBound",
    ),
    "half the variance": (("Optimal.v", "+ c * variance", "+ c / 2 * variance"), "OptimalLower"),
    "an algorithm without a past": (("Optimal.v", "A (told G x y h) (x h)", "A [] (x h)"), "OptimalLower"),
    "any label on top": (("Definitions.v", "theta k <= theta y.", "theta k <= theta k."), "Margins"),
    "mistakes that count twice": (("Definitions.v", "draw y then 0 else 1.", "draw y then 0 else 2."), "Assembly"),
    "a prediction that is too sure": (
        ("Definitions.v", "ystar then 1 - a else 0)", "ystar then 1 else 0)"),
        "Expectations",
    ),
    "a loss that may increase": (
        ("MarginTheorem.v", "subgradient phi m g -> g <= 0;", "subgradient phi m g -> g <= 1;"),
        "MarginTheorem",
    ),
    "a gap map above 1": (("MarginTheorem.v", "0 <= a m <= 1;", "0 <= a m <= 2;"), "MarginTheorem"),
    "a gap that is positive on rounds that are off": (
        ("MarginTheorem.v", "is_off beta m -> a m * price <= 0;", "is_off beta m -> a m * price <= 1;"),
        "MarginTheorem",
    ),
    "two classes with s < t only": (("MarginTheorem.v", "(k = 2 -> s = t)", "(k = 2 -> s < t)"), "MarginTheorem"),
    "no importance weight": (("BanditDefinitions.v", "then 1 / p draw else 0.", "then 1 else 0."), "BanditDescent"),
    "weights of wrong draws": (
        ("BanditDefinitions.v", "if Nat.eqb draw y then 1 /", "if true then 1 /"),
        "BanditDescent",
    ),
    "no exploration": (
        ("BanditDefinitions.v", "prediction K (Rmax a gamma) ystar k.", "prediction K a ystar k."),
        "BanditDescent",
    ),
    "no projection": (
        ("Definitions.v", "  inside W /\\\n  forall U", "  forall U"),
        "Projection",
    ),
    "a comparator of any size": (
        (
            "BanditDefinitions.v",
            "exists V, in_ball (rows s) d D V /\\ U = fun _ => V",
            "exists V : matrix, U = fun _ => V",
        ),
        "BanditAssembly",
    ),
    "a comparator that sees the draws, with bandit feedback": (
        (
            "BanditDefinitions.v",
            "exists V, in_ball (rows s) d D V /\\ U = fun _ => V",
            "forall h, in_ball (rows s) d D (U h)",
        ),
        "BanditAssembly",
    ),
    "full information that tells nothing": (("Definitions.v", "fun y _ => y;", "fun _ _ => 0%nat;"), "Assembly"),
    "a learner that is told nothing": (
        ("BanditDefinitions.v", "if Nat.eqb draw y then 1%nat else 0%nat;", "0%nat;"),
        "BanditAssembly",
    ),
    "a bandit rate without gamma": (
        ("BanditTheorem.v", "Let rate := gamma * eta / (INR K * X ^ 2).", "Let rate := eta / (INR K * X ^ 2)."),
        "BanditTheorem",
    ),
    "Theorem 4, smaller regret": (
        ("PaperBandit.v", "(2 * sqrt (INR T / ln 2))", "(199 / 100 * sqrt (INR T / ln 2))"),
        "PaperBanditProofs",
    ),
    "Theorem 5, more exploration": (
        ("PaperBandit.v", "/ (2 * (1 - beta) * (k - 1) * INR T) in", "/ (1 * (1 - beta) * (k - 1) * INR T) in"),
        "PaperBanditProofs",
    ),
    "Theorem 6 as printed for twelve classes": (
        ("PaperBandit.v", "(2 <= K <= 11)%nat -> Theorem6_with 4", "(2 <= K <= 12)%nat -> Theorem6_with 4"),
        "PaperBanditProofs",
    ),
    "Theorem 6 as printed for any number of classes": (
        ("PaperBandit.v", "(2 <= K)%nat -> Theorem6_with 2 K", "(2 <= K)%nat -> Theorem6_with 4 K"),
        "PaperBanditProofs",
    ),
    "Theorem 6 as printed, false for fewer classes": (
        ("PaperBandit.v", "(55 <= K)%nat -> ~", "(54 <= K)%nat -> ~"),
        "TheoremSixRefuted",
    ),
    "Theorem 6 as printed, false in a tenth of the rounds": (
        ("PaperBandit.v", "Z.to_nat 1315316475", "Z.to_nat 131531647"),
        "TheoremSixRefuted",
    ),
    "Theorem 6 as corrected, false": (
        ("PaperBandit.v", "sqrt (4 * k ^ 2 * D ^ 2 / INR T)", "sqrt (2 * k ^ 2 * D ^ 2 / INR T)"),
        "TheoremSixRefuted",
    ),
    "a fixed stream with features of any size": (
        ("StreamPath.v", ":= r / (1 - (1 - r) * m).", ":= 2 * r / (1 - (1 - r) * m)."),
        "StreamPath",
    ),
    "a fixed stream that costs as much as one without ties": (
        ("EveryPlay.v", "slip_value : 2 * eta * INR K <= slip", "slip_value : eta * INR K <= slip"),
        "EveryPlay",
    ),
    "more exploration than the best": (
        ("New.v", "Rmin 1 (k * X * D / sqrt (2 * h", "Rmin 1 (k * X * D / sqrt (1 * h"),
        "BestExploration",
    ),
    "the best exploration with a smaller regret": (
        (
            "New.v",
            "(fun _ => Rmax (k * X ^ 2 * D ^ 2 / h) (X * D * sqrt (2 *",
            "(fun _ => Rmax (k * X ^ 2 * D ^ 2 / h) (X * D * sqrt (1 *",
        ),
        "BestExploration",
    ),
    "the best exploration at a larger rate": (
        (
            "New.v",
            "(margin_loss K d smooth_hinge smooth_hinge_map None) (1 / (4 * k))",
            "(margin_loss K d smooth_hinge smooth_hinge_map None) (1 / (3 * k))",
        ),
        "BestExploration",
    ),
    "the hinge loss with threshold 1/2 at a larger rate": (
        ("New.v", "(gamma / (2 * k * X ^ 2)) (fun", "(gamma / (1 * k * X ^ 2)) (fun"),
        "BanditHingeHalf",
    ),
    "the hinge loss with threshold 1/2, exploring more": (
        ("New.v", "(gamma <= 1 / 2 -> gamma <= 2 / k ->", "(gamma <= 1 / 2 -> gamma <= 3 / k ->"),
        "BanditHingeHalf",
    ),
    "bandit feedback with squares that count once": (
        ("BanditMargins.v", "eta * g ^ 2 / (q / k) <= cost", "eta * g ^ 2 / q <= cost"),
        "BanditMargins",
    ),
    "a decoder that pays for less": (
        ("DecoderDefinitions.v", "- eta / 2 * norm2 rows d G.", "- eta / 4 * norm2 rows d G."),
        "DecoderTheorem",
    ),
    "the best decoder at a larger rate": (
        (
            "New.v",
            "(2 * ln 2 ^ 2 / X ^ 2) (linear (X ^ 2 / (4 * ln 2 ^ 2)))",
            "(201 / 100 * ln 2 ^ 2 / X ^ 2) (linear (X ^ 2 / (402 / 100 * ln 2 ^ 2)))",
        ),
        "NewProofs",
    ),
    "a softmax round with half the step and bandit feedback": (
        ("BanditRefutations.v", "eta / 2 * ((r * q) ^ 2", "eta * ((r * q) ^ 2"),
        "BanditRefutations",
    ),
    "labels that need too little": (
        ("DecoderRefutations.v", "1 < sum K v -> ~ suits", "0 < sum K v -> ~ suits"),
        "DecoderRefutations",
    ),
    "a label that needs more than its subgradient": (
        ("DecoderRefutations.v", "v <= 1 - psi q + eta / 2 * ((r * q)", "v <= 1 - psi q + eta * ((r * q)"),
        "DecoderRefutations",
    ),
    "a constant that some algorithm attains": (
        (
            "ProximalRefutations.v",
            "0 < (INR K - 1) / INR K - phi m - c * ",
            "0 < (INR K - 1) / INR K - phi m - c / 2 * ",
        ),
        "ProximalRefutations",
    ),
    "two scores with half their variance": (
        ("OptimalBinary.v", "/ 2 - c * ((u - v) ^ 2 / 4) <= 0\n}.", "/ 2 - c * ((u - v) ^ 2 / 2) <= 0\n}."),
        "OptimalBinary",
    ),
    "a smaller constant of the squared hinge loss": (
        ("OptimalBinary.v", "X 1 c <-> 1 <= c).", "X 1 c <-> 99 / 100 <= c)."),
        "OptimalBinary",
    ),
    "one loss for two labels that it does not mirror": (
        ("OptimalBinary.v", "(forall z, minus z = plus (- z)) ->", "(forall z, minus z = plus z) ->"),
        "OptimalBinary",
    ),
    "a loss that counts its least value twice": (
        (
            "OptimalSoftmax.v",
            "(psi (sigmoid m) - a / 2) - c * (m ^ 2 / 2) <= 0\n}.",
            "psi (sigmoid m) - c * (m ^ 2 / 2) <= 0\n}.",
        ),
        "OptimalSoftmax",
    ),
    "two labels with half their variance": (
        ("ProximalRefutations.v", "1 / 2 - psi q - c * (ln a ^ 2 / 2)", "1 / 2 - psi q - c * (ln a ^ 2 / 4)"),
        "ProximalRefutations",
    ),
    "an entropy of one's own, twice as convex": (
        (
            "CoordinateEntropies.v",
            "entropy_suits N n output f lambda b.\nProof using All.",
            "entropy_suits N n output f (2 * lambda) b.\nProof using All.",
        ),
        "CoordinateEntropies",
    ),
    "an entropy of one's own that jumps at an end": (
        ("CoordinateEntropies.v", "is_continuous : forall v, 0 <= v <= 1 ->", "is_continuous : forall v, 0 < v < 1 ->"),
        "CoordinateEntropies",
    ),
    "scores that an algorithm withstands": (
        (
            "ProximalStructuredRefutations.v",
            "  alpha * (s * L) + regret * V < H ->",
            "  alpha * (s * L) + regret / 2 * V < H ->",
        ),
        "ProximalStructuredRefutations",
    ),
    "a slope that is too steep": (
        ("ProximalStructuredRefutations.v", "-> t = a -> tangent", "-> t = 2 * a -> tangent"),
        "ProximalStructuredRefutations",
    ),
    "a distribution that leaves a decoder": (
        (
            "StructuredRefutations.v",
            "alpha * (s * J - eta * s ^ 2 / 2 * V) < H",
            "alpha * (s * J - eta * s ^ 2 * V) < H",
        ),
        "StructuredRefutations",
    ),
    "what the labels need, more": (
        ("LogisticNeeds.v", ":= 1 - logistic p + 2 * (1 - p) ^ 2.", ":= 1 - logistic p + 3 * (1 - p) ^ 2."),
        "LogisticNeeds",
    ),
    "one vector at half its rate": (
        ("Obligations.v", "| _ => Mul (Rat 1 2) (rate n) end.", "| _ => Mul (Rat 1 4) (rate n) end."),
        "NumbersSound",
    ),
    "a tie that is wrong for neither label": (
        (
            "Obligations.v",
            "match of_label f with Upper => Lt | _ => Le end",
            "match of_label f with Every => Le | _ => Lt end",
        ),
        "GapMapSound",
    ),
    "a loss that is not turned around": (
        ("Obligations.v", "(mirrored (minus_loss o))", "(minus_loss o)"),
        "LossSound",
    ),
    "one of the other labels more, as data": (
        ("Obligations.v", "(minus K_ (Int 2))) (joined f)", "(minus K_ (Int 1))) (joined f)"),
        "DecodedSound",
    ),
    "a top label that needs nothing when its round is off": (
        ("Obligations.v", "[([(Gt, M, b)], Int 1)] end.", "[([(Gt, M, b)], Int 0)] end."),
        "DecodedSound",
    ),
    "scores that are not negative alone": (
        ("Obligations.v", "(about_both_labels (opposed f o)) [Ge; Le]", "(about_both_labels (opposed f o)) [Ge]"),
        "DecodedSound",
    ),
    "one vector, a round that costs half": (
        ("BinaryTheorem.v", " a z * price - plus z + eta / 2", " a z * price / 2 - plus z + eta / 2"),
        "BinaryTheorem",
    ),
    "a guess that is wrong half as often": (
        (
            "Expectations.v",
            "Definition guessing (k : R) : R := (k - 1) / k.",
            "Definition guessing (k : R) : R := (k - 1) / (2 * k).",
        ),
        "Expectations",
    ),
    "a constant for the loss of one label alone": (
        (
            "Obligations.v",
            "let g := opposed f o in\n    claims_of_loss g",
            "let g : loss_statement := f in\n    claims_of_loss g",
        ),
        "AttainedSound",
    ),
    "twice the constant for one margin": (
        ("Obligations.v", "(Mul (constant f) spread), Int 0)", "(Mul (Mul (Int 2) (constant f)) spread), Int 0)"),
        "AttainedSound",
    ),
    "a margin beyond which nothing is paid": (
        ("Obligations.v", "(Ge, Mul c (Pow b 2), Int 1)", "(Ge, Mul c (Pow b 2), Int 0)"),
        "AttainedSound",
    ),
    "rivals that add something, as if nothing": (
        ("Obligations.v", "is_zero (lowest f) && is_zero rival then", "is_zero (lowest f) then"),
        "ScoresSound",
    ),
    "one label for two": (
        (
            "Obligations.v",
            "minus (minus (Int 1) (Mul (Int 2) rival)) paid",
            "minus (minus (Int 1) (Mul (Int 4) rival)) paid",
        ),
        "ScoresSound",
    ),
    "a number of labels that functions may know": (
        ("Obligations.v", "loss_fits g && forallb without_count (loss_parts g)", "loss_fits g"),
        "ScoresSound",
    ),
    "a root that may bend downward": (
        ("Obligations.v", "(Pow (derived e) 2), Int 0)", "(Mul (Rat 1 2) (Pow (derived e) 2)), Int 0)"),
        "ScoresSound",
    ),
    "opposite scores at half the price": (
        ("Obligations.v", "Mul (Int 4) (Add e (Mul (constant f)", "Mul (Int 8) (Add e (Mul (constant f)"),
        "ScoresSound",
    ),
    "a loss that is convex in the probability alone": (
        (
            "Obligations.v",
            "Add (Mul (Mul M (minus (Int 1) M)) (derived (derived e)))",
            "Add (Mul (Mul M M) (derived (derived e)))",
        ),
        "LossSound",
    ),
    "half of the other probabilities' squares": (
        (
            "Obligations.v",
            "[([(Ge, M, Rat 1 2)], Pow (minus (Int 1) M) 2);",
            "[([(Ge, M, Rat 1 2)], Pow (minus (Rat 1 2) M) 2);",
        ),
        "SoftmaxSound",
    ),
    "two probabilities that do not sum to 1": (
        ("Obligations.v", "substituted 1 (minus (Int 1) M) (put_two r)", "substituted 1 (minus (Int 2) M) (put_two r)"),
        "SoftmaxSound",
    ),
    "a label that needs half": (
        ("Obligations.v", "(Mul (rate (its_rates f)) (Pow", "(Mul (Mul (Rat 1 2) (rate (its_rates f))) (Pow"),
        "LikelySound",
    ),
    "three labels that nobody asks about": (
        ("Obligations.v", "(seq 3 (few f - 3)).", "(seq 4 (few f - 4))."),
        "LikelySound",
    ),
    "a least loss that counts twice": (
        ("Obligations.v", "minus e (Mul (Rat 1 2) (least f)).", "minus e (Int 0)."),
        "LeadSound",
    ),
    "a loss that is no more convex at 1": (
        ("Obligations.v", "[(Gt, M, Int 0); (Le, M, Int 1)] in\n", "[(Gt, M, Int 0); (Lt, M, Int 1)] in\n"),
        "LeadSound",
    ),
    "abstention, mistakes that cost twice": (
        ("AbstentionDefinitions.v", "if Nat.eqb draw y then 0 else 1.", "if Nat.eqb draw y then 0 else 2."),
        "Assembly",
    ),
    "abstention at any price": (
        ("AbstentionDefinitions.v", "highest_price := c;", "highest_price := 2 * c;"),
        "Assembly",
    ),
    "abstention, learning rate times 101/100": (
        ("Slides.v", "((1 - c) / (4 * X ^ 2)) (linear", "(101 * (1 - c) / (400 * X ^ 2)) (linear"),
        "SlidesProofs",
    ),
    "a structured entropy that is half as convex": (
        ("StructuredDefinitions.v", "lambda / 2 * (t * (1 - t))", "lambda / 4 * (t * (1 - t))"),
        "StructuredCriterion",
    ),
    "a structured entropy that is not closed": (
        ("StructuredDefinitions.v", "-> f m - e < f v.", "-> f m - 1 - e < f v."),
        "StructuredCriterion",
    ),
    "structured outputs at a larger rate": (
        ("StructuredCriterion.v", "(eta * scale P <= lambda -> (dec", "(eta * scale P <= 2 * lambda -> (dec"),
        "StructuredCriterion",
    ),
    "half the variance of the outputs": (
        ("StructuredDefinitions.v", "eta * scale P ^ 2 / 2 * variance", "eta * scale P ^ 2 / 4 * variance"),
        "StructuredCriterion",
    ),
    "a structured step that is too large": (
        ("StructuredDefinitions.v", "X (eta / (alpha * X ^ 2))", "X (2 * eta / (alpha * X ^ 2))"),
        "StructuredTheorem",
    ),
    "a structured loss that counts once": (
        ("StructuredDefinitions.v", "V => alpha * surrogate_loss P y (", "V => surrogate_loss P y ("),
        "StructuredTheorem",
    ),
    "a cost with its outputs in the other order": (
        ("StructuredDefinitions.v", "draw => cost P draw y;", "draw => cost P y draw;"),
        "StructuredTheorem",
    ),
    "an output that is not told": (
        ("StructuredDefinitions.v", "revealed := fun y _ => y;", "revealed := fun _ _ => 0%nat;"),
        "StructuredTheorem",
    ),
    "any prediction for a decoder's": (
        (
            "StructuredDefinitions.v",
            "may_choose := fun _ W x => decodes_at P eta alpha (scores d W x);",
            "may_choose := fun _ _ _ => is_distribution (outputs P);",
        ),
        "StructuredTheorem",
    ),
    "sparsemax at a larger rate": (
        ("New.v", "X (1 / 2) 4 (4 * X ^ 2)", "X (51 / 100) 4 (200 / 51 * X ^ 2)"),
        "Sparsemax",
    ),
    "sparsemax with a decoder for more": (("New.v", "<-> 2 <= alpha", "<-> 199 / 100 <= alpha"), "Sparsemax"),
    "SparseMAP with the coefficient 1 on four coordinates": (
        ("New.v", "((5 <= d)%nat ->", "((4 <= d)%nat ->"),
        "Sparsemap",
    ),
    "softmax without a decoder at a smaller rate": (
        ("New.v", "2 * ln 2 ^ 2 < eta -> ~", "1 * ln 2 ^ 2 < eta -> ~"),
        "Shannon",
    ),
    "rankings that do not move up": (("RankingDefinitions.v", "else S among", "else among"), "Rankings"),
    "fewer discordant pairs": (
        ("Rankings.v", "<= (2 * INR d - 3) * sum d", "<= (2 * INR d - 4) * sum d"),
        "Rankings",
    ),
    "pairs of items counted twice": (
        ("RankingFamilies.v", "/ (INR d * (INR d - 1) / 2).", "/ (INR d * (INR d - 1))."),
        "RankingFamilies",
    ),
    "Lemma 1 with two thirds of the regret": (
        ("PaperBandit.v", "norm2 rows d U / (2 * eta)\n", "norm2 rows d U / (3 * eta)\n"),
        "LemmaOne",
    ),
    "Lemma 1 with half the price of exploring": (
        ("PaperBandit.v", "      + gamma * ((INR K - 1) / INR K)", "      + gamma / 2 * ((INR K - 1) / INR K)"),
        "LemmaOne",
    ),
    "Lemma 1 without a convex set": (
        ("PaperBandit.v", "convex_set inside -> 0 <= gamma", "True -> 0 <= gamma"),
        "LemmaOne",
    ),
    "loss (3), truncated, without subgradients": (
        ("PaperBandit.v", "Rmax ((1 - m) ^ 2) 0.", "Rmax (1 - m) 0 ^ 2."),
        "LossThree",
    ),
    "a leader with half the regularizer": (("Blog.v", "  2 * s * Rmax", "  s * Rmax"), "BlogExercise"),
    "a leader that knows the last features too late": (
        (
            "Blog.v",
            "Rmax (largest_seen d x h) (dot d (x h) (x h)).\n\nDefinition leader",
            "largest_seen d x h.\n\nDefinition leader",
        ),
        "BlogExercise",
    ),
    "one of the other labels fewer": (
        (
            "DecoderConditions.v",
            "g + v * need phi eta (- s) h + w * (k - 2)",
            "g + v * need phi eta (- s) h + w * (k - 3)",
        ),
        "DecoderConditions",
    ),
    "a top label that needs less when its round is off": (
        ("DecoderConditions.v", "    1 + v * need phi eta (- s) h", "    1 / 2 + v * need phi eta (- s) h"),
        "DecoderConditions",
    ),
    "a label that needs more than 1 when its round is off": (
        ("DecoderRefutations.v", "y = true -> v <= 1 ->", "y = true -> v <= 2 ->"),
        "DecoderRefutations",
    ),
    "one tied label fewer": (
        ("DecoderConditions.v", "a + (k - 1) * b <= 1 -> u", "a + (k - 2) * b <= 1 -> u"),
        "DecoderConditions",
    ),
    "three labels that need more than 1": (
        ("DecoderSoftmax.v", "INR n * f (/ INR n) <= 1\n", "INR n * f (/ INR n) <= 11 / 10\n"),
        "DecoderSoftmax",
    ),
    "twice the variance for a softmax loss": (
        ("OptimalSoftmax.v", "a / 2) - c * (m ^ 2 / 2) <= 0\n}.", "a / 2) - c * m ^ 2 <= 0\n}."),
        "OptimalSoftmax",
    ),
    "a label that is drawn more often, as data": (
        ("Obligations.v", "(over (squared f p o) drawn)", "(Mul (squared f p o) (minus (Int 1) drawn))"),
        "ExploringSound",
    ),
    "exploration that costs nothing, as data": (
        ("Obligations.v", "(guessed_wrong gamma).", "(Int 0)."),
        "ExploringSound",
    ),
    "a softmax label that is seen too often": (
        (
            "BanditSoftmax.v",
            "psi q + eta / (u / k) / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + S)) <= cost",
            "psi q + eta / u / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + S)) <= cost",
        ),
        "BanditSoftmax",
    ),
    "too few squares": (
        ("SoftmaxTheorem.v", "(1 / 2 <= p /\\ S = (1 - p) ^ 2)", "(1 / 2 <= p /\\ S = (1 - p) ^ 3)"),
        "SoftmaxTheorem",
    ),
}


@pytest.mark.one_in(10)
@pytest.mark.parametrize(("change", "module"), PLANTED.values(), ids=PLANTED)
def test_what_is_false_is_refused(library: Path, tmp_path: Path, change: tuple[str, str, str], module: str) -> None:
    """The library with one word changed compiles up to a module that rests on it, and not that one."""
    name, old, new = change
    folder = tmp_path / "changed"
    shutil.copytree(library, folder)
    text = (folder / name).read_text()
    assert text.count(old) == 1
    (folder / name).write_text(text.replace(old, new))
    made = run("make", f"{module}.vo", cwd=folder)
    assert made.returncode == 2
    assert f'File "./{module}.v"' in made.stderr, made.stderr
    assert "Error:" in made.stderr


DECLARED = re.compile(r"^ *(?:Lemma|Definition|Fixpoint|Ltac) ([\w']+)", re.MULTILINE)
CHECKS = {  # of definitions, which nothing rests on
    *("determinant_of_two", "determinant_of_three", "determinant_of_the_identity", "veiled_never"),
    *("envelope_is_least", *(f"{kind}_loss_of_scores" for kind in ("margin", "softmax", "binary"))),
}


def test_what_the_library_declares_is_used() -> None:
    """By the library, or in what is written for it."""
    files = [*LIBRARY.rglob("*.v"), *(REPOSITORY / "gaptron" / "coq").rglob("*.py")]
    texts = [re.sub(r"\(\*.*?\*\)", "", file.read_text(), flags=re.DOTALL) for file in files]
    used = Counter(name for text in texts for name in re.findall(r"[A-Za-z_][\w']*", text))
    library = [text for file, text in zip(files, texts, strict=True) if file.suffix == ".v"]
    declared = {name for text in library for name in DECLARED.findall(text)}
    assert len(declared) > 1000
    assert {name for name in declared if used[name] == 1} == CHECKS
