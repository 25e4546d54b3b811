"""Certificates as files: one for each obligation that the kernel decided."""

import json
from pathlib import Path

from gaptron.atomic import write_atomically
from gaptron.files import FileNames
from gaptron.prove.check import Checked


def write_certificates(folder: Path, checked: list[Checked]) -> None:
    """Write the certificates of all theorems to ``folder``, named after theorem and obligation."""
    folder.mkdir(parents=True, exist_ok=True)
    names = FileNames()
    for result in checked:
        for obligation, certificate in zip(result.obligations, result.certificates, strict=True):
            if certificate is not None:
                name = names.name(result.item.name, obligation.id, "json")
                write_atomically(folder / name, json.dumps(certificate, indent=1) + "\n")
