"""Authenticated encryption at the speed of the AES unit.

The classes have the shape of pyca/cryptography's::

    import os, combseal

    key = combseal.AESOCB3(combseal.AESOCB3.generate_key(128))
    nonce = os.urandom(12)
    sealed = key.encrypt(nonce, b"message", b"header")
    assert key.decrypt(nonce, sealed, b"header") == b"message"
"""

import os as _os

from combseal._errors import InvalidTag, ReplayError, StreamError
from combseal._native import Opener, Sealer, __version__, _forked, backend
from combseal._stream import SealedReader, SealedWriter, create_sealed, load_key_file, open_sealed
from combseal.aead import (
    AEGIS256,
    AESCCM,
    AESEAX,
    AESGCM,
    AESGCMSIV,
    AESOCB3,
    AESSIV,
    AEGIS128L,
    ChaCha20Poly1305,
    XChaCha20Poly1305,
)

__all__ = [
    "AEGIS128L",
    "AEGIS256",
    "AESCCM",
    "AESEAX",
    "AESGCM",
    "AESGCMSIV",
    "AESOCB3",
    "AESSIV",
    "ChaCha20Poly1305",
    "InvalidTag",
    "Opener",
    "ReplayError",
    "SealedReader",
    "SealedWriter",
    "Sealer",
    "StreamError",
    "XChaCha20Poly1305",
    "__version__",
    "backend",
    "create_sealed",
    "load_key_file",
    "open_sealed",
]

# A sealer that came over a fork would count through the nonces of its twin.
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_forked)
