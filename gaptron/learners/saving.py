"""Saving learners and resuming them bit for bit: one .npz file, without pickle.

The file is a ZIP archive, uncompressed. ``learner.json`` holds the format's version, the class, its constructor
arguments, what changes as it learns (``Learner.STATE``), the prediction it remembers, and its bit generator; every
array in these is a member of its own, in NumPy's format, which the JSON names.
"""

import json
import os
from collections.abc import Iterator
from inspect import signature
from io import BytesIO
from numbers import Real
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import numpy as np

from gaptron import learners
from gaptron.learners.arithmetic import Array
from gaptron.learners.learner import Learner
from gaptron.system.atomic import write_atomically
from gaptron.system.checks import Given

FORMAT, VERSION = "gaptron learner", 1
DOCUMENT = "learner.json"
GENERATORS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (np.random.MT19937, np.random.PCG64, np.random.PCG64DXSM, np.random.Philox, np.random.SFC64)
}


def save(learner: Learner, path: str | os.PathLike[str]) -> None:
    """Write the learner to ``path``, the whole file or nothing, so that ``load`` continues it bit for bit.

    Parameters
    ----------
    learner : Learner
        One of ``gaptron.learners``, computing with doubles. Its constructor arguments must be numbers, strings, arrays
        or a Theorem, which is kept as data: a learner built from a function is not saved.
    path : path
        The file, replaced if it exists. Its name is used as it is.

    Raises
    ------
    ValueError
        If the learner is not as above, or its bit generator is not one of NumPy's.
    OSError
        If the file cannot be written.
    """
    arrays: dict[str, Array] = {}
    document = dict(_encode(_description(learner), "", arrays))
    write_atomically(Path(path), _archive(document, arrays))


def load(path: str | os.PathLike[str]) -> Learner:
    """The learner that ``save`` wrote to ``path``; nothing in the file is executed.

    Raises
    ------
    ValueError
        If the file is truncated, corrupt, of another version, or not a saved learner: one sentence that names it.
    OSError
        If the file cannot be read, or does not exist: FileNotFoundError.
    """
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{path}: there is no such file: save(learner, path) writes one") from error
    try:
        return _learner(_decode(*_members(content)))
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"{path}: cannot be loaded as a learner: {reason}") from error


# --- what is saved ------------------------------------------------------------------------------------------


def _description(learner: Learner) -> dict[str, Any]:
    name = type(learner).__name__
    if getattr(learners, name, None) is not type(learner) or name not in learners.__all__:
        raise ValueError(f"learner is a {name}, which is not one of gaptron.learners: only these can be saved")
    if learner._arithmetic.dtype is not float:
        raise ValueError(f"exact = True: a {name} can be saved only if it computes with doubles")
    generator = learner.rng.bit_generator
    if type(generator) is not GENERATORS.get(type(generator).__name__):
        raise ValueError(
            f"rng has a {type(generator).__name__}: it can be saved only with one of {', '.join(GENERATORS)}"
        )
    return {
        "format": FORMAT,
        "version": VERSION,
        "class": name,
        "arguments": {argument: _argument(learner, argument) for argument in _arguments(type(learner))},
        "state": {attribute: getattr(learner, attribute) for attribute in learner.STATE},
        "remembered": learner._remembered,
        "generator": generator.state,
    }


def _arguments(kind: type[Learner]) -> Iterator[str]:
    """The names of its constructor arguments, but for the seed: the bit generator's state replaces it."""
    return (name for name in signature(kind).parameters if name != "seed")


def _argument(learner: Learner, name: str) -> Any:
    """A constructor argument: the attribute of its name; ``loss_given`` if a method is called ``loss``."""
    attributes = vars(learner)
    value = attributes[name] if name in attributes else attributes[f"{name}_given"]
    if isinstance(value, (str, Real, np.ndarray, type(None))):
        return value
    from gaptron.theory.data import written  # here alone: learners need nothing of what writes theorems
    from gaptron.theory.theorem import Theorem

    if type(value) is not Theorem:
        raise ValueError(f"{name} = {value!r} cannot be saved: only numbers, strings, arrays and theorems can")
    return {"theorem": written([value])[0]}


