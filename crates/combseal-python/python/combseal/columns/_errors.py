"""What can go wrong with a column beyond a wrong type or value. No message holds a value or a key."""

from __future__ import annotations

from .._errors import InvalidTag


class ColumnError(ValueError):
    """Rows of a column do not open. ``count`` says how many; ``rows`` are the numbers of the first ten."""

    _reason = "do not open"

    def __init__(self, count: int, rows: list[int]) -> None:
        self.count = count
        self.rows = rows
        shown = ", ".join(map(str, rows)) + (", …" if count > len(rows) else "")
        ValueError.__init__(self, f"{count} rows {self._reason}: {shown}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.count, self.rows)


class OpenError(ColumnError, InvalidTag):
    """Rows are not authentic: changed, of another domain, type or row, or no such thing at all."""

    _reason = "are not authentic"


class UnknownKey(ColumnError):
    """Rows are under a key that this ring does not have: another ring's, or one that was destroyed."""

    _reason = "do not open, some of them for want of their key"


class KeyMismatch(ValueError):
    """A reference led to a ring whose key is missing, or is not the one that was meant."""


class GuessableWarning(UserWarning):
    """So few different values were made into tokens that their frequencies tell them."""
