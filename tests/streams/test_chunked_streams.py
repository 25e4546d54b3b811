"""Chunks of a file are the stream that ``read`` reads, in little memory, with the same errors."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from gaptron.learners import Gaptron
from gaptron.streams import Chunks, Stream, StreamError, bundled, chunks, read
from gaptron.streams import csv_files as tables_read

T = 57


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text)
    return file


def tables(folder: Path, rounds: int = T, width: int = 5) -> dict[str, Path]:
    """The same rounds in every kind of file; the first block of the LibSVM file has fewer features than the last."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rounds, width)).round(3)
    X[: rounds // 2, -1] = 0
    y = rng.integers(3, size=rounds)
    rows = [[*map(repr, row.tolist()), f"c{label}"] for row, label in zip(X, y, strict=True)]
    header = ["x"] * width + ["y"]
    np.save(folder / "data.npy", np.column_stack([X, y]))
    return {
        "csv": write(folder, "data.csv", "\n".join(map(",".join, [header, *rows]))),
        "tsv": write(folder, "data.tsv", "\n\n".join(map("\t".join, rows))),
        "svm": write(folder, "data.svm", "\n".join(_svm(row, label) for row, label in zip(X, y, strict=True))),
        "npy": folder / "data.npy",
    }


def _svm(row: np.ndarray, label: int) -> str:
    return f"{label} " + " ".join(f"{i + 1}:{value}" for i, value in enumerate(row) if value)


def joined(found: Chunks) -> Stream:
    parts = list(found)
    stack = sparse.vstack if sparse.issparse(parts[0][0]) else np.vstack
    y = np.concatenate([y for _, y in parts])
    return Stream(found.name, stack([X for X, _ in parts]), y, found.classes)  # type: ignore[operator]


def equal(left: Stream, right: Stream) -> bool:
    assert type(left.X) is type(right.X)
    same = (left.X != right.X).nnz == 0 if sparse.issparse(left.X) else np.array_equal(left.X, right.X)
    return same and np.array_equal(left.y, right.y) and left.classes == right.classes


@pytest.mark.parametrize("size", [1, 10, 19, T, 1000])
@pytest.mark.parametrize("kind", ["csv", "tsv", "svm", "npy"])
def test_chunks_together_are_what_is_read(kind: str, size: int, tmp_path: Path) -> None:
    file = tables(tmp_path)[kind]
    found, whole = chunks(file, size), read(file)
    assert (found.name, found.n_rounds, found.n_features) == (str(file), whole.n_rounds, whole.n_features)
    assert found.feature_norm == pytest.approx(whole.feature_norm, rel=1e-15)
    assert [len(y) for _, y in found] == [size] * (T // size) + ([T % size] if T % size else [])
    assert equal(joined(found), whole)
    assert equal(joined(found), whole), "a second iteration gives the same"
    assert equal(joined(chunks(str(file), size)), whole)


def test_a_large_libsvm_file_stays_sparse_in_chunks(tmp_path: Path) -> None:
    lines = [f"{t % 2} {t % 7 + 1}:0.5 {10000 - t}:{t + 1}" for t in range(200)]
    file = write(tmp_path, "data.libsvm", "\n".join(lines))
    found = chunks(file, 30)
    assert all(isinstance(X, sparse.csr_array) and X.shape[1] == 10_000 for X, _ in found)
    assert equal(joined(found), read(file))


@pytest.mark.parametrize("name", ["digits", pytest.param("flights-origin", marks=pytest.mark.slow)])
def test_bundled_streams_have_chunks_too(name: str) -> None:
    found, whole = chunks(name, 10**5), bundled(name)
    assert equal(joined(found), whole)
    assert found.feature_norm == whole.feature_norm


def test_scaled_chunks_are_the_scaled_stream(tmp_path: Path) -> None:
    for file in tables(tmp_path).values():
        scaled = chunks(file, 7).scaled()
        assert scaled.feature_norm == 1
        assert joined(scaled).X == pytest.approx(read(file).scaled().X, rel=1e-14)
        assert joined(scaled.scaled()).X == pytest.approx(read(file).scaled().X, rel=1e-14)


def test_the_label_column_may_be_named(tmp_path: Path) -> None:
    file = write(tmp_path, "data.csv", "kind,x\na,1\nb,2\nb,3\n")
    assert equal(joined(chunks(file, 2, label_column="kind")), read(file, "kind"))


def test_a_header_that_numbers_the_columns_is_one_in_chunks(tmp_path: Path) -> None:
    file = write(tmp_path, "data.csv", "0,1,label\n1,2,0\n3,4,1\n5,6,1\n")
    assert chunks(file, 2).n_rounds == 3
    assert equal(joined(chunks(file, 2)), read(file))


def test_given_classes_set_the_order_of_the_labels(tmp_path: Path) -> None:
    files = tables(tmp_path)
    assert chunks(files["csv"], 9, classes=("c2", "c0", "c1", "never")).classes == ("c2", "c0", "c1", "never")
    whole = read(files["npy"])
    turned = joined(chunks(files["npy"], 9, classes=(2, 1, 0)))
    assert turned.classes == ("2", "1", "0")
    assert np.array_equal(turned.y, 2 - whole.y)


def test_labels_that_are_the_same_number_are_the_same_class_across_chunks(tmp_path: Path) -> None:
    file = write(tmp_path, "data.libsvm", "+1 1:2\n-1 1:3\n1.0 1:4\n1 1:5\n")
    assert [y.tolist() for _, y in chunks(file, 1)] == [[1], [0], [1], [1]]
    assert chunks(file, 3, classes=["1", "-1"]).classes == ("1", "-1")
    assert [y.tolist() for _, y in chunks(file, 3, classes=["1", "-1"])] == [[0, 1, 0], [0]]


BROKEN = {
    "empty.csv": "",
    "header.csv": "x,label\n",
    "one.csv": "x,label\n1,a\n2,a\n3,a\n",
    "narrow.csv": "a\nb\n",
    "ragged.csv": "x,label\n1,a\n2,b\n2,b,c\n",
    "text.csv": "x,label\n1,a\n2,b\nabc,b\n",
    "nan.csv": "1,a\n2,b\nnan,b\n",
    "infinite.csv": "1,a\n2,b\n-inf,b\n",
    "label.csv": "1,a\n2,b\n3,\n",
    "labels.csv": "1,0\n2,1\n3,nan\n",
    "large.csv": "1,a\n2,b\n1e200,b\n",
    "small.csv": "1e-200,a\n0,b\n",
    "quote.csv": 'x,label\n1,a\n1,"a\n2,b\n',
    "index.svm": "a 1:2\nb 1:2\nb 0:1\n",
    "twice.svm": "a 1:2\nb 1:2\na 1:2 1:3\n",
    "unlabelled.svm": "a 1:2\nb 1:2\n1:3\n",
    "none.svm": "a\nb\na\n",
    "empty.svm": "",
    "kind.parquet": "",
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("size", [1, 2, 100])
def test_a_broken_file_is_refused_as_read_refuses_it(name: str, size: int, tmp_path: Path) -> None:
    file = write(tmp_path, name, BROKEN[name])
    assert refusal(lambda: chunks(file, size)) == refusal(lambda: read(file))


@pytest.mark.parametrize(
    "table",
    [
        np.array([[1, 0], [2, 1], [np.nan, 1]]),
        np.array([[1, 0], [2, 1], [3, np.inf]]),
        np.array([[1, 0], [2, 0], [3, 0]]),
        np.arange(4.0),
        np.zeros((3, 0)),
        np.array([["x", "a"], ["y", "b"]]),
        np.array([[1, 2j]]),
    ],
)
def test_a_broken_array_is_refused_as_read_refuses_it(table: np.ndarray, tmp_path: Path) -> None:
    np.save(tmp_path / "data.npy", table)
    said = {refusal(lambda size=size: chunks(tmp_path / "data.npy", size)) for size in (1, 2, 10)}
    assert said == {refusal(lambda: read(tmp_path / "data.npy"))}


GOOD = ["1", " -2.5 ", "+3e-3", "0.1000000000000000055511151231257827", "5e-324", "-0.0", '"7"', '"4\n"', "\t8",
        "\N{ARABIC-INDIC DIGIT THREE}"]  # fmt: skip
BAD = ["1_0", "nan", "1e400", "0x1p3", "", '"1,5"', "inf", "1,2"]
LABELS = ["a", " b", "c_d", '"e"', '"f,g"']


@pytest.mark.slow
@settings(max_examples=200)
@given(
    rows=st.lists(st.tuples(st.sampled_from(GOOD), st.sampled_from(LABELS)), min_size=1, max_size=9),
    last=st.tuples(st.sampled_from(GOOD + BAD), st.sampled_from([*LABELS, "", " "])),
    end=st.sampled_from(["\n", "\r\n", "\n\n"]),
    column=st.sampled_from([0, 1]),
)
def test_rows_read_together_are_those_read_one_by_one(
    rows: list[tuple[str, str]], last: tuple[str, str], end: str, column: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The same bits, labels and lines, or the same sentence."""
    lines = [",".join(row if column else row[::-1]) for row in [("x", "y"), *rows, last]]
    file = tmp_path_factory.mktemp("table") / "data.csv"
    file.write_text(end.join(lines), encoding="utf-8", newline="")
    with pytest.MonkeyPatch.context() as patch:
        together = _told(file, column)
        patch.setattr(tables_read, "_plain", lambda *_: None)
        assert together == _told(file, column)


def _told(file: Path, column: int) -> object:
    try:
        return [(b.X.tobytes(), b.labels, b.lines) for b in tables_read.blocks(file, str(column), 4)]
    except StreamError as error:
        return str(error)


@pytest.mark.parametrize("bad", ["abc,b", "1_0,b", "nan,b", "1,", "1", "1,b,c"])
@pytest.mark.parametrize("size", [1, 40, 1000])
def test_a_row_far_down_is_named_with_its_line(bad: str, size: int, tmp_path: Path) -> None:
    lines = ["x,label", *(f"{t},{'ab'[t % 2]}" for t in range(300))]
    said = []
    for at in (3, 250):
        file = write(tmp_path, "data.csv", "\n".join([*lines[:at], bad, *lines[at:]]))
        said.append(refusal(lambda file=file: chunks(file, size)))
        assert f"{file}:{at + 1}: " in said[-1]
    assert said[0].replace(":4: ", ":251: ") == said[1]


def test_the_first_pass_tells_how_many_rounds_it_has_checked(tmp_path: Path) -> None:
    told: list[int] = []
    chunks(tables(tmp_path)["csv"], 25, arrived=told.append)
    assert told == [25, 50, T]


def refusal(act: Callable[[], Any]) -> str:
    with pytest.raises(StreamError) as raised:
        act()
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_files_that_cannot_be_mapped_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "data.npz", X=np.eye(2), y=[0, 1])
    np.save(tmp_path / "objects.npy", np.array([[{}, 1]], dtype=object), allow_pickle=True)
    (tmp_path / "several.npy").write_bytes((tmp_path / "data.npz").read_bytes())
    (tmp_path / "junk.npy").write_bytes(b"junk")
    for name, message in [
        ("data.npz", "cannot be read in chunks: save the rounds as .npy"),
        ("objects.npy", "is not a NumPy file of plain numbers: it is broken, or holds pickled objects"),
        ("several.npy", "holds several arrays: call it .npz"),
        ("junk.npy", "is not a NumPy file of plain numbers"),
        ("none.csv", "does not exist"),
    ]:
        assert message in refusal(lambda name=name: chunks(tmp_path / name, 5))


def test_arguments_are_checked(tmp_path: Path) -> None:
    file = tables(tmp_path)["csv"]
    for size in (0, 2.5, "3"):
        with pytest.raises(ValueError, match=f"size = {size!r} is not an integer >= 1"):
            chunks(file, size)  # type: ignore[arg-type]
    for classes in ((), ("a",), ("a", "a"), ("1", "1.0"), "abc"):
        with pytest.raises(ValueError, match="is not a sequence of at least two different classes"):
            chunks(file, 5, classes=classes)
    assert refusal(lambda: chunks("iris", 5, label_column="0")).startswith("iris: --label-column 0 goes with CSV")


def test_a_label_that_is_none_of_the_given_classes_is_named_with_its_line(tmp_path: Path) -> None:
    file = write(tmp_path, "data.csv", "x,label\n1,a\n\n2,b\n3,c\n")
    assert refusal(lambda: chunks(file, 1, classes=("a", "b"))) == f"{file}:5: the label is 'c', none of the 2 classes"
    np.save(tmp_path / "data.npy", np.array([[1, 0], [2, 1], [3, 2]]))
    assert refusal(lambda: chunks(tmp_path / "data.npy", 2, classes=(0, 1))).endswith(
        "data.npy: the label of round 3 is '2', none of the 2 classes"
    )


def test_a_file_that_changes_after_the_first_pass_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path, "data.svm", "a 1:2\nb 2:2\n")
    found = chunks(file, 1)
    write(tmp_path, "data.svm", "a 1:2\nc 2:2\n")
    assert refusal(lambda: list(found)) == f"{file}:2: the label is 'c', none of the 2 classes"
    write(tmp_path, "data.svm", "a 1:2\nb 3:2\n")
    assert refusal(lambda: list(found)) == f"{file}: has changed: it had 2 features"
    file.unlink()
    assert refusal(lambda: list(found)) == f"{file}: does not exist"


def test_a_learner_may_live_a_stream_in_chunks(tmp_path: Path) -> None:
    file = tables(tmp_path)["csv"]
    whole, found = read(file), chunks(file, 8)
    one, other = (Gaptron(3, 5, feature_norm=s.feature_norm, seed=0) for s in (whole, found))
    expected = one.run(whole.X, whole.y).expected_mistakes
    assert sum(other.run(X, y).expected_mistakes for X, y in found) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kind", ["npy", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("csv", "svm"))])
def test_memory_does_not_grow_with_the_file(kind: str, tmp_path: Path) -> None:
    """Ten times the rounds, and the peak stays: not even half of the larger file fits into it."""
    peaks = []
    for rounds in (600, 6000):
        folder = tmp_path / str(rounds)
        folder.mkdir()
        file = tables(folder, rounds, 20)[kind]
        peaks.append(_peak(file))
    assert file.stat().st_size > 0.7e6
    assert peaks[1] < 2 * peaks[0]
    assert peaks[1] < file.stat().st_size / 2


def _peak(file: Path) -> int:
    tracemalloc.start()
    try:
        rounds = 0
        for X, y in chunks(file, 50):
            rounds += len(y)
            assert X.shape == (len(y), 20)
        assert rounds in (600, 6000)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
