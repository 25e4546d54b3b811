"""Hypothesis profiles: "ci" is the same run every time; the default one is short."""

import os

from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=60)
settings.register_profile("default", deadline=None, max_examples=60)
settings.load_profile("ci" if os.environ.get("CI") else "default")