def _encode(value: Any, name: str, arrays: dict[str, Array]) -> Any:
    """``value`` as JSON; its arrays and NumPy numbers go to ``arrays``, under the name of where they stand."""
    if isinstance(value, dict):
        return {key: _encode(item, f"{name}.{key}" if name else key, arrays) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_encode(item, f"{name}.{index}", arrays) for index, item in enumerate(value)]
    if isinstance(value, (np.ndarray, np.generic)):
        arrays[name] = np.asarray(value)
        return {"array": name}
    return float(value) if isinstance(value, Real) and not isinstance(value, (bool, int)) else value


def _archive(document: dict[str, Any], arrays: dict[str, Array]) -> bytes:
    with BytesIO() as buffer:
        np.savez(buffer, allow_pickle=False, **arrays)
        with ZipFile(buffer, "a", ZIP_STORED) as archive:
            archive.writestr(ZipInfo(DOCUMENT), json.dumps(document, indent=1))
        return buffer.getvalue()


# --- what is loaded -----------------------------------------------------------------------------------------


def _members(content: bytes) -> tuple[Any, dict[str, Array]]:
    """The document and the arrays, after every member's checksum has been verified."""
    with ZipFile(BytesIO(content)) as archive:
        names = archive.namelist()
        if DOCUMENT not in names:
            raise ValueError(f"it holds no {DOCUMENT}")
        if any(member.compress_type != ZIP_STORED for member in archive.infolist()):
            raise ValueError("its members are compressed")
        broken = archive.testzip()
        if broken is not None:
            raise ValueError(f"the checksum of {broken} is wrong")
        document = json.loads(archive.read(DOCUMENT))
    with np.load(BytesIO(content), allow_pickle=False) as arrays:
        return _checked(document), {name: arrays[name] for name in arrays.files if name != DOCUMENT}


def _checked(document: Any) -> Any:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f'its {DOCUMENT} does not say "format": "{FORMAT}"')
    if document.get("version") != VERSION:
        raise ValueError(f"it has the format's version {document.get('version')!r}: this program reads {VERSION}")
    return document


def _decode(value: Any, arrays: dict[str, Array]) -> Any:
    """What ``_encode`` has encoded; tuples come back as lists."""
    if isinstance(value, list):
        return [_decode(item, arrays) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"array"}:
        return arrays[value["array"]][()]
    return {key: _decode(item, arrays) for key, item in value.items()}


def _learner(document: dict[str, Any]) -> Learner:
    name = document["class"]
    if name not in learners.__all__:
        raise ValueError(f"its class {name!r} is not one of gaptron.learners")
    kind: type[Learner] = getattr(learners, name)
    _require_names("arguments", document["arguments"], set(_arguments(kind)))
    learner = kind(**{argument: _given(value) for argument, value in document["arguments"].items()})
    _require_names("state", document["state"], set(kind.STATE))
    for attribute, value in document["state"].items():
        _require_likeness(attribute, value, getattr(learner, attribute))
        setattr(learner, attribute, value)
    remembered = document["remembered"]
    learner._remembered = None if remembered is None else tuple(remembered)
    learner.rng = _generator(document["generator"])
    return learner


def _given(value: Given) -> Given:
    """A constructor argument; a theorem is built again from its data, with all that its class asks."""
    if not isinstance(value, dict) or set(value) != {"theorem"}:
        return value
    from gaptron.theory.data import DataError, read
    from gaptron.theory.theorem import Theorem

    def refused(_: int) -> object:
        raise DataError("it asks for a function")

    (found,) = read(value["theorem"], refused)
    if type(found) is not Theorem:
        raise ValueError("its theorem is none")
    return found


def _require_names(part: str, found: Any, expected: set[str]) -> None:
    if set(found) != expected:
        raise ValueError(f"its {part} are {sorted(found)}, not {sorted(expected)}")


def _require_likeness(attribute: str, value: Any, fresh: Any) -> None:
    """Refuse a state that this learner cannot have; one that is empty at first may have grown."""
    found, expected = np.asarray(value), np.asarray(fresh)
    like = found.shape[1:] == expected.shape[1:] if expected.shape[:1] == (0,) else found.shape == expected.shape
    if found.dtype != expected.dtype or found.ndim != expected.ndim or not like:
        raise ValueError(f"its {attribute} has another shape or type than the class and arguments give")


def _generator(state: dict[str, Any]) -> np.random.Generator:
    bits = GENERATORS[state["bit_generator"]](0)
    bits.state = state
    return np.random.Generator(bits)
