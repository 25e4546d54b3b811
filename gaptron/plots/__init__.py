"""Loss, gap map and surrogate gap of a theorem over the margin, or its criterion, as numbers and as drawings.

Values come from ``rounds``, in doubles: a drawing proves nothing. No formula of a loss belongs here.
"""

from gaptron.plots.panels import Panel, Plot, plotted
from gaptron.plots.structured_plot import plotted_structured

__all__ = ["Panel", "Plot", "plotted", "plotted_structured"]
