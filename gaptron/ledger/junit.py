"""A JUnit report: one suite for each theorem, one case for each obligation."""

from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from gaptron.atomic import write_atomically
from gaptron.ledger.witness import witness_line
from gaptron.obligations import Obligation
from gaptron.printable import printable
from gaptron.prove.check import Checked
from gaptron.verdict import Outcome, Verdict


def write(file: Path, paths: list[Path], checked: list[Checked]) -> None:
    """Write the report: REFUTED is a failure, UNDECIDED an error."""
    write_atomically(file, as_xml(paths, checked))


def as_xml(paths: list[Path], checked: list[Checked]) -> str:
    """The report as text."""
    suites = Element("testsuites", name="gaptron check")
    for path, result in zip(paths, checked, strict=True):
        suites.append(_suite(path, result))
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _suite(path: Path, result: Checked) -> Element:
    verdicts = [outcome.verdict for outcome in result.outcomes]
    suite = Element(
        "testsuite",
        name=printable(result.item.name),
        tests=str(len(verdicts)),
        failures=str(verdicts.count(Verdict.REFUTED)),
        errors=str(verdicts.count(Verdict.UNDECIDED)),
        time=f"{sum(outcome.seconds for outcome in result.outcomes):.4f}",
    )
    for obligation, outcome in zip(result.obligations, result.outcomes, strict=True):
        suite.append(_case(path, result, obligation, outcome))
    return suite


def _case(path: Path, result: Checked, obligation: Obligation, outcome: Outcome) -> Element:
    case = Element(
        "testcase",
        classname=printable(result.item.name),
        name=printable(obligation.id),
        file=printable(path),
        line=str(result.item.line),
        time=f"{outcome.seconds:.4f}",
    )
    if outcome.verdict is Verdict.REFUTED:
        message = witness_line(outcome.witness or {})
        SubElement(case, "failure", type="REFUTED", message=printable(message)).text = printable(obligation.statement)
    elif outcome.verdict is Verdict.UNDECIDED:
        reason = printable(outcome.reason or "")
        SubElement(case, "error", type="UNDECIDED", message=reason).text = printable(obligation.statement)
    return case
