"""Objects that lend their bytes: of every kind, none copied, those refused that cannot be used."""

import array
import ctypes
import mmap
import os

import pytest
from shared import ALL, Calls

import combseal

DATA = os.urandom(96)


def lenders():
    """The same bytes in objects of every kind that are contiguous."""
    anonymous = mmap.mmap(-1, 96)
    anonymous[:] = DATA
    yield DATA
    yield bytearray(DATA)
    yield memoryview(DATA)
    yield memoryview(b"before" + DATA + b"behind")[6:-6]
    yield memoryview(bytearray(DATA)).cast("B", (8, 12))
    yield memoryview(DATA).cast("I")
    yield array.array("B", DATA)
    yield array.array("d", DATA)
    yield (ctypes.c_uint8 * 96).from_buffer_copy(DATA)
    yield anonymous
    yield type("Bytes", (bytes,), {})(DATA)
    yield type("Array", (bytearray,), {})(DATA)


def numpy_lenders():
    np = pytest.importorskip("numpy")
    yield np.frombuffer(DATA, "u1")
    yield np.frombuffer(DATA, "u1").reshape(12, 8).copy()
    yield np.frombuffer(DATA, ">u4")
    yield np.frombuffer(DATA, "f8")


@pytest.mark.parametrize("make", [lenders, numpy_lenders])
def test_every_kind(calls, make):
    sealed = calls.encrypt(DATA, DATA)
    for data in make():
        assert calls.encrypt(data, data) == sealed
        buf = bytearray(len(sealed))
        assert calls.encrypt_into(data, data, buf) == len(sealed)
        assert buf == sealed
        for lent in (buf, memoryview(buf), memoryview(sealed)):
            assert calls.decrypt(lent, data) == DATA


def test_every_kind_of_key_and_nonce(aead):
    sealed = aead.encrypt(DATA)
    for kind in (bytes, bytearray, memoryview, lambda it: memoryview(bytearray(it)), lambda it: array.array("B", it)):
        key, nonce = aead.cls(kind(aead.secret)), kind(aead.nonce)
        assert key.encrypt(nonce, DATA, None) == sealed
        assert key.decrypt(nonce, sealed, None) == DATA
        assert key.encrypt_many([nonce], [kind(DATA)]) == [sealed]


@pytest.mark.parametrize("make", [lenders, numpy_lenders])
def test_written_to(calls, make):
    """Every kind that can be written to."""
    short = DATA[:80]
    sealed = calls.encrypt(short)
    for buf in make():
        view = memoryview(buf)
        if view.readonly:
            with pytest.raises(TypeError):
                calls.encrypt_into(short, None, buf)
            assert bytes(view.cast("B") if view.contiguous else view) == DATA
            continue
        assert calls.encrypt_into(short, None, buf) == 96
        assert view.tobytes() == sealed


def test_gaps_are_refused(calls):
    gap = memoryview(bytearray(192))[::2]
    backwards = memoryview(bytearray(96))[::-1]
    for bad in gap, backwards:
        for call in (
            lambda bad=bad: calls.encrypt(bad),
            lambda bad=bad: calls.decrypt(bad),
            lambda bad=bad: calls.encrypt(DATA, bad),
            lambda bad=bad: calls.encrypt_into(bad, None, bytearray(112)),
            lambda bad=bad: calls.encrypt_into(DATA[:80], None, bad),
            lambda bad=bad: calls.decrypt_into(bytes(112), None, bad),
            lambda bad=bad: calls.cls(bad),
        ):
            with pytest.raises(BufferError):
                call()


def test_numpy_gaps_and_objects():
    np = pytest.importorskip("numpy")
    calls = Calls("AESOCB3")
    square = np.zeros((8, 12), "u1")
    for bad in (square.T, square[:, ::2], np.asfortranarray(square)):
        with pytest.raises(BufferError):
            calls.encrypt(bad)
    for bad in (np.array([None, object()]), np.zeros(3, [("a", "u1"), ("b", "f4")]), np.zeros(4, "c16")):
        with pytest.raises(TypeError):
            calls.encrypt(bad)
        with pytest.raises(TypeError):
            calls.decrypt_into(bytes(bad.nbytes + 16), None, bad)
    read_only = np.zeros(96, "u1")
    read_only.flags.writeable = False
    with pytest.raises(TypeError, match="not writable"):
        calls.encrypt_into(DATA[:80], None, read_only)


def test_pointers_are_refused():
    """Objects that lend pointers to objects, which would crash who follows them."""
    calls = Calls("AESOCB3")
    objects = (ctypes.py_object * 2)(1, 2)
    with pytest.raises(TypeError):
        calls.decrypt_into(bytes(32), None, objects)
    assert list(objects) == [1, 2]


def test_released_and_closed():
    calls = Calls("AESOCB3")
    view = memoryview(bytearray(DATA))
    view.release()
    closed = mmap.mmap(-1, 96)
    closed.close()
    for bad in view, closed:
        with pytest.raises(ValueError):
            calls.encrypt(bad)
        with pytest.raises(ValueError):
            calls.encrypt_into(DATA[:80], None, bad)


def test_lent_no_longer(calls):
    """After the call an array can grow again."""
    buf, data = bytearray(96), bytearray(DATA[:80])
    calls.encrypt_into(data, data, buf)
    calls.encrypt(data, data)
    with pytest.raises(combseal.InvalidTag):
        calls.decrypt(bytearray(96), data)
    for one in buf, data:
        one.append(0)


