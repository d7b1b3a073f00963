"""Tokens and sealed cells of one domain: what seals and opens columns."""

from __future__ import annotations

import operator
import os
import unicodedata
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import _native
from . import _arrow
from ._errors import GuessableWarning, OpenError, UnknownKey

if TYPE_CHECKING:
    from ._keyring import Keyring

#: Fewer different values than this, among a thousand or more, are told by how often each occurs.
FEW = 100

_STEPS = {
    "nfc": lambda text: unicodedata.normalize("NFC", text),
    "casefold": str.casefold,
    "strip": str.strip,
}


def default_threads() -> int:
    """``COMBSEAL_THREADS``, else as many as this process may use."""
    wanted = os.environ.get("COMBSEAL_THREADS", "")
    if wanted.isdigit() and int(wanted) > 0:
        return int(wanted)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _count(name: str, value: object, least: int, most: int) -> int:
    number = operator.index(value)  # type: ignore[arg-type]
    if not least <= number <= most:
        raise ValueError(f"{name} is from {least} to {most}")
    return number


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{name} is a bool")
    return value


class _Cipher:
    """What both have in common."""

    allow_guessable = True

    def __init__(
        self, native: Any, domain: str, encode: str, pad_to: int, null_as_token: bool, threads: int | None
    ) -> None:
        if encode not in ("binary", "base64url"):
            raise ValueError('encode is "binary" or "base64url"')
        self._native = native
        self.domain = domain
        self.encode = encode
        self.pad_to = _count("pad_to", pad_to, 0, 1 << 20)
        self.null_as_token = _flag("null_as_token", null_as_token)
        self.threads = None if threads is None else _count("threads", threads, 1, 1024)

    @property
    def key_id(self) -> int:
        """The number of the key that seals."""
        return self._native.key_id

    def _threads(self) -> int:
        return self.threads or default_threads()

    def _ties(self, bind: Sequence[Any] | None) -> list[Any]:
        if bind is None:
            return []
        if isinstance(bind, str | bytes) or not isinstance(bind, Sequence):
            raise TypeError("bind is a list of columns")
        return [_arrow.coerce(column)[0] for column in bind]

    def _prepared(self, arrow: Any) -> Any:
        return arrow

    def seal(self, column: Any, *, bind: Sequence[Any] | None = None) -> Any:
        """The column sealed, value by value; nulls stay null. What came as a ``pyarrow``, ``polars`` or ``pandas`` column
        leaves as one; all else leaves as a :class:`Column`.

        ``bind`` names other columns, as long as this one, whose values in the same row are authenticated with each value: it
        opens only beside them.
        """
        arrow, back = _arrow.coerce(column)
        return back(self._seal(arrow, bind))

    def _seal(self, arrow: Any, bind: Sequence[Any] | None) -> Any:
        arrow = self._prepared(arrow)
        text = self.encode == "base64url"
        ties, options = self._ties(bind), (self.pad_to, self.null_as_token, text, self.allow_guessable)
        sealed = self._native.seal(arrow, ties, *options, self._threads())
        self._look(sealed)
        return sealed

    def _look(self, sealed: Any) -> None:
        pass

    def _finish(self, found: tuple[Any, ...], back: Any, on_error: str) -> Any:
        opened, failed, count, unknown, rows = found
        if on_error == "null":
            return back(opened), back(failed)
        if count:
            raise UnknownKey(count, rows) if unknown else OpenError(count, rows)
        return back(opened)

    def _options(self, on_error: str, as_type: object) -> tuple[Any, ...]:
        if on_error not in ("raise", "null"):
            raise ValueError('on_error is "raise" or "null": what is not authentic is never kept')
        pad, nulls = (self.pad_to or None), (self.null_as_token or None)
        return _arrow.format_of(as_type), pad, nulls, self._threads()

    def open(
        self, column: Any, *, bind: Sequence[Any] | None = None, as_type: object = None, on_error: str = "raise"
    ) -> Any:
        """The column opened, of the type that it had: as its metadata say, else ``as_type``, else text. The type is
        authenticated, so a wrong one opens nothing.

        ``on_error="raise"`` raises :class:`OpenError` with the count and the first ten numbers of rows that are not authentic;
        ``"null"`` returns a pair, the column with nulls in their place and a column that says which rows those are.
        """
        arrow, back = _arrow.coerce(column)
        return self._open(arrow, bind, back, as_type, on_error)

    def _open(
        self, arrow: Any, bind: Sequence[Any] | None, back: Any, as_type: object, on_error: str, metadata: Any = ()
    ) -> Any:
        options = self._options(on_error, as_type)
        return self._finish(self._native.open(arrow, self._ties(bind), *options, list(metadata)), back, on_error)

    def rewrap(
        self, column: Any, *, bind: Sequence[Any] | None = None, as_type: object = None, on_error: str = "raise"
    ) -> Any:
        """The column with every value under the key that seals now. Values that are already are passed through, unopened, so
        that it can be repeated and restarted."""
        arrow, back = _arrow.coerce(column)
        return self._rewrap(arrow, bind, back, as_type, on_error)

    def _rewrap(
        self, arrow: Any, bind: Sequence[Any] | None, back: Any, as_type: object, on_error: str, metadata: Any = ()
    ) -> Any:
        options = self._options(on_error, as_type)
        found, _ = self._native.rewrap(arrow, self._ties(bind), *options, list(metadata))
        return self._finish(found, back, on_error)

    def usage(self, column: Any) -> dict[int | None, int]:
        """How many rows are under which key, read off their first bytes; nothing is opened. ``None`` counts what is none
        of ours."""
        return dict(self._native.usage(_arrow.coerce(column)[0]))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.domain!r}, key {self.key_id}>"

    def __reduce__(self) -> Any:
        raise TypeError("keys are not pickled; a Recipe is")

    def __copy__(self) -> Any:
        raise TypeError("keys are not copied")

    def __deepcopy__(self, memo: object) -> Any:
        raise TypeError("keys are not copied")


