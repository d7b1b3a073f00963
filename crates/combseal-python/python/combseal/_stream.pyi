import io
import os
import sys
from typing import IO, Any, Literal, Protocol, TypeAlias

if sys.version_info >= (3, 12):
    from collections.abc import Buffer
else:
    from typing_extensions import Buffer

class _Reads(Protocol):
    def read(self, n: int, /) -> Any: ...

class _Writes(Protocol):
    def write(self, data: bytes, /) -> Any: ...
    def flush(self) -> Any: ...

_Path: TypeAlias = str | bytes | os.PathLike[str] | os.PathLike[bytes]
_Source: TypeAlias = _Path | _Reads | IO[bytes]
_Sink: TypeAlias = _Path | _Writes | IO[bytes]

class SealedReader(io.RawIOBase):
    def __init__(self, native: Any, file: Any, owned: bool) -> None: ...
    def readinto(self, buffer: Buffer) -> int: ...
    def readall(self) -> bytes: ...
    def seek(self, offset: int, whence: int = 0) -> int: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def verify(self) -> None: ...

class SealedWriter(io.RawIOBase):
    def __init__(self, native: Any, file: Any, owned: bool, target: Any = None) -> None: ...
    def write(self, data: Buffer) -> int: ...
    def discard(self) -> None: ...

def open_sealed(
    file: _Source,
    key: Buffer | None = None,
    *,
    passphrase: str | Buffer | None = None,
    context: Buffer | None = b"",
    threads: int = 1,
) -> SealedReader: ...
def create_sealed(
    file: _Sink,
    key: Buffer | None = None,
    *,
    passphrase: str | Buffer | None = None,
    context: Buffer | None = b"",
    threads: int = 1,
    scheme: str = "OCB3-AES-256",
    segment_length: int = 65536,
    mode: Literal["wb", "xb"] = "wb",
) -> SealedWriter: ...
def load_key_file(path: _Path) -> bytes: ...
