"""Kinds of options that several verbs have."""

import math

import click


class FiniteRange(click.FloatRange):
    """A number in a range; nan, which is in every one, and the infinities are refused."""

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


POSITIVE = FiniteRange(min=0, min_open=True)
