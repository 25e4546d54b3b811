"""JUnit reports, of every verb that writes one: suites of cases, of which some have a fault."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from gaptron.system.printable import printable


@dataclass(frozen=True)
class Fault:
    """Why a case did not pass; ``text`` says what was tested."""

    kind: Literal["failure", "error"]
    type: str
    message: str
    text: str | None = None


@dataclass(frozen=True)
class TestCase:
    """One thing that was tested, where it is written, and how long it took."""

    group: str
    name: str
    file: object
    line: int | None = None
    seconds: float | None = None
    fault: Fault | None = None
    properties: Mapping[str, str] = field(default_factory=dict)


def suite(name: object, cases: Sequence[TestCase], *totals: str) -> Element:
    """Cases with their number, and those of the ``totals`` "failures", "errors" and "time" that are wanted."""
    kinds = [case.fault.kind for case in cases if case.fault is not None]
    known = {"failures": str(kinds.count("failure")), "errors": str(kinds.count("error"))}
    known["time"] = f"{sum(case.seconds or 0.0 for case in cases):.4f}"
    found = Element("testsuite", {"name": printable(name), "tests": str(len(cases))} | {t: known[t] for t in totals})
    found.extend(map(_element, cases))
    return found


def _element(case: TestCase) -> Element:
    found = Element("testcase", classname=printable(case.group), name=printable(case.name), file=printable(case.file))
    if case.line is not None:
        found.set("line", str(case.line))
    if case.seconds is not None:
        found.set("time", f"{case.seconds:.4f}")
    if case.properties:
        below = SubElement(found, "properties")
        for name, value in case.properties.items():
            SubElement(below, "property", name=name, value=printable(value))
    if (fault := case.fault) is not None:
        below = SubElement(found, fault.kind, type=fault.type, message=printable(fault.message))
        below.text = None if fault.text is None else printable(fault.text)
    return found


def suites(name: str, found: Sequence[Element], partial: bool) -> Element:
    """Several suites; ``partial`` says that what made them was interrupted."""
    root = Element("testsuites", name=name)
    if partial:
        SubElement(SubElement(root, "properties"), "property", name="partial", value="true")
    root.extend(found)
    return root


def as_xml(root: Element) -> str:
    """The report as text."""
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"
