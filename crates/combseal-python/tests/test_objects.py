"""What keys are as objects of Python: nobody copies one or sees one, any thread may use one."""

import copy
import pickle
import subprocess
import sys
import threading
import time

import pytest
from shared import ALL, Calls

import combseal


def test_nobody_copies_a_key(calls):
    for copied in (
        copy.copy,
        copy.deepcopy,
        *(lambda it, n=n: pickle.dumps(it, n) for n in range(pickle.HIGHEST_PROTOCOL + 1)),
    ):
        with pytest.raises(TypeError, match="cannot be pickled or copied"):
            copied(calls.key)
    with pytest.raises(TypeError):
        copy.deepcopy([calls.key])


def test_nobody_sees_a_key(calls):
    shown = repr(calls.key) + str(calls.key) + str(dir(calls.key))
    assert calls.secret.hex() not in shown and repr(calls.secret)[2:-1] not in shown
    assert repr(calls.key) == f"<combseal.{calls.cls.__name__}, {len(calls.secret) * 8} bits of key>"
    assert not hasattr(calls.key, "__dict__")
    with pytest.raises(AttributeError):
        calls.key.attribute = 1
    with pytest.raises(TypeError):
        type("Sub", (calls.cls,), {})


@pytest.mark.parametrize(("name", "lengths", "_"), ALL)
def test_keys(name, lengths, _):
    cls = getattr(combseal, name)
    assert cls.__module__ == "combseal"
    for length in lengths:
        args = () if len(lengths) == 1 else (length * 8,)
        keys = {cls.generate_key(*args) for _ in range(20)}
        assert len(keys) == 20 and {len(key) for key in keys} == {length}
        cls(keys.pop())
    for length in set(range(70)) - set(lengths):
        with pytest.raises(ValueError, match=f"{name} key must be"):
            cls(bytes(length))
    if len(lengths) > 1:
        for bits in (0, -128, 1, 127, 1 << 40, 1 << 80):
            with pytest.raises(ValueError):
                cls.generate_key(bits)


@pytest.mark.parametrize(
    ("name", "tags"),
    [
        ("AESOCB3", range(8, 17)),
        ("AESCCM", range(4, 17, 2)),
        ("AESEAX", range(8, 17)),
        ("AEGIS128L", (16, 32)),
        ("AEGIS256", (16, 32)),
    ],
)
def test_tag_lengths(name, tags):
    calls = Calls(name)
    for tag in range(-2, 40):
        if tag not in tags:
            with pytest.raises(ValueError, match="tag_length"):
                calls.cls(calls.secret, tag_length=tag)
            continue
        key = calls.cls(calls.secret, tag)
        sealed = key.encrypt(calls.nonce, b"message", None)
        assert len(sealed) == 7 + tag
        assert key.decrypt(calls.nonce, sealed, None) == b"message"
        with pytest.raises(combseal.InvalidTag):
            key.decrypt(calls.nonce, sealed[:-1] + bytes([sealed[-1] ^ 1]), None)
        assert key.decrypt_many([calls.nonce], key.encrypt_many([calls.nonce], [b"x"])) == [b"x"]


GARBAGE = [None, "text", 5, -1, 1 << 80, 1.5, object(), [], {}, [b"x"], lambda: 0, type, memoryview(b"abcd")[::2], ...]


def test_garbage(calls):
    """In every argument of every method: an exception of one of these kinds, never a crash."""
    kinds = (TypeError, ValueError, BufferError, combseal.InvalidTag)
    with pytest.raises(TypeError):
        calls.cls()
    for method in ("encrypt", "decrypt", "encrypt_into", "decrypt_into", "encrypt_many", "decrypt_many"):
        call = getattr(calls.key, method)
        good = [*([b"n" * len(calls.nonce)] if calls.head else []), b"d" * 20, None]
        if "many" in method:
            good = [[it] for it in good[:-1]] + [None]
        if "into" in method:
            good.append(bytearray(36 if method == "encrypt_into" else 4))
        for place in range(len(good)):
            for bad in GARBAGE:
                args = [*good]
                args[place] = bad
                try:
                    call(*args)
                except kinds:
                    continue
                # What is fine after all: no associated data, none in a list, an empty batch.
                assert bad is None or bad in ([], {}, [b"x"])
        for args in ([], [*good, b"too", b"many", 1]):
            with pytest.raises(TypeError):
                call(*args)
        with pytest.raises(TypeError):
            call(*good, unknown=1)


