"""Writes requirements.lock: what the core and all its extras resolve to here, each with the hash of its file."""

import json
import platform
import subprocess
import sys
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
HEAD = """\
# What gaptron and its extras resolve to, with the SHA-256 of each file; written by: make lock
# Files of: {where}. Elsewhere the versions hold, and pip asks for the hashes of other files.
# pip install --require-hashes -r requirements.lock && pip install --no-deps .
"""


def main() -> None:
    """Resolve all anew, install nothing."""
    extras = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    command = ["install", "--dry-run", "--ignore-installed", "--quiet", "--report", "-"]
    whole = [sys.executable, "-m", "pip", *command, f"{REPOSITORY}[{','.join(extras)}]"]
    found = json.loads(subprocess.run(whole, check=True, stdout=subprocess.PIPE, text=True).stdout)["install"]
    entries = sorted(
        f"{one['metadata']['name'].lower()}=={one['metadata']['version']} "
        f"--hash=sha256:{one['download_info']['archive_info']['hashes']['sha256']}\n"
        for one in found
        if one["metadata"]["name"] != "gaptron"
    )
    where = f"CPython {platform.python_version_tuple()[0]}.{platform.python_version_tuple()[1]}, {sys.platform} "
    text = HEAD.format(where=where + platform.machine()) + "".join(entries)
    (REPOSITORY / "requirements.lock").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
