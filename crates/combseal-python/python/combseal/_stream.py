"""Sealed streams as file objects.

A path is opened here, without a buffer, and closed with the stream; a file object is the
caller's, and stays open. Any thread may use a stream: one works, and the others wait for it.
"""

import contextlib
import io
import os
import secrets
import threading
import warnings

from combseal import _native


class SealedReader(io.RawIOBase):
    """A sealed stream as the plain file that it was: every byte that it gives was verified.

    `open_sealed` and `combseal.tink.open` make these. ``io.BufferedReader`` around one is for who
    reads line by line, or a few bytes at a time.
    """

    _pid = None
    _closing = None

    def __init__(self, native, file, owned):
        self._pid = os.getpid()
        self._closing = threading.RLock()
        self._native = native
        self._file = file
        self._owned = owned
        self._length = native.length()

    def readable(self):
        return True

    def seekable(self):
        self._open()
        return self._length is not None

    def readinto(self, buffer):
        """Reads verified bytes into ``buffer`` and returns how many; 0 at the end."""
        self._open()
        return self._native.readinto(buffer)

    def readall(self):
        """All that is left."""
        self._open()
        if self._length is None:
            return super().readall()
        whole = bytearray(max(0, self._length - self._native.position))
        view = memoryview(whole)
        filled = 0
        while filled < len(whole):
            count = self.readinto(view[filled:])
            if not count:
                break
            filled += count
        return bytes(view[:filled])

    def seek(self, offset, whence=io.SEEK_SET):
        """Goes to a place of the plaintext; only the segments that are read are opened."""
        self._open()
        if self._length is None:
            raise io.UnsupportedOperation("this stream does not seek")
        return self._native.seek(offset, whence)

    def tell(self):
        self._open()
        return self._native.position

    def __len__(self):
        """Bytes of plaintext, of a stream that seeks."""
        if self._length is None:
            raise io.UnsupportedOperation("the length of this stream is known at its end")
        return self._length

    def __bool__(self):
        return True

    def verify(self):
        """Verifies all of a stream that seeks, or raises `combseal.StreamError`."""
        self._open()
        if self._length is None:
            raise io.UnsupportedOperation("this stream does not seek")
        self._native.verify()

    def close(self):
        # Files of Python's own are closed by one thread: of two at once, without the interpreter's lock, both would
        # free what belongs to the file.
        with _alone(self):
            if not self.closed:
                try:
                    self._native.close()
                    if self._owned:
                        self._file.close()
                finally:
                    super().close()

    def __reduce_ex__(self, protocol):
        raise TypeError("a sealed stream cannot be pickled or copied")

    def _open(self):
        if self.closed:
            raise ValueError("I/O operation on closed file")


class SealedWriter(io.RawIOBase):
    """Seals what is written to it. The stream is whole only once `close` has returned.

    Left by an exception, a ``with`` block discards the stream; so does who forgets to close it.
    A path gets its name only from `close`: until then what is there stays there.
    """

    _native = None
    _target = None
    _pid = None
    _closing = None

    def __init__(self, native, file, owned, target=None):
        self._pid = os.getpid()
        self._closing = threading.RLock()
        self._native = native
        self._file = file
        self._owned = owned
        self._target = target

    def writable(self):
        return True

    def write(self, data):
        """Takes all of ``data`` and returns how many bytes that were."""
        return self._open().write(data)

    def tell(self):
        """Bytes of plaintext that were written."""
        return self._open().position

    def flush(self):
        """Seals and writes the segments that are full; what is in another stays in memory."""
        self._open().flush()
        self._file.flush()

    def close(self):
        """Seals the last segment; a path gets its name."""
        with _alone(self):
            if self.closed:
                return
            try:
                self._native.finish()
                self._file.flush()
                if self._owned:
                    if self._target:
                        os.fsync(self._file.fileno())
                    self._file.close()
                if self._target:
                    self._target.publish()
            except BaseException:
                self.discard()
                raise
            self._end()

    def discard(self):
        """Lets the stream go without an end. Of a path nothing is left behind; in a file object
        there is a beginning that nobody can take for a whole stream."""
        with _alone(self):
            if self.closed:
                return
            try:
                if self._native is not None:
                    self._native.discard()
                    if self._owned:
                        self._file.close()
            finally:
                if self._target:
                    self._target.remove()
                self._end()

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.close()
        else:
            self.discard()

    def __del__(self):
        # Not `close`, as of other files: what was forgotten is not whole. In the child of a fork
        # nothing was forgotten: the stream is the parent's.
        if not self.closed:
            if self._native is not None and self._pid == os.getpid():
                warnings.warn(f"unfinished {self!r} discarded", ResourceWarning, stacklevel=2, source=self)
            self.discard()

    def __reduce_ex__(self, protocol):
        raise TypeError("a sealed stream cannot be pickled or copied")

    def _open(self):
        # Another thread may close the stream at any time: what it is closed with is had before.
        native = self._native
        if native is None or self.closed:
            raise ValueError("I/O operation on closed file")
        return native

    def _end(self):
        # The flush of `IOBase.close` has nothing left to do.
        self._native = None
        self.flush = lambda: None
        super().close()


