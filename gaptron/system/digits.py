"""Numbers for people: six digits, and more only where two of them would look alike. JSON has the exact ones."""

from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

DIGITS = (6, 12, 24, 48)
SHORT = 12  # characters that are shown as they are
Value = object  # a text or an integer; an enclosure is a list of two texts


def number(value: Value, digits: int = DIGITS[0]) -> str:
    """A short number as it is, a long one with ``~``; an enclosure as one number, if it is that narrow."""
    if isinstance(value, (list, tuple)):
        low, high = (_rounded(str(end), digits) for end in value)
        return low if low == high else f"[{low}, {high}]"
    text = str(value)
    return text if len(text) <= SHORT or not _is_number(text) else f"~{_rounded(text, digits)}"


def apart(values: Sequence[Value]) -> list[str]:
    """Several numbers, with the fewest digits that tell those apart that differ."""
    different = len({str(value) for value in values})
    texts = ([number(value, digits) for value in values] for digits in DIGITS)
    return next((found for found in texts if len(set(map(_look, found))) == different), [*map(number, values)])


def decimal(value: Fraction, rounded: Callable[[Fraction], int], places: int) -> str:
    """The value to so many decimals, rounded down (floor) or up (ceil)."""
    digits = rounded(value * 10**places)
    text = str(abs(digits)).rjust(places + 1, "0")
    return f"{'-' if digits < 0 else ''}{text[:-places]}.{text[-places:]}"


def _look(text: str) -> object:
    """What a reader takes it for."""
    bare = text.removeprefix("~")
    return Fraction(bare) if _is_number(bare) else text


def _is_number(text: str) -> bool:
    try:
        Fraction(text)
    except (ValueError, ZeroDivisionError):
        return False
    return True


def _rounded(text: str, digits: int) -> str:
    """To so many significant digits; plain decimals, unless the number is very large or small."""
    if not _is_number(text):
        return text
    value = Fraction(text)
    with localcontext() as context:
        context.prec = digits
        found = Decimal(value.numerator) / Decimal(value.denominator)
    return f"{found:f}" if -digits <= found.adjusted() <= digits else f"{found:e}"
