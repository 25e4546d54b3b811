"""Loss, gap map and surrogate gap of a theorem over the margin, or its criterion, as numbers and as drawings.

Values come from ``rounds``, in doubles: a drawing proves nothing. No formula of a loss belongs here.
"""

from gaptron.plots.structured import plotted_structured
from gaptron.plots.values import Panel, Plot, plotted

__all__ = ["Panel", "Plot", "plotted", "plotted_structured"]
