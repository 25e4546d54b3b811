"""The content security policy of an offline page: its own style and script, and nothing from anywhere."""

import base64
import hashlib


def policy(style: str, script: str) -> str:
    """What the page may use, by the hashes of the two texts."""
    return f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'"


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