def places(calls):
    """Where the message and the tag are in a sealed message of 96 bytes."""
    return (slice(16, 96), slice(0, 16)) if calls.siv else (slice(0, 80), slice(80, 96))


def test_in_place(calls):
    body, _ = places(calls)
    sealed = calls.encrypt(DATA[:80], b"ad")
    buf = bytearray(96)
    view = memoryview(buf)
    buf[body] = DATA[:80]
    assert calls.encrypt_into(view[body], b"ad", buf) == 96
    assert buf == sealed
    assert calls.decrypt_into(buf, b"ad", view[body]) == 80
    assert buf[body] == DATA[:80]


def test_overlaps_are_refused(calls):
    body, tag = places(calls)
    buf = bytearray(range(128))
    view = memoryview(buf)
    before = bytes(buf)
    for start in (-17, -16, -15, -1, 1, 15, 16, 17, 40):
        first = 32 + body.start + start
        if not 0 <= first <= 48 or start == 0:
            continue
        with pytest.raises(ValueError, match="overlaps"):
            calls.encrypt_into(view[first : first + 80], None, view[32:128])
        assert buf == before
    # A message of nothing overlaps nothing.
    assert calls.encrypt_into(view[40:40], None, view[32:48]) == 16
    buf[:] = before
    for ad in (view[0:33], view[127:128], view[32:128], view[50:60]):
        with pytest.raises(ValueError, match="overlaps"):
            calls.encrypt_into(DATA[:80], ad, view[32:128])
        assert buf == before
    # The associated data may lie beside it.
    assert calls.encrypt_into(DATA[:80], view[0:32], view[32:128]) == 96
    with pytest.raises(ValueError, match="overlaps"):
        calls.decrypt_into(view[32:128], view[0:32], view[33:113])
    assert calls.decrypt(view[32:128], view[0:32]) == DATA[:80]


def test_nonce_in_the_buffer(aead):
    """As packets have it: the nonce, which is copied, in the memory that is written."""
    buf = bytearray(96)
    buf[: len(aead.nonce)] = aead.nonce
    sealed = aead.encrypt(DATA[:80])
    aead.key.encrypt_into(memoryview(buf)[: len(aead.nonce)], DATA[:80], None, buf)
    assert buf == sealed


def test_zeroed_after_a_forgery(calls):
    body, _ = places(calls)
    for length in (0, 1, 16, 80, 5_000, 70_000):
        sealed = bytearray(calls.encrypt(bytes(length), b"ad"))
        sealed[-1] ^= 1
        buf = bytearray(b"?" * length)
        with pytest.raises(combseal.InvalidTag):
            calls.decrypt_into(sealed, b"ad", buf)
        assert buf == bytes(length)
    sealed = bytearray(calls.encrypt(DATA[:80], b"ad"))
    sealed[0] ^= 1
    with pytest.raises(combseal.InvalidTag):
        calls.decrypt_into(sealed, b"ad", memoryview(sealed)[body])
    assert sealed[body] == bytes(80)


def test_refusals_leave_the_buffer(calls):
    buf = bytearray(b"?" * 80)
    for data in (bytes(15), bytes(95), bytes(97)):
        with pytest.raises((combseal.InvalidTag, ValueError)):
            calls.decrypt_into(data, None, buf)
        assert buf == b"?" * 80


def test_lengths_of_the_buffer(calls):
    for length in (0, 95, 97, 200):
        with pytest.raises(ValueError, match="buffer must be 96 bytes"):
            calls.encrypt_into(DATA[:80], None, bytearray(length))
        with pytest.raises(ValueError, match="buffer must be 80 bytes"):
            calls.decrypt_into(DATA, None, bytearray(length))


@pytest.mark.parametrize("name", [name for name, _, _ in ALL])
def test_empty_messages(name):
    """AES-SIV's and GCM-SIV's too, which OpenSSL refused for years."""
    calls = Calls(name)
    sealed = calls.encrypt(b"")
    assert len(sealed) == 16
    assert calls.decrypt(sealed) == b""
    assert calls.decrypt_into(sealed, None, bytearray()) == 0
    if not calls.siv:
        assert calls.encrypt(b"", b"") == sealed


def test_siv_strings():
    """No string and an empty one are different."""
    key = Calls("AESSIV").key
    assert key.encrypt(b"x", None) == key.encrypt(b"x", []) == key.encrypt(b"x", ())
    assert key.encrypt(b"x", [b""]) != key.encrypt(b"x", [])
    for bad in (b"ad", "ad", 5, {b"ad"}, [None], ["ad"], [5], [[b"ad"]]):
        with pytest.raises(TypeError):
            key.encrypt(b"x", bad)
    with pytest.raises(ValueError):
        key.encrypt(b"x", [b""] * 200)


@pytest.mark.skipif(not os.environ.get("COMBSEAL_LARGE"), reason="4 GiB of memory: set COMBSEAL_LARGE")
def test_more_than_two_gib():
    """No wall at 2^31 bytes, as where lengths go through C's int."""
    length = (1 << 31) + 5
    data = mmap.mmap(-1, length)
    buf = mmap.mmap(-1, length + 16)
    calls = Calls("AESOCB3")
    assert calls.encrypt_into(data, None, buf) == length + 16
    assert calls.decrypt_into(buf, None, data) == length
    assert data[-1] == 0
