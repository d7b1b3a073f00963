"""The keyring, and references to it: a reference travels, the ring does not."""

from __future__ import annotations

import base64
import importlib
import json
import os
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _native
from ._cipher import Sealed, Tokens
from ._errors import KeyMismatch

_ASK = "a keyring's text is str, bytes or a dict"


class Keyring:
    """Secrets with numbers and states, from which the keys of every domain are derived.

    Made by :meth:`from_file`, :meth:`from_env`, :meth:`from_provider` or :meth:`from_tink`. The secrets are kept in native
    memory, which is wiped with the ring; nothing gives them back. A ring is neither pickled nor copied: its
    :meth:`reference` is.
    """

    __slots__ = ("_native", "_source", "__weakref__")

    def __init__(self, text: str | bytes | dict[str, Any], *, _source: tuple[str, str] | None = None, _tink: bool = False):
        if isinstance(text, dict):
            text = json.dumps(text)
        if isinstance(text, str):
            text = text.encode()
        if not isinstance(text, bytes | bytearray):
            raise TypeError(_ASK)
        self._native = _native.ColumnSecrets(bytes(text), _tink)
        self._source = _source

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Keyring:
        """The ring in a file of JSON."""
        path = os.path.abspath(os.fspath(path))
        return cls(Path(path).read_bytes(), _source=("file", path))

    @classmethod
    def from_env(cls, name: str) -> Keyring:
        """The ring whose JSON is the value of an environment variable."""
        if not isinstance(name, str):
            raise TypeError("the name of an environment variable is str")
        text = os.environ.get(name)
        if text is None:
            raise ValueError(f"the environment variable {name} is not set")
        return cls(text, _source=("env", name))

    @classmethod
    def from_provider(cls, provider: Callable[[], str | bytes | dict[str, Any]] | str) -> Keyring:
        """The ring that a function returns, which asks a KMS or a vault, as text or as a dict.

        Given as ``"module:function"``, or as a function that a module has under its name, it can be
        referred to, and every process asks for itself.
        """
        where = provider if isinstance(provider, str) else _name_of(provider)
        function = _function(provider) if isinstance(provider, str) else provider
        if not callable(function):
            raise TypeError("a provider is a function, or \"module:function\"")
        return cls(function(), _source=("provider", where) if where else None)

    @classmethod
    def from_tink(cls, path: str | os.PathLike[str]) -> Keyring:
        """Tink's JSON keyset of AES-SIV keys, in clear: for ``wire="tink"`` and ``wire="siv"``."""
        path = os.path.abspath(os.fspath(path))
        return cls(Path(path).read_bytes(), _source=("tink", path), _tink=True)

    @staticmethod
    def create(path: str | os.PathLike[str]) -> Keyring:
        """Writes a ring with one new key to a new file, which only its owner may read."""
        _write(Path(path), new_ring(), new=True)
        return Keyring.from_file(path)

    @staticmethod
    def rotate(path: str | os.PathLike[str]) -> Keyring:
        """Adds a new key to the file, as its primary one. What was the primary is ``enabled`` from then on."""
        ring = json.loads(Path(path).read_bytes())
        Keyring(ring)
        for key in ring["keys"]:
            if key["state"] == "primary":
                key["state"] = "enabled"
        key = _new_key("primary")
        while any(other["id"] == key["id"] for other in ring["keys"]):
            key["id"] = secrets.randbits(32)
        ring["keys"].append(key)
        _write(Path(path), ring, new=False)
        return Keyring.from_file(path)

    @property
    def entries(self) -> list[tuple[int, str, str]]:
        """Number, state and check value of each entry. A check value tells secrets apart, and nothing about them."""
        return self._native.entries

    def tokens(
        self,
        *,
        domain: str,
        key_id: int | None = None,
        encode: str = "binary",
        normalize: str | tuple[str, ...] | None = None,
        pad_to: int = 0,
        null_as_token: bool = False,
        wire: str | None = None,
        associated_data: bytes | None = b"",
        algorithm: str = "AES-256-SIV",
        allow_guessable: bool = False,
        threads: int | None = None,
    ) -> Tokens:
        """Deterministic tokens: equal values of one domain have equal tokens, whatever column, type width or
        library they come from. So they can be joined, grouped and looked up, and show which values are equal and how
        often each one occurs. Columns that must join use the same domain; all others use different ones.
        """
        return Tokens(
            self, domain=domain, key_id=key_id, encode=encode, normalize=normalize, pad_to=pad_to,
            null_as_token=null_as_token, wire=wire, associated_data=associated_data, algorithm=algorithm,
            allow_guessable=allow_guessable, threads=threads,
        )  # fmt: skip

    def sealed(
        self,
        *,
        domain: str,
        key_id: int | None = None,
        encode: str = "binary",
        pad_to: int = 0,
        null_as_token: bool = False,
        scheme: str = "OCB3-AES-256",
        threads: int | None = None,
    ) -> Sealed:
        """Randomised cells: equal values have different ones, and each can be opened by itself, wherever it is
        taken."""
        return Sealed(
            self, domain=domain, key_id=key_id, encode=encode, pad_to=pad_to, null_as_token=null_as_token, scheme=scheme,
            threads=threads,
        )  # fmt: skip

    def reference(self, *key_ids: int) -> KeyRef:
        """What may travel: where the ring is, and the check values of the keys (all that there are, if none is named)."""
        if self._source is None:
            raise ValueError("a ring from a function without a name in a module cannot be referred to")
        checks = {number: check for number, state, check in self.entries if state != "destroyed"}
        wanted = key_ids or tuple(checks)
        return KeyRef(*self._source, checks=tuple((number, checks[number]) for number in wanted))

    def __repr__(self) -> str:
        where = f"{self._source[0]} {self._source[1]!r}" if self._source else "a function"
        keys = ", ".join(f"{number}: {state}, check {check or '-'}" for number, state, check in self.entries)
        return f"<Keyring from {where}: {keys}>"

    def __reduce__(self) -> Any:
        raise TypeError("a keyring is not pickled; its reference() is")

    def __copy__(self) -> Any:
        raise TypeError("a keyring is not copied")

    def __deepcopy__(self, memo: object) -> Any:
        raise TypeError("a keyring is not copied")