def _domain(domain: object) -> str:
    if not isinstance(domain, str):
        raise TypeError("domain is str")
    if not domain:
        raise ValueError("domain is not empty: columns that must join have the same, all others have another")
    return domain


class Tokens(_Cipher):
    """Deterministic tokens of one domain: made by :meth:`Keyring.tokens`."""

    def __init__(
        self,
        ring: Keyring,
        *,
        domain: str,
        key_id: int | None,
        encode: str,
        normalize: str | tuple[str, ...] | None,
        pad_to: int,
        null_as_token: bool,
        wire: str | None,
        associated_data: bytes | None,
        algorithm: str,
        allow_guessable: bool,
        threads: int | None,
    ) -> None:
        if algorithm not in ("AES-256-SIV", "AES-128-SIV"):
            raise ValueError('algorithm is "AES-256-SIV" or "AES-128-SIV"')
        if wire not in (None, "tink", "siv"):
            raise ValueError('wire is None, "tink" or "siv"')
        if wire == "tink" and associated_data is None:
            raise ValueError("Tink's tokens always have associated data, perhaps empty")
        if associated_data is not None:
            associated_data = bytes(memoryview(associated_data))
        native = ring._native.tokens(_domain(domain), key_id, wire or "", associated_data, algorithm == "AES-128-SIV")
        super().__init__(native, domain, encode, pad_to, null_as_token, threads)
        steps = (normalize,) if isinstance(normalize, str) else tuple(normalize or ())
        if any(step not in _STEPS for step in steps):
            raise ValueError('normalize is "nfc", "casefold", "strip", or a tuple of these in their order')
        self.normalize = steps
        self.allow_guessable = _flag("allow_guessable", allow_guessable)
        self._looked = self.allow_guessable

    def _prepared(self, arrow: Any) -> Any:
        if not self.normalize:
            return arrow
        values = _arrow.to_list(arrow)
        if any(not isinstance(value, str) for value in values if value is not None):
            raise TypeError("only text is normalised")
        for step in self.normalize:
            values = [None if value is None else _STEPS[step](value) for value in values]
        return _arrow.build(values)

    def _look(self, sealed: Any) -> None:
        if not self._looked:
            different, some = _native.columns_distinct(sealed, 4096, FEW)
            if some >= 1000:
                self._looked = True
                if different < FEW:
                    warnings.warn(
                        f"{different} different values among {some} in {self.domain!r}: whoever knows how often they occur "
                        "reads the tokens; sealed() hides that",
                        GuessableWarning,
                        stacklevel=4,
                    )

    def candidates(self, value: Any, *, bind: Sequence[Any] | None = None) -> list[Any]:
        """The tokens that a value may have, one for every key of the ring that is not destroyed, first that of the key that seals: for
        a lookup with ``IN`` while a column is being rewrapped. Bound columns are given as columns of one row."""
        arrow = self._prepared(_arrow.build([value]) if not hasattr(value, "__arrow_c_array__") else value)
        text = self.encode == "base64url"
        options = (self.pad_to, self.null_as_token, text, self.allow_guessable)
        found = self._native.candidates(arrow, self._ties(bind), *options)
        return [token.decode() if text else token for _, token in found]


class Sealed(_Cipher):
    """Randomised cells of one domain: made by :meth:`Keyring.sealed`."""

    def __init__(
        self,
        ring: Keyring,
        *,
        domain: str,
        key_id: int | None,
        encode: str,
        pad_to: int,
        null_as_token: bool,
        scheme: str,
        threads: int | None,
    ) -> None:
        native = ring._native.sealed(_domain(domain), key_id, scheme)
        super().__init__(native, domain, encode, pad_to, null_as_token, threads)
        self.scheme = scheme

