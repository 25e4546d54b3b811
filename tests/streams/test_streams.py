"""The same rounds from every kind of file, and one sentence for every file that is not one."""

import errno
import os
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

from gaptron.streams import Stream, StreamError, bundled, chunks, read
from gaptron.system.extras import install

X = np.array([[0.5, 0.0, -1.0], [0.0, 2.0, 0.25], [1.0, 1.0, 0.0], [0.0, 0.0, 3.0]])
LABELS = ["b", "a", "c", "b"]
CSV = "x1,x2,x3,label\n" + "".join(f"{','.join(map(str, row))},{label}\n" for row, label in zip(X, LABELS, strict=True))


def write(folder: Path, name: str, content: str | bytes) -> Path:
    file = folder / name
    file.unlink(missing_ok=True)  # a file that is written over costs forty times the time of a new one on some disks
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def outcome(file: Path) -> str:
    try:
        return read(file).name
    except StreamError as error:
        return str(error)


def same(found: Stream, classes: tuple[str, ...] = ("a", "b", "c")) -> bool:
    return np.array_equal(found.X, X) and found.y.tolist() == [1, 0, 2, 1] and found.classes == classes


def test_every_format_holds_the_same_rounds(tmp_path: Path) -> None:
    numbers = np.array([1, 0, 2, 1])
    np.save(tmp_path / "data.npy", np.column_stack([X, numbers]))
    np.savez(tmp_path / "data.npz", X=X, y=np.array(LABELS))
    sparse = "# a comment\n" + "\n".join(
        f"{label} " + " ".join(f"{i + 1}:{v}" for i, v in enumerate(row) if v)
        for row, label in zip(X, LABELS, strict=True)
    )
    assert same(read(write(tmp_path, "data.csv", CSV)))
    assert same(read(write(tmp_path, "bare.csv", CSV.split("\n", 1)[1])))
    assert same(read(write(tmp_path, "windows.csv", "\ufeff" + CSV.replace("\n", "\r\n"))))
    assert same(read(write(tmp_path, "data.tsv", CSV.replace(",", "\t"))))
    assert same(read(write(tmp_path, "data.libsvm", sparse)))
    assert same(read(tmp_path / "data.npz"))
    assert same(read(tmp_path / "data.npy"), ("0.0", "1.0", "2.0"))


@pytest.mark.parametrize("column", ["label", "0", "-4"])
def test_the_label_column_is_chosen_by_name_or_number(column: str, tmp_path: Path) -> None:
    lines = [line.split(",") for line in CSV.split()]
    moved = "\n".join(",".join([line[-1], *line[:-1]]) for line in lines)
    assert same(read(write(tmp_path, "data.csv", moved), column))


def test_number_labels_are_ordered_by_value(tmp_path: Path) -> None:
    assert read(write(tmp_path, "data.csv", "1,10\n2,9\n3,-1\n")).classes == ("-1", "9", "10")


def test_labels_that_are_the_same_number_are_the_same_class(tmp_path: Path) -> None:
    found = read(write(tmp_path, "data.libsvm", "+1 1:2\n-1 1:3\n1.0 1:4\n1 1:5\n"))
    assert found.y.tolist() == [1, 0, 1, 1]
    assert read(write(tmp_path, "data.csv", "1,b\n2,10\n3,nan\n4,9\n")).classes == ("10", "9", "b", "nan")


def test_a_first_row_of_numbers_is_a_header_if_the_label_column_is_named_in_it(tmp_path: Path) -> None:
    file = write(tmp_path, "data.csv", "0,1,kind\n1,2,a\n3,4,b\n")
    assert len(read(file).X) == 3
    assert len(read(file, "kind").X) == 2
    assert len(read(write(tmp_path, "data.csv", "0,1,a\n1,2,b\n"), "2").X) == 2


def test_a_first_row_that_numbers_the_columns_is_a_header(tmp_path: Path) -> None:
    numbered = write(tmp_path, "data.csv", "0,1,label\n1,2,0\n3,4,1\n")
    assert read(numbered).classes == read(numbered, "-1").classes == ("0", "1")
    assert read(write(tmp_path, "data.csv", "label,0\n0,2\n1,4\n"), "-2").X.tolist() == [[2.0], [4.0]]
    assert len(read(write(tmp_path, "data.csv", "0,5,label\n1,2,0\n3,4,1\n")).X) == 3
    assert len(read(write(tmp_path, "data.csv", "0,1,kind\n1,2,0\n3,4,b\n")).X) == 3
    with pytest.raises(StreamError, match=r"data\.csv:2: has 1 columns"):
        read(write(tmp_path, "data.csv", "0,label\n1\n3,1\n"))


def test_spaces_and_blank_lines_do_not_matter(tmp_path: Path) -> None:
    assert same(read(write(tmp_path, "data.csv", CSV.replace(",", " , ").replace("\n", "\n \n"))))


