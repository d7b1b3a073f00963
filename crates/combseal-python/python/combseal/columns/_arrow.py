"""Columns of every kind as something with Arrow's capsules, and back. What is another package's is imported
where it is used: none of them is needed."""

# Packages that may not be there, some of them without types.
# mypy: disable-error-code="import-untyped,import-not-found"
from __future__ import annotations

import itertools
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .. import _native

#: Arrow's format strings by the names that people use.
NAMES = {
    "null": "n", "bool": "b", "int8": "c", "uint8": "C", "int16": "s", "uint16": "S", "int32": "i", "uint32": "I",
    "int64": "l", "uint64": "L", "float": "f", "float16": "e", "float32": "f", "float64": "g", "double": "g",
    "binary": "z", "bytes": "z", "string": "u", "str": "u", "text": "u", "utf8": "u", "large_binary": "Z",
    "large_string": "U", "large_utf8": "U", "date": "tdD", "date32": "tdD", "date64": "tdm",
}  # fmt: skip


#: What is said of a column that has no type: no value of it.
MIXED = "the column's values are of several types, or of one that no column has"


def format_of(as_type: object) -> str | None:
    """The format string of a type: a name, a format string, or an object that exports an Arrow schema."""
    if as_type is None:
        return None
    if isinstance(as_type, str):
        return NAMES.get(as_type, as_type)
    if hasattr(as_type, "__arrow_c_schema__"):
        return _native.columns_format_of(as_type)
    raise TypeError(f"as_type is a name or an Arrow type, not {type(as_type).__name__}")


def quietly(refusal: str, work: Callable[[], Any]) -> Any:
    """What ``work`` returns, or ``TypeError`` with this text. Exceptions of pyarrow's quote the values that they are about,
    and exceptions are logged: so what was raised is not kept as a context either."""
    try:
        return work()
    except MemoryError:
        raise
    except (TypeError, ValueError, ArithmeticError, NotImplementedError):
        pass
    raise TypeError(refusal)


def cast(arrow: Any, wanted: Any) -> Any:
    """The column as one of a ``pyarrow`` type: as it is, if it has that type or is a dictionary of it.

    Raises ``TypeError`` if a value would be lost.
    """
    column = arrow if hasattr(arrow, "type") and hasattr(arrow, "cast") else _to_pyarrow(arrow)
    if wanted in (column.type, getattr(column.type, "value_type", None)):
        return arrow
    return quietly(f"a column of {column.type} has values that are none of {wanted}", lambda: column.cast(wanted))


def build(values: Iterable[object], *, nan_is_null: bool = False) -> Any:
    """A column of Python's values: all of one type, or ``None``."""
    listed = list(values)
    if nan_is_null:
        listed = [None if _missing(value) else value for value in listed]
    kinds = {type(value) for value in listed if value is not None}
    bits = _bits([value is not None for value in listed]) if None in listed else None
    count = len(listed)
    if not kinds and listed:
        return _native.columns_build("n", count, None, [])
    if all(issubclass(kind, str) for kind in kinds):
        parts = quietly("text that is not UTF-8", lambda: [b"" if it is None else it.encode() for it in listed])  # type: ignore[attr-defined]
        return _bytes_column("U", parts, bits)
    if all(issubclass(kind, bytes | bytearray | memoryview) for kind in kinds):
        parts = [bytes(value) if value is not None else b"" for value in listed]  # type: ignore[call-overload]
        return _bytes_column("Z", parts, bits)
    if kinds == {bool}:
        return _native.columns_build("b", count, bits, [_bits([bool(value) for value in listed])])
    if all(issubclass(kind, int) and kind is not bool for kind in kinds):
        numbers: list[int] = [value or 0 for value in listed]  # type: ignore[misc]
        code = "Q" if max(numbers) > 2**63 - 1 and min(numbers) >= 0 else "q"
        try:
            return _native.columns_build("L" if code == "Q" else "l", count, bits, [array(code, numbers).tobytes()])
        except OverflowError:
            raise ValueError("whole numbers of more than 64 bits") from None
    if kinds == {float}:
        data = array("d", [value if isinstance(value, float) else 0.0 for value in listed])
        return _native.columns_build("g", count, bits, [data.tobytes()])
    names = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise TypeError(f"a list holds text, bytes, bool, int or float, and None, of one type; not {names}")


def _missing(value: object) -> bool:
    # None, NaN, NaT and pandas' NA: the first is itself, the next two differ from themselves.
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and value != value


