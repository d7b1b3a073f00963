"""Sealed streams as file objects."""

import contextlib
import io
import json
import os
import pickle
import random
import threading

import pytest
from shared import VECTORS

import combseal

KEY = bytes(range(32))
SEGMENT = 4096


def sealed(data, **kwargs):
    file = io.BytesIO()
    with combseal.create_sealed(file, **{"key": KEY, "segment_length": SEGMENT} | kwargs) as out:
        out.write(data)
    return file.getvalue()


@pytest.mark.parametrize("length", [0, 1, SEGMENT - 1, SEGMENT, SEGMENT + 1, 10 * SEGMENT + 7, 3_000_000])
@pytest.mark.parametrize("threads", [1, 2])
def test_round_trip(tmp_path, length, threads):
    path, data = tmp_path / "sealed", os.urandom(length)
    with combseal.create_sealed(path, KEY, threads=threads, segment_length=SEGMENT) as out:
        rest = memoryview(data)
        while rest:
            n = random.randrange(1, 200_000)
            assert out.write(rest[:n]) == len(rest[:n])
            rest = rest[n:]
        assert out.tell() == length
        assert not path.exists()
    assert [it.name for it in tmp_path.iterdir()] == ["sealed"]
    with combseal.open_sealed(path, KEY, threads=threads) as file:
        assert len(file) == length
        assert file.read() == data
        assert file.read() == file.read(5) == b""
        file.verify()
    with io.BufferedReader(combseal.open_sealed(path, KEY)) as file:
        assert file.read(10) == data[:10]


def test_seeks():
    data = os.urandom(50_000)
    with combseal.open_sealed(io.BytesIO(sealed(data)), KEY) as file:
        assert file.seekable() and file.readable() and not file.writable()
        for _ in range(300):
            at, n = random.randrange(60_000), random.randrange(9_000)
            assert file.seek(at) == at == file.tell()
            got = b""
            while len(got) < n and (more := file.read(n - len(got))):
                got += more
            assert got == data[at : at + n]
        assert file.seek(-10, io.SEEK_END) == 49_990
        assert file.readall() == data[-10:]
        file.seek(100)
        assert file.seek(-50, io.SEEK_CUR) == 50
        for bad in ((-1,), (-51, 1), (0, 9), (1 << 80,)):
            with pytest.raises(ValueError):
                file.seek(*bad)
        for bad in (("x",), (None,)):
            with pytest.raises(TypeError):
                file.seek(*bad)


def test_lines_and_numbers():
    """What is for files works with it: text, and in part a zip file."""
    import zipfile

    text = "".join(f"line {i}\n" for i in range(5_000))
    file = io.TextIOWrapper(io.BufferedReader(combseal.open_sealed(io.BytesIO(sealed(text.encode())), KEY)))
    assert list(file) == text.splitlines(keepends=True)
    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("name", text)
        archive.writestr("other", b"x" * 100_000)
    with zipfile.ZipFile(combseal.open_sealed(io.BytesIO(sealed(plain.getvalue())), KEY)) as archive:
        assert archive.read("other") == b"x" * 100_000


class Pipe(io.RawIOBase):
    """What is read once, in small pieces."""

    def __init__(self, data):
        self.data = io.BytesIO(data)

    def readable(self):
        return True

    def readinto(self, buffer):
        return self.data.readinto(memoryview(buffer)[:1_000])


def test_passes_through():
    data = os.urandom(100_000)
    with combseal.open_sealed(Pipe(sealed(data)), KEY) as file:
        assert not file.seekable()
        assert file.read(5) == data[:5]
        assert file.read() == data[5:]
        for call in (lambda: file.seek(0), file.verify, lambda: len(file)):
            with pytest.raises(io.UnsupportedOperation):
                call()


def test_known_streams():
    count = 0
    for name in ("good", "bad"):
        for test in json.loads((VECTORS / "stream" / f"{name}.json").read_text())["tests"]:
            if "passphrase" in test and count > 40:
                continue
            kwargs = {"context": bytes.fromhex(test.get("context", ""))}
            if "passphrase" in test:
                kwargs["passphrase"] = bytes.fromhex(test["passphrase"])
            else:
                kwargs["key"] = bytes.fromhex(test["key"])
            stream = bytes.fromhex(test["sealed"])
            for make in (io.BytesIO, Pipe):
                if "error" in test:
                    with pytest.raises((combseal.StreamError, ValueError)):
                        combseal.open_sealed(make(stream), **kwargs).readall()
                else:
                    assert len(combseal.open_sealed(make(stream), **kwargs).readall()) == test["length"]
            count += 1
    assert count > 20


def test_passphrase():
    stream = sealed(b"data", passphrase="Schlüssel")
    for kwargs in ({"key": KEY}, {"passphrase": "Schlüssel"}, {"passphrase": "Schlüssel".encode()}):
        assert combseal.open_sealed(io.BytesIO(stream), **kwargs).read() == b"data"
    with pytest.raises(combseal.StreamError, match="key or passphrase"):
        combseal.open_sealed(io.BytesIO(stream), passphrase="other")