def test_text_in_bytes_is_text(tmp_path: Path) -> None:
    np.savez(tmp_path / "data.npz", X=X, y=np.array(LABELS, dtype="S"))
    assert same(read(tmp_path / "data.npz"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("data.csv", "", "data.csv: is empty"),
        ("data.csv", "x,label\n", "data.csv: holds no rounds"),
        ("data.csv", "x,label\n1,a\n2,a\n", "data.csv: all labels are 'a': at least two classes are needed"),
        ("data.csv", "a\nb\n", "holds no features"),
        ("data.csv", "1\n2\n", "holds no features"),
        ("data.csv", "x,label\n1,a\n2,b,c\n", "data.csv:3: has 3 columns, the first row has 2"),
        ("data.csv", "x,label\n1,a\nabc,b\n", "data.csv:3: column 1 is 'abc', not a finite number"),
        ("data.csv", "1,a\nnan,b\n", "data.csv:2: column 1 is 'nan', not a finite number"),
        ("data.csv", "1,a\ninf,b\n", "data.csv:2: column 1 is 'inf', not a finite number"),
        ("data.csv", "1,a\n1_000,b\n", "data.csv:2: column 1 is '1_000', not a finite number"),
        ("data.csv", "1_000,a\n1,b\n", "data.csv:1: column 1 is '1_000', not a finite number"),
        ("data.csv", "1,a\n,b\n", "data.csv:2: column 1 is '', not a finite number"),
        ("data.csv", "1,a\n2,\n", "data.csv:2: the label, in column 2, is empty"),
        ("data.csv", "1,0\n2,1\n3,nan\n", "data.csv:3: the label is nan, not a finite number"),
        ("data.csv", "1,a\n1e200,b\n", "the largest feature is 1e+200 in absolute value: scale the features"),
        ("data.csv", "1e-200,a\n0,b\n", "the largest feature is 1e-200 in absolute value: scale the features"),
        ("data.csv", b"\x80\x81\xff,a\n", "data.csv: is not text in UTF-8"),
        ("data.csv", 'x,label\n1,"a\n2,b\n', "data.csv:3: not a table: unexpected end of data"),
        ("data.csv", "x,label\n1," + "a" * 9000, "data.csv: all labels are 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...:"),
        ("data.csv", "1,a\n" + "9" * 200000 + ",b\n", "data.csv:"),
        ("data.libsvm", "a 1:2\nb 2\n", "data.libsvm:2: '2' is not index:value"),
        ("data.libsvm", "a 1:2\nb 0:1\n", "data.libsvm:2: '0:1' is not index:value with an index from 1"),
        ("data.libsvm", "a 1:2\nb 99999999999:1\n", "is not index:value with an index from 1 to 10000000"),
        ("data.libsvm", "a 1:2\nb 1:x\n", "data.libsvm:2: feature 1 is 'x', not a finite number"),
        ("data.libsvm", "a 1:2\nb 1:2 1:3\n", "data.libsvm:2: feature 1 is there twice"),
        ("data.libsvm", "1:2\n1:3\n", "data.libsvm:1: '1:2' stands where the label belongs"),
        ("data.libsvm", "a " + "9" * 5000 + ":1\n", "is not index:value with an index from 1 to 10000000"),
        ("data.libsvm", "a \u00b2:1\n", "data.libsvm:1: '\u00b2:1' is not index:value"),
        ("data.libsvm", "", "data.libsvm: holds no rounds"),
        ("data.npy", b"\x93NUMPY", "data.npy: is not a NumPy file of plain numbers"),
        ("data.npy", b"junk", "data.npy: is not a NumPy file of plain numbers"),
        ("data.npy", pickle.dumps([1]), "is not a NumPy file of plain numbers: it is broken, or holds pickled objects"),
        ("data.npz", pickle.dumps([1]), "is not a NumPy file of plain numbers: it is broken, or holds pickled objects"),
        ("data.npy", b"", "data.npy: is not a NumPy file of plain numbers"),
        ("data.npz", b"PK\x03\x04junk", "data.npz: is not a NumPy file of plain numbers"),
        ("data.parquet", "", "data.parquet: the ending '.parquet' is none of .csv, .tsv, .npy, .npz"),
    ],
)
def test_a_broken_file_is_named_with_line_and_value(
    name: str, content: str | bytes, message: str, tmp_path: Path
) -> None:
    with pytest.raises(StreamError) as raised:
        read(write(tmp_path, name, content))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_arrays_of_the_wrong_shape_or_type_are_named(tmp_path: Path) -> None:
    np.save(tmp_path / "flat.npy", np.arange(4.0))
    np.save(tmp_path / "text.npy", np.array([["x", "a"], ["y", "b"]]))
    np.save(tmp_path / "objects.npy", np.array([[{}, 1]], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "named.npz", features=X)
    np.savez(tmp_path / "shapes.npz", X=X, y=np.arange(3))
    np.save(tmp_path / "infinite.npy", np.array([[np.inf, 1], [0, 2]]))
    np.save(tmp_path / "label.npy", np.array([[1, 1], [0, np.nan]]))
    np.save(tmp_path / "narrow.npy", np.zeros((3, 0)))
    np.savez(tmp_path / "dates.npz", X=X, y=np.arange(4).astype("datetime64[D]"))
    np.savez(tmp_path / "complex.npz", X=X, y=np.arange(4) * 1j)
    (tmp_path / "several.npy").write_bytes((tmp_path / "named.npz").read_bytes())
    (tmp_path / "one.npz").write_bytes((tmp_path / "flat.npy").read_bytes())
    with (tmp_path / "huge.npy").open("wb") as file:
        header = {"descr": "<f8", "fortran_order": False, "shape": (10**9, 10**9)}
        np.lib.format.write_array_header_1_0(file, header)
    expected = {
        "flat.npy": "holds an array of shape (4,)",
        "text.npy": "numbers are needed",
        "objects.npy": "is not a NumPy file of plain numbers: it is broken, or holds pickled objects",
        "named.npz": "X and y are needed",
        "shapes.npz": "X has shape (4, 3) and y (3,)",
        "infinite.npy": "feature 1 of round 1 is inf, not a finite number",
        "label.npy": "the label of round 2 is nan, not a finite number",
        "narrow.npy": "holds an array of shape (3, 0)",
        "dates.npz": "the labels have type datetime64[D]: numbers or text are needed",
        "complex.npz": "the labels have type complex128: numbers or text are needed",
        "several.npy": "holds several arrays: call it .npz",
        "one.npz": "holds one array: call it .npy",
        "huge.npy": "needs more memory than there is",
    }
    for name, message in expected.items():
        with pytest.raises(StreamError, match=re.escape(message)):
            read(tmp_path / name)


@pytest.mark.parametrize("name", ["data.csv", "data.libsvm", "data.npy", "data.npz"])
def test_damaged_bytes_are_a_stream_or_one_sentence(name: str, tmp_path: Path) -> None:
    np.save(tmp_path / "data.npy", np.column_stack([X, [1, 0, 2, 1]]))
    np.savez_compressed(tmp_path / "data.npz", X=np.arange(60.0).reshape(20, 3), y=np.arange(20) % 3)
    write(tmp_path, "data.csv", CSV)
    write(tmp_path, "data.libsvm", "a 1:1 2:3\nb 2:1\n")
    whole = (tmp_path / name).read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(300):
        damaged = bytearray(whole[: rng.integers(len(whole) + 1)] if rng.random() < 0.2 else whole)
        for place in rng.integers(len(damaged), size=rng.integers(4)) if damaged else ():
            damaged[place] = rng.integers(256)
        assert "\n" not in outcome(write(tmp_path, name, bytes(damaged)))


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    file = write(tmp_path, "data.csv", CSV)
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(StreamError, match=r"data\.csv: cannot be read: Permission denied"):
        read(file)


def test_missing_files_folders_and_columns_are_named(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    for path, column, message in [
        (tmp_path / "none.csv", None, "does not exist"),
        (tmp_path / "folder.csv", None, "is a folder"),
        (tmp_path, None, "is a folder"),
        (tmp_path / ("x" * 300 + ".csv"), None, "cannot be read: File name too long"),
        (write(tmp_path, "data.csv", CSV), "colour", "the label column 'colour' is not one of x1, x2, x3, label, or"),
        (write(tmp_path, "data.csv", CSV), "4", "a number from 0 to 3"),
        (write(tmp_path, "data.txt", "a 1:1"), "0", "goes with CSV and TSV files only"),
    ]:
        with pytest.raises(StreamError, match=message):
            read(path, column)


@pytest.mark.parametrize("ending", [".csv", ".libsvm", ".npy"])
def test_a_pipe_is_refused_since_it_is_read_more_than_once(ending: str, tmp_path: Path) -> None:
    """Without waiting for somebody who writes into it."""
    pipe = tmp_path / f"pipe{ending}"
    os.mkfifo(pipe)
    with pytest.raises(StreamError, match=r"is no regular file: only these can be read twice"):
        read(pipe)
    with pytest.raises(StreamError, match=r"is no regular file: only these can be read twice"):
        chunks(pipe, 5)


@pytest.mark.parametrize(
    ("name", "shape", "n_classes"), [("digits", (1797, 64), 10), ("wine", (178, 13), 3), ("iris", (150, 4), 3)]
)
def test_bundled_data(name: str, shape: tuple[int, int], n_classes: int) -> None:
    found = bundled(name)
    assert found.X.shape == shape
    assert len(found.classes) == n_classes
    assert set(found.y) == set(range(n_classes))


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    with pytest.raises(StreamError, match=re.escape(install("sklearn"))):
        bundled("digits")


def test_the_feature_norm_neither_overflows_nor_underflows() -> None:
    for scale in (1e-100, 1.0, 1e99):
        found = Stream("s", np.array([[3.0, 4.0], [1.0, 1.0]]) * scale, np.array([0, 1]), ("a", "b"))
        assert found.feature_norm == pytest.approx(5 * scale, rel=1e-15)


def test_a_constant_feature_and_the_norm_of_nothing() -> None:
    plain = Stream("s", np.zeros((2, 3)), np.array([0, 1]), ("a", "b"))
    assert plain.feature_norm == 1.0
    assert plain.with_bias().X[:, 3].tolist() == [1.0, 1.0]
