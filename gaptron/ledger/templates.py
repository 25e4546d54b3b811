"""Offline pages from our templates: their own style and script, and nothing from anywhere, as their policy says."""

import base64
import hashlib
from collections.abc import Callable, Mapping
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from gaptron.system.printable import printable

Filters = Mapping[str, Callable[..., object]]


def text_of(name: str) -> str:
    """A file of ``ledger/html``."""
    return (files("gaptron.ledger.html") / name).read_text(encoding="utf-8")


def rendered(template: str, filters: Filters, **parts: object) -> str:
    """A template with its parts; in HTML, what is not marked up is escaped."""
    is_html = template.endswith(".html.j2")
    environment = Environment(autoescape=is_html, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)  # noqa: S701
    environment.filters |= {"plain": printable, **filters}
    return environment.from_string(text_of(template)).render(**parts)


def part(template: str, filters: Filters, **parts: object) -> Markup:
    """A part of a page, of which nothing is escaped again."""
    return Markup(rendered(template, filters, **parts))  # noqa: S704  escaped by the template


def offline(template: str, filters: Filters, script: str, **parts: object) -> str:
    """A whole page, with our style and this script."""
    style = text_of("style.css")
    marked = {"style": Markup(style), "script": Markup(script)}  # noqa: S704  our own files
    return rendered(template, filters, policy=policy(style, script), **marked, **parts)


def policy(style: str, script: str) -> str:
    """What the page may use, by the hashes of the two texts."""
    return f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'"


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