def test_damage():
    data = os.urandom(5 * SEGMENT)
    good = sealed(data, context=b"there")
    stride = SEGMENT + 16
    bad = bytearray(good)
    bad[1024 + 2 * stride] ^= 1
    with combseal.open_sealed(io.BytesIO(bad), KEY, context=b"there") as file:
        got = b""
        with pytest.raises(combseal.StreamError, match="segment 2 is damaged") as caught:
            while more := file.read(1_000):
                got += more
        assert got == data[: 2 * SEGMENT] and caught.value.segment == 2
        assert isinstance(caught.value, OSError)
        file.seek(3 * SEGMENT)
        assert file.readall() == data[3 * SEGMENT :]
        with pytest.raises(combseal.StreamError):
            file.verify()
    for cut in (0, 5, 1023, 1024, 1030, len(good) - 1, len(good) - stride):
        with pytest.raises(combseal.StreamError):
            combseal.open_sealed(io.BytesIO(good[:cut]), KEY, context=b"there").readall()
    with pytest.raises(combseal.StreamError, match="context"):
        combseal.open_sealed(io.BytesIO(good), KEY)
    with pytest.raises(combseal.StreamError, match="key"):
        combseal.open_sealed(io.BytesIO(good), bytes(32), context=b"there")
    with pytest.raises(combseal.StreamError, match="not a sealed stream"):
        combseal.open_sealed(io.BytesIO(b"text" * 1_000), KEY)


def test_refusals(tmp_path):
    file = io.BytesIO(sealed(b"data"))
    for kwargs, kind in [
        ({}, TypeError),
        ({"key": "text"}, TypeError),
        ({"key": 5}, TypeError),
        ({"key": b"short"}, ValueError),
        ({"key": KEY, "passphrase": b"x"}, TypeError),
        ({"key": KEY, "context": 5}, TypeError),
        ({"key": KEY, "threads": -1}, ValueError),
        ({"key": KEY, "threads": 257}, ValueError),
        ({"key": KEY, "threads": "x"}, TypeError),
    ]:
        with pytest.raises(kind):
            combseal.open_sealed(file, **kwargs)
        if kwargs.keys() != {"key", "passphrase"}:
            with pytest.raises(kind):
                combseal.create_sealed(tmp_path / "out", **kwargs)
    for kwargs in ({"scheme": "none"}, {"segment_length": 5}, {"segment_length": -4096}, {"mode": "r"}):
        with pytest.raises(ValueError):
            combseal.create_sealed(tmp_path / "out", KEY, **kwargs)
    for bad in (5, None, object()):
        with pytest.raises((TypeError, AttributeError)):
            combseal.open_sealed(bad, KEY)
        with pytest.raises((TypeError, AttributeError)):
            combseal.create_sealed(bad, KEY)
    with pytest.raises(FileNotFoundError):
        combseal.open_sealed(tmp_path / "none", KEY)
    with pytest.raises(FileNotFoundError):
        combseal.create_sealed(tmp_path / "none" / "file", KEY)
    assert not list(tmp_path.iterdir())
    with combseal.open_sealed(file, KEY) as it:
        for bad in (bytes(5), "text", None):
            with pytest.raises(TypeError):
                it.readinto(bad)
    for call in (it.read, it.tell, lambda: it.seek(0), it.verify):
        with pytest.raises(ValueError, match="closed"):
            call()


def test_what_is_not_whole(tmp_path):
    path = tmp_path / "sealed"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), combseal.create_sealed(path, KEY) as out:
        out.write(b"x" * 300_000)
        raise ZeroDivisionError
    assert out.closed
    with pytest.warns(ResourceWarning, match="unfinished"):
        out = combseal.create_sealed(path, KEY)
        out.write(b"x")
        del out
    out = combseal.create_sealed(path, KEY)
    out.discard()
    with pytest.raises(ValueError):
        out.write(b"x")
    assert path.read_bytes() == b"old" and [it.name for it in tmp_path.iterdir()] == ["sealed"]
    with pytest.raises(FileExistsError):
        combseal.create_sealed(path, KEY, mode="xb")
    with pytest.raises(FileExistsError), combseal.create_sealed(tmp_path / "late", KEY, mode="xb") as out:
        (tmp_path / "late").write_bytes(b"sooner")
    assert (tmp_path / "late").read_bytes() == b"sooner"
    with combseal.create_sealed(tmp_path / "new", KEY, mode="xb") as out:
        out.write(b"x")
        out.flush()
        assert not (tmp_path / "new").exists()
    assert sorted(it.name for it in tmp_path.iterdir()) == ["late", "new", "sealed"]
    # A file object is the caller's: it stays open, with a stream that has no end.
    file = io.BytesIO()
    with contextlib.suppress(ZeroDivisionError), combseal.create_sealed(file, KEY) as out:
        out.write(b"x" * 300_000)
        raise ZeroDivisionError
    with pytest.raises(combseal.StreamError):
        combseal.open_sealed(io.BytesIO(file.getvalue()), KEY).readall()


