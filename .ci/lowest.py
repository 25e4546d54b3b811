"""Prints the lowest versions that pyproject.toml allows, as constraints for pip."""

import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
for dependency in tomllib.loads(PROJECT.read_text())["project"]["dependencies"]:
    print(dependency.replace(">=", "=="))
