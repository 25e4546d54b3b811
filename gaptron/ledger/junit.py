"""A JUnit report: one suite for each theorem, one case for each obligation."""

from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from gaptron.ledger.witness import witness_line
from gaptron.system.atomic import write_atomically
from gaptron.system.printable import printable

Document = dict[str, Any]


def write(file: Path, theorems: list[Document], errors: dict[str, str] | None = None, partial: bool = False) -> None:
    """Write the report: REFUTED is a failure, UNDECIDED an error, and so is a file that could not be used."""
    write_atomically(file, as_xml(theorems, errors, partial))


def as_xml(theorems: list[Document], errors: dict[str, str] | None = None, partial: bool = False) -> str:
    """The report as text."""
    suites = Element("testsuites", name="gaptron check")
    if partial:
        SubElement(SubElement(suites, "properties"), "property", name="partial", value="true")
    for file, message in (errors or {}).items():
        suites.append(_unusable(file, message))
    for theorem in theorems:
        suites.append(_suite(theorem))
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _unusable(file: str, message: str) -> Element:
    suite = Element("testsuite", name=printable(file), tests="1", failures="0", errors="1")
    case = SubElement(suite, "testcase", classname=printable(file), name="the file", file=printable(file))
    SubElement(case, "error", type="input", message=printable(message))
    return suite


def _suite(theorem: Document) -> Element:
    verdicts = [obligation["verdict"] for obligation in theorem["obligations"]]
    suite = Element(
        "testsuite",
        name=printable(theorem["name"]),
        tests=str(len(verdicts)),
        failures=str(verdicts.count("REFUTED")),
        errors=str(verdicts.count("UNDECIDED")),
        time=f"{sum(obligation['seconds'] for obligation in theorem['obligations']):.4f}",
    )
    for obligation in theorem["obligations"]:
        suite.append(_case(theorem, obligation))
    return suite


def _case(theorem: Document, obligation: Document) -> Element:
    case = Element(
        "testcase",
        classname=printable(theorem["name"]),
        name=printable(obligation["id"]),
        file=printable(theorem["file"]),
        line=str(theorem["line"]),
        time=f"{obligation['seconds']:.4f}",
    )
    statement = printable(obligation["statement"])
    if obligation["verdict"] == "REFUTED":
        message = witness_line(obligation["witness"] or {})
        SubElement(case, "failure", type="REFUTED", message=printable(message)).text = statement
    elif obligation["verdict"] == "UNDECIDED":
        reason = printable(obligation["reason"] or "")
        SubElement(case, "error", type="UNDECIDED", message=reason).text = statement
    return case
