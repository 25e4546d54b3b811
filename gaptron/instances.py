"""Second routes: rounds and streams written out by hand, which the audit compares with what everything else says.

They stand beside the proofs that use them, in ``proofs/instances``, and import no room of the package: that is the
point.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
__path__ = [str(folder / "proofs" / "instances") for folder in (_PACKAGE, _PACKAGE.parent)]  # installed, repository