def _bits(truths: Sequence[bool]) -> bytes:
    number = int("".join("1" if it else "0" for it in reversed(truths)) or "0", 2)
    return number.to_bytes((len(truths) + 7) // 8, "little")


def _bytes_column(format: str, parts: list[bytes], bits: bytes | None) -> Any:
    offsets = array("q", itertools.accumulate(map(len, parts), initial=0))
    return _native.columns_build(format, len(parts), bits, [offsets.tobytes(), b"".join(parts)])


def _numpy(values: Any) -> Any:
    import numpy

    mask = None
    if isinstance(values, numpy.ma.MaskedArray):
        values, mask = values.data, numpy.ma.getmaskarray(values)
    if values.ndim != 1:
        raise ValueError("a column has one dimension")
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    kind, width, count = values.dtype.kind, values.dtype.itemsize, len(values)
    if kind in "SUO":
        listed = values.tolist()
        if mask is not None:
            listed = [None if gone else value for value, gone in zip(listed, mask.tolist(), strict=True)]
        return build(listed, nan_is_null=kind == "O")
    if kind in "Mm":
        unit, step = numpy.datetime_data(values.dtype)
        if step != 1 or unit not in ("s", "ms", "us", "ns", "D") or (kind == "m" and unit == "D"):
            raise TypeError(f"NumPy's {values.dtype} has no type of Arrow's")
        gone = numpy.isnat(values)
        mask = gone if mask is None else mask | gone
        letter = {"s": "s", "ms": "m", "us": "u", "ns": "n"}.get(unit, "")
        format = "tDs".replace("s", letter) if kind == "m" else f"ts{letter}:"
        data = values.view("i8")
        if unit == "D":
            format, data = "tdD", numpy.where(gone, 0, data).astype("i4")
    elif kind == "b":
        format, data = "b", numpy.packbits(values, bitorder="little")
    else:
        format = {"i1": "c", "u1": "C", "i2": "s", "u2": "S", "i4": "i", "u4": "I", "i8": "l", "u8": "L", "f4": "f",
                  "f8": "g", "f2": "e"}.get(f"{kind}{width}", "")  # fmt: skip
        data = values
    if not format:
        raise TypeError(f"NumPy's {values.dtype} has no type of Arrow's")
    bits = None if mask is None or not mask.any() else numpy.packbits(~mask, bitorder="little").tobytes()
    return _native.columns_build(format, count, bits, [numpy.ascontiguousarray(data).tobytes()])


def _as_column(column: Any) -> Any:
    return column


def coerce(column: Any) -> tuple[Any, Callable[[Any], Any]]:
    """Something with Arrow's capsules, and what makes a result the kind of column that came in."""
    kind = type(column)
    package = kind.__module__.split(".")[0]
    if package == "pandas" and kind.__name__ == "Series":
        import pyarrow

        arrow = quietly(MIXED, lambda: pyarrow.Array.from_pandas(column))
        return arrow, lambda result: to_series(result, column)
    if package == "polars" and kind.__name__ == "Series":
        return column, lambda result: _to_polars(result).alias(column.name)
    if package == "pyarrow" and hasattr(column, "type"):
        # Extension types are what they are stored as.
        while hasattr(column.type, "storage_type"):
            column = column.cast(column.type.storage_type)
        return column, _to_pyarrow
    if package == "numpy" and hasattr(column, "dtype"):
        return _numpy(column), _as_column
    if isinstance(column, list | tuple):
        return build(column), _as_column
    if hasattr(column, "__arrow_c_array__") or hasattr(column, "__arrow_c_stream__"):
        return column, _as_column
    raise TypeError(f"{kind.__name__} is no column: an Arrow array, a Series, a NumPy array or a list is")


def _to_pyarrow(result: Any) -> Any:
    import pyarrow

    return pyarrow.array(result) if hasattr(result, "__arrow_c_array__") else pyarrow.chunked_array(result)


def _to_polars(result: Any) -> Any:
    import polars

    return polars.Series(result)


def to_series(result: Any, like: Any) -> Any:
    """A ``pandas`` Series with the index and the name of another."""
    import pandas
    import pyarrow

    arrow = _to_pyarrow(result)
    if pyarrow.types.is_string(arrow.type) or pyarrow.types.is_large_string(arrow.type):
        series = arrow.to_pandas()
        return pandas.Series(series.array, index=like.index, name=like.name)
    return pandas.Series(pandas.arrays.ArrowExtensionArray(arrow), index=like.index, name=like.name)


def to_pyarrow(column: Any) -> Any:
    """A ``pyarrow`` array, or a chunked one, over the same memory."""
    return _to_pyarrow(column)


def to_polars(column: Any) -> Any:
    """A ``polars`` Series."""
    return _to_polars(column)


def to_pandas(column: Any) -> Any:
    """A ``pandas`` Series of an Arrow type."""
    import pandas

    return pandas.Series(pandas.arrays.ArrowExtensionArray(_to_pyarrow(column)))


def to_numpy(column: Any) -> Any:
    """A NumPy array: bytes and text as objects, since NumPy's own strings lose zeros at their ends."""
    import numpy

    values = to_list(column)
    wants_objects = not values or any(value is None or isinstance(value, str | bytes) for value in values)
    return numpy.array(values, dtype=object if wants_objects else None)


def to_list(column: Any) -> list[Any]:
    """The values as Python's, ``None`` of nulls."""
    return _native.columns_values(column)
