"""Exceptions. Nothing here imports another package: who catches pyca's ``InvalidTag`` has
imported it, and that is when ours becomes one of it."""

import sys


class InvalidTag(Exception):
    """A message is not authentic. Nothing more can be said.

    ``index`` is the place of the first such message of a batch, and ``indices`` are the places of
    all of them; of a single message these are ``None`` and ``()``.
    """

    def __init__(self, index=None, indices=()):
        super().__init__("authentication failed")
        self.index = index
        self.indices = tuple(indices)

    def __reduce__(self):
        return invalid_tag, (self.indices,)


class ReplayError(ValueError):
    """An `Opener` has accepted this message before, or it is older than its window."""


class StreamError(OSError):
    """A sealed stream cannot be opened: it is damaged, or cut, or the key is another.

    ``segment`` is the number of the segment at fault, if it is one's.
    """

    def __init__(self, message, segment=None):
        super().__init__(message)
        self.segment = segment

    def __reduce__(self):
        return StreamError, (str(self), self.segment)


# The class that is both libraries', once there is one. However many threads make it, they all take the first.
_of_both = {}


def invalid_tag(indices):
    """The exception to raise: pyca's too, once somebody has imported that."""
    kind = _of_both.get(0)
    if kind is None:
        kind = InvalidTag
        pyca = getattr(sys.modules.get("cryptography.exceptions"), "InvalidTag", None)
        if pyca is not None:
            names = {"__module__": "combseal", "__qualname__": "InvalidTag", "__doc__": InvalidTag.__doc__}
            kind = _of_both.setdefault(0, type("InvalidTag", (InvalidTag, pyca), names))
    return kind(indices[0] if indices else None, indices)


def replay_error():
    """The exception to raise."""
    return ReplayError("the message was accepted before, or is older than the replay window")


def stream_error(message, segment):
    """The exception to raise."""
    return StreamError(message, segment)


for _kind in InvalidTag, ReplayError, StreamError:
    _kind.__module__ = "combseal"
