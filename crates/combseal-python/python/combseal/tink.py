"""Streams of Tink's: AES-GCM-HKDF streaming, with keysets in its JSON without encryption."""

from combseal import _native
from combseal._stream import _reading, _writing


def open(file, keyset, associated_data=b""):
    """Opens a stream that Tink sealed, or `create`: a path or a binary file object. It does not
    seek. ``keyset`` is the JSON of a keyset."""
    return _reading(file, lambda file: _native.Reader.open_tink(file, keyset, associated_data))


def create(file, keyset, associated_data=b"", *, mode="wb"):
    """Seals what is written under the keyset's primary key, as Tink does."""
    return _writing(file, mode, lambda file: _native.Writer.create_tink(file, keyset, associated_data))


__all__ = ["create", "open"]
