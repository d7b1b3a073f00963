"""The classes alone, as in ``cryptography.hazmat.primitives.ciphers.aead``: to come from there,
change the import."""

from combseal._native import (
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
    "XChaCha20Poly1305",
]
