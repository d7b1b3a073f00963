import sys
from typing import Literal

from combseal._stream import SealedReader, SealedWriter, _Sink, _Source

if sys.version_info >= (3, 12):
    from collections.abc import Buffer
else:
    from typing_extensions import Buffer

def open(file: _Source, keyset: str | Buffer, associated_data: Buffer | None = b"") -> SealedReader: ...
def create(
    file: _Sink,
    keyset: str | Buffer,
    associated_data: Buffer | None = b"",
    *,
    mode: Literal["wb", "xb"] = "wb",
) -> SealedWriter: ...

__all__ = ["create", "open"]
