"""Authenticated encryption at the speed of the AES unit.

The classes have the shape of pyca/cryptography's::

    import os, combseal

    key = combseal.AESOCB3(combseal.AESOCB3.generate_key(128))
    nonce = os.urandom(12)
    sealed = key.encrypt(nonce, b"message", b"header")
    assert key.decrypt(nonce, sealed, b"header") == b"message"
"""

from combseal._errors import InvalidTag, ReplayError, StreamError
from combseal._native import __version__, backend
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
    "ReplayError",
    "StreamError",
    "XChaCha20Poly1305",
    "__version__",
    "backend",
]
