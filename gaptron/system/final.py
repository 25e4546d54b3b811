"""Classes that say exactly what they say: no other class is derived from them."""

from typing import NoReturn, TypeVar

Class = TypeVar("Class", bound=type)


def final(cls: Class) -> Class:
    """Have Python refuse, with a sentence, a class that is derived from this one."""
    setattr(cls, "__init_subclass__", classmethod(_refuse))  # noqa: B010
    return cls


def _refuse(derived: type, /, **_: object) -> NoReturn:
    bases = ", ".join(base.__name__ for base in derived.__bases__)
    raise TypeError(f"class {derived.__name__}({bases}): {bases} cannot be derived from: a theorem says what it is")