class Fails(io.RawIOBase):
    def readable(self):
        return True

    def read(self, n=-1):
        raise ZeroDivisionError

    def write(self, data):
        raise ZeroDivisionError


class Odd(Fails):
    """A file that answers nonsense."""

    def __init__(self, answer):
        self.answer = answer

    def read(self, n=-1):
        return self.answer

    def write(self, data):
        return self.answer


def test_files_that_fail():
    """Their exceptions come out as they are; what they answer is not believed."""
    with pytest.raises(ZeroDivisionError):
        combseal.open_sealed(Fails(), KEY)
    with pytest.raises(ZeroDivisionError):
        combseal.create_sealed(Fails(), KEY)
    for answer in (b"x" * 100_000, "text", 5, -5, None, 1 << 80, object()):
        with pytest.raises((OSError, TypeError, ValueError, OverflowError)):
            combseal.open_sealed(Odd(answer), KEY).read()
    for answer in (b"x", "text", -5, 1 << 40, 1 << 80, None):
        with pytest.raises((OSError, TypeError, ValueError, OverflowError)):
            combseal.create_sealed(Odd(answer), KEY).write(b"x" * 1_000_000)

    class Itself(io.BytesIO):
        """Reads the stream that it is the file of."""

        stream = None

        def read(self, n=-1):
            if self.stream:
                self.stream.read(1)
            return super().read(n)

    file = Itself(sealed(bytes(1_000_000)))
    file.stream = combseal.open_sealed(file, KEY)
    with pytest.raises(RuntimeError, match="in use"):
        file.stream.readall()


def test_nobody_copies_a_stream(tmp_path):
    for it in (combseal.open_sealed(io.BytesIO(sealed(b"")), KEY), combseal.create_sealed(io.BytesIO(), KEY)):
        with pytest.raises(TypeError):
            pickle.dumps(it)
        with pytest.raises(TypeError):
            pickle.dumps(it._native)
        it.close()


def test_threads_read_at_once():
    stream, wrong = sealed(bytes(500_000)), []

    def work():
        for _ in range(5):
            if combseal.open_sealed(io.BytesIO(stream), KEY).readall() != bytes(500_000):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_key_file(tmp_path):
    with pytest.raises(ValueError):
        (tmp_path / "key").write_text("no key\n")
        combseal.load_key_file(tmp_path / "key")


def test_without_hard_links(tmp_path, monkeypatch):
    """A file system that has none: the name is still taken once."""

    def link(*_):
        raise PermissionError("no hard links here")

    monkeypatch.setattr(os, "link", link)
    path = tmp_path / "sealed"
    with combseal.create_sealed(path, KEY, mode="xb") as out:
        out.write(b"whole")
    with combseal.open_sealed(path, KEY) as file:
        assert file.read() == b"whole"
    path.unlink()
    late = combseal.create_sealed(path, KEY, mode="xb")
    path.write_bytes(b"of another")
    with pytest.raises(FileExistsError):
        late.close()
    assert path.read_bytes() == b"of another" and [it.name for it in tmp_path.iterdir()] == ["sealed"]


def in_a_child(work):
    """What `work` returns in the child of a fork: a number, 99 if it raises."""
    child = os.fork()
    if child == 0:
        status = 99
        try:
            status = work()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fork_seals_nothing(tmp_path):
    """The child has the parent's key and next nonce, and a path that is the parent's."""
    path = tmp_path / "sealed"
    for leave in ("close", "discard", "__del__"):
        out = combseal.create_sealed(path, KEY, segment_length=SEGMENT)
        out.write(b"a" * SEGMENT)
        part = next(it for it in tmp_path.iterdir() if it.suffix == ".part")

        def work(out=out, leave=leave):
            for call in (lambda: out.write(b"b" * 3 * SEGMENT), out.flush):
                with contextlib.suppress(RuntimeError):
                    call()
                    return 1
            if leave == "close":
                with contextlib.suppress(RuntimeError):
                    out.close()
                    return 2
            else:
                getattr(out, leave)()
            with combseal.create_sealed(io.BytesIO(), KEY) as own:
                own.write(b"a stream of the child's own")
            return 0 if out.closed else 3

        assert in_a_child(work) == 0
        assert part.exists()
        out.write(b"c")
        out.close()
        with combseal.open_sealed(path, KEY) as file:
            assert file.read() == b"a" * SEGMENT + b"c"
    assert [it.name for it in tmp_path.iterdir()] == ["sealed"]
