"""What JSON holds."""

from typing import Any

Document = dict[str, Any]  # an object