@dataclass(frozen=True)
class KeyRef:
    """Where a keyring is, and which keys it must have. It holds no secret: this is what graphs, logs and other processes
    see. Each process resolves it once."""

    kind: str
    where: str
    checks: tuple[tuple[int, str], ...]

    def resolve(self) -> Keyring:
        """The ring, from this process's memory if it was resolved before; its check values are compared first.

        Raises :class:`KeyMismatch` if a key is missing, or is another one.
        """
        with _lock:
            ring = _resolved.get((self.kind, self.where))
            if ring is None or not self._fits(ring):
                ring = _load(self.kind, self.where)
                _resolved[self.kind, self.where] = ring
        if not self._fits(ring):
            raise KeyMismatch(f"the ring at {self.kind} {self.where!r} lacks keys {self.checks} or has others in their place")
        return ring

    def _fits(self, ring: Keyring) -> bool:
        have = {number: check for number, _, check in ring.entries}
        return all(have.get(number) == check for number, check in self.checks)

    def __dask_tokenize__(self) -> tuple[object, ...]:
        return ("combseal.KeyRef", self.kind, self.where, self.checks)


_lock = threading.Lock()
_resolved: dict[tuple[str, str], Keyring] = {}


def _load(kind: str, where: str) -> Keyring:
    makers = {
        "file": Keyring.from_file, "env": Keyring.from_env, "provider": Keyring.from_provider, "tink": Keyring.from_tink,
    }  # fmt: skip
    if kind not in makers:
        raise ValueError(f"no kind of reference: {kind!r}")
    return makers[kind](where)


def _function(name: str) -> Any:
    module, _, attribute = name.partition(":")
    if not module or not attribute:
        raise ValueError("a provider's name is \"module:function\"")
    found: Any = importlib.import_module(module)
    for part in attribute.split("."):
        found = getattr(found, part)
    return found


def _name_of(provider: object) -> str | None:
    module, name = getattr(provider, "__module__", None), getattr(provider, "__qualname__", "<")
    if module in (None, "__main__") or "<" in name:
        return None
    try:
        return f"{module}:{name}" if _function(f"{module}:{name}") is provider else None
    except (ImportError, AttributeError):
        return None


def _new_key(state: str) -> dict[str, Any]:
    secret = base64.urlsafe_b64encode(secrets.token_bytes(32)).decode().rstrip("=")
    return {"id": secrets.randbits(32), "state": state, "secret": secret}


def new_ring() -> dict[str, Any]:
    """A ring with one new key."""
    return {"combseal": "keyring", "version": 1, "keys": [_new_key("primary")]}


def _write(path: Path, ring: dict[str, Any], *, new: bool) -> None:
    text = json.dumps(ring, indent=1).encode()
    target = path if new else path.with_name(f".{path.name}.{os.getpid()}.new")
    with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    if not new:
        os.replace(target, path)