def test_keywords(calls):
    kwargs = {"data": b"x", "associated_data": None}
    if calls.head:
        kwargs["nonce"] = calls.nonce
    sealed = calls.key.encrypt(**kwargs)
    assert calls.key.decrypt(**kwargs | {"data": sealed}) == b"x"
    assert calls.key.encrypt_into(**kwargs, buf=bytearray(17)) == 17


def test_threads(calls):
    """One key, many threads, and lengths with and without the interpreter's lock."""
    data = [bytes([i]) * length for i, length in enumerate((10, 1_000, 20_000, 100_000))]
    sealed = [calls.encrypt(it, b"ad") for it in data]
    wrong = []

    def work():
        for i in range(200):
            it = i % len(data)
            if calls.encrypt(data[it], b"ad") != sealed[it] or calls.decrypt(sealed[it], b"ad") != data[it]:
                wrong.append(it)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_nonces_of_every_length_from_threads():
    """Keys for other lengths of nonces are made when they are asked for, by whoever is first."""
    calls = Calls("AESGCM")
    expected = {n: combseal.AESGCM(calls.secret).encrypt(bytes(n), b"x", None) for n in range(8, 129)}
    wrong = []

    def work():
        wrong.extend(n for n in range(8, 129) if calls.key.encrypt(bytes(n), b"x", None) != expected[n])

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="there is no interpreter's lock here")
def test_other_threads_run_meanwhile():
    """During a long call the interpreter's lock is free."""
    calls = Calls("AESGCM")
    data = bytes(1 << 26)
    buf = bytearray(len(data) + 16)

    def ticks():
        call = threading.Thread(target=lambda: calls.encrypt_into(data, None, buf), daemon=True)
        ticks = 0
        call.start()
        while call.is_alive():
            ticks += 1
            time.sleep(0)
        call.join()
        return ticks

    # A busy machine may have other work for this thread during one call, not during all.
    assert any(ticks() > 10 for _ in range(20))


def test_nothing_else_is_imported():
    """Not pyca, not numpy, not pyarrow: what is not asked for is not loaded."""
    code = (
        "import sys, combseal; from combseal import aead, tink\n"
        "try: combseal.AESGCM(bytes(16)).decrypt(bytes(12), bytes(16), None)\n"
        "except combseal.InvalidTag: pass\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "print(sorted(loaded & {'cryptography', 'numpy', 'pyarrow', 'pandas', 'polars', 'dask', 'ray', 'tink'}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_invalid_tag_travels():
    """Through pickle, as from a pool's worker."""
    key = combseal.AESGCM(bytes(16))
    with pytest.raises(combseal.InvalidTag) as caught:
        key.decrypt_many([bytes(12)] * 3, [bytes(16)] * 3)
    again = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(again, combseal.InvalidTag) and again.indices == (0, 1, 2)
    error = pickle.loads(pickle.dumps(combseal.StreamError("cut", 3)))
    assert (str(error), error.segment) == ("cut", 3)


def test_names():
    assert combseal.backend() in ("aesni", "aesni512", "vaes256", "vaes512", "soft")
    assert combseal.__version__
    for name in combseal.__all__:
        assert getattr(combseal, name) is not None
    from combseal import aead

    assert aead.AESGCM is combseal.AESGCM and set(aead.__all__) == {name for name, _, _ in ALL}