def _alone(stream):
    """One thread ends a stream, and others find it ended. In the child of a fork the thread that has the lock may be missing,
    and nothing is ended there but the child's own object."""
    if stream._closing is None or stream._pid != os.getpid():
        return contextlib.nullcontext()
    return stream._closing


class _Target:
    """A file that has its name only once it is whole.

    It belongs to the process that made it. The child of a fork has this object too, and neither
    gives the file its name nor takes it away.
    """

    def __init__(self, path, exclusive):
        self._pid = os.getpid()
        self.path = os.fsdecode(path)
        self.exclusive = exclusive
        if exclusive and os.path.lexists(self.path):
            raise FileExistsError(f"there is a file of this name: {self.path!r}")
        folder, name = os.path.split(self.path)
        self.part = os.path.join(folder, f".{name[:100]}.{secrets.token_hex(8)}.part")

    def open(self):
        return open(self.part, "xb", buffering=0)

    def publish(self):
        if self._pid != os.getpid():
            raise RuntimeError("this file was begun before a fork, and is the parent's to name")
        if not self.exclusive:
            os.replace(self.part, self.path)
        elif os.name == "nt":
            os.rename(self.part, self.path)
        else:
            try:
                os.link(self.part, self.path)
            except FileExistsError:
                raise
            except OSError:
                # A file system without hard links: an empty file takes the name first.
                os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
                os.replace(self.part, self.path)
            self.remove()

    def remove(self):
        if self._pid != os.getpid():
            return
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.part)


def _is_path(file):
    return isinstance(file, (str, bytes, os.PathLike))


def _reading(file, make):
    owned = _is_path(file)
    if owned:
        file = open(file, "rb", buffering=0)
    try:
        return SealedReader(make(file), file, owned)
    except BaseException:
        if owned:
            file.close()
        raise


def _writing(file, mode, make):
    if mode not in ("wb", "xb"):
        raise ValueError('mode must be "wb" or "xb"')
    target = None
    if _is_path(file):
        target = _Target(file, mode == "xb")
        file = target.open()
    try:
        return SealedWriter(make(file), file, target is not None, target)
    except BaseException:
        if target:
            file.close()
            target.remove()
        raise


def open_sealed(file, key=None, *, passphrase=None, context=b"", threads=1):
    """Opens a sealed file for reading.

    ``file`` is a path or a binary file object, and the stream reaches to its end. From a file
    object that cannot seek it is read once, from the beginning on. ``context`` is what it was
    sealed with; ``threads`` is how many open segments at once, 0 for as many as there are.

    Raises `combseal.StreamError` if it cannot be opened: here, or where the reader comes to a
    segment that is damaged.
    """

    def make(file):
        seeks = file.seekable() if hasattr(file, "seekable") else hasattr(file, "seek")
        return _native.Reader.open(file, key, passphrase, context, threads, seeks)

    return _reading(file, make)


def create_sealed(
    file,
    key=None,
    *,
    passphrase=None,
    context=b"",
    threads=1,
    scheme="OCB3-AES-256",
    segment_length=65536,
    mode="wb",
):
    """Seals what is written to the file that this returns.

    ``file`` is a path or a binary file object. A path has its name only once the stream is whole;
    with ``mode="xb"`` there must be no file of that name. With a key and a passphrase either of
    them opens the stream.
    """

    def make(file):
        return _native.Writer.create(file, key, passphrase, context, threads, scheme, segment_length)

    return _writing(file, mode, make)


def load_key_file(path):
    """The 32 bytes of a key file, as ``combseal keygen`` writes it."""
    with open(path, "rb") as file:
        return _native.parse_key_file(file.read(1 << 16))
