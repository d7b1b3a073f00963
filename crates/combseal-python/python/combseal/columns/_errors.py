"""What can go wrong with a column beyond a wrong type or value. No message holds a value or a key."""

from __future__ import annotations


class OpenError(ValueError):
    """Rows of a column are not authentic: changed, of another domain, type or row, or no such thing at all.

    ``count`` says how many; ``rows`` are the numbers of the first ten.
    """

    def __init__(self, count: int, rows: list[int], reason: str = "are not authentic") -> None:
        self.count = count
        self.rows = rows
        shown = ", ".join(map(str, rows)) + (", …" if count > len(rows) else "")
        super().__init__(f"{count} rows {reason}: {shown}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.count, self.rows)


class UnknownKey(OpenError):
    """Rows are under a key that this ring does not have: another ring's, or one that was destroyed."""

    def __init__(self, count: int, rows: list[int]) -> None:
        super().__init__(count, rows, "are under keys that the ring does not have, among rows that do not open")


class KeyMismatch(ValueError):
    """A reference led to a ring whose key is missing, or is not the one that was meant."""


class GuessableWarning(UserWarning):
    """So few different values were made into tokens that their frequencies tell them."""
