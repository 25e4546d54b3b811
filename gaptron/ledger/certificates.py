"""Certificates as files: one for each obligation that the kernel decided."""

import json
import re
from pathlib import Path

from gaptron.files import write_atomically
from gaptron.prove.check import Checked


def write_certificates(folder: Path, checked: list[Checked]) -> None:
    """Write the certificates of all theorems to ``folder``, named after theorem and obligation."""
    folder.mkdir(parents=True, exist_ok=True)
    for result in checked:
        for obligation, certificate in zip(result.obligations, result.certificates, strict=True):
            if certificate is not None:
                name = f"{_slug(result.item.name)}.{_slug(obligation.id)}.json"
                write_atomically(folder / name, json.dumps(certificate.data, indent=1) + "\n")


def _slug(text: str) -> str:
    """Letters, digits and dashes only."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower() or "theorem"
