"""Many messages in one call."""

import os

import pytest
from shared import AEADS, Calls

import combseal

LENGTHS = [0, 1, 15, 16, 17, 64, 100, 1500, 4096, 30_000]


def messages(calls, count=50):
    nonces = [i.to_bytes(len(calls.nonce), "big") for i in range(count)]
    return nonces, [os.urandom(LENGTHS[i % len(LENGTHS)]) for i in range(count)]


def test_as_one_by_one(aead):
    nonces, data = messages(aead)
    for ads in (None, b"all", [b"each %d" % i if i % 3 else None for i in range(50)]):
        each = ads if isinstance(ads, list) else [ads] * 50
        sealed = aead.key.encrypt_many(nonces, data, ads)
        assert sealed == [aead.key.encrypt(*it) for it in zip(nonces, data, each, strict=True)]
        assert aead.key.decrypt_many(nonces, sealed, ads) == data
    assert aead.key.encrypt_many(iter(nonces), tuple(data), associated_data=b"all") == aead.key.encrypt_many(
        nonces, [bytearray(it) for it in data], memoryview(b"all")
    )
    assert aead.key.encrypt_many([], []) == aead.key.decrypt_many([], [], []) == []


@pytest.mark.parametrize("name", ["AESOCB3", "AESGCM", "AESCCM", "AESEAX"])
def test_nonces_of_many_lengths(name):
    calls = Calls(name)
    lengths = next(nonces for it, _, nonces in AEADS if it == name)
    nonces = [bytes([i] * length) for i, length in enumerate(list(lengths) * 3)]
    data = [b"message %d" % i for i in range(len(nonces))]
    sealed = calls.key.encrypt_many(nonces, data)
    assert sealed == [calls.key.encrypt(nonce, it, None) for nonce, it in zip(nonces, data, strict=True)]
    assert calls.key.decrypt_many(nonces, sealed) == data


def test_forgeries(aead):
    nonces, data = messages(aead)
    sealed = aead.key.encrypt_many(nonces, data)
    sealed[7] = bytes(len(sealed[7]))
    sealed[11] = sealed[11][:9]
    sealed[49] = sealed[48]
    with pytest.raises(combseal.InvalidTag) as caught:
        aead.key.decrypt_many(nonces, sealed)
    assert (caught.value.index, caught.value.indices) == (7, (7, 11, 49))
    assert str(caught.value) == "authentication failed"
    opened = aead.key.decrypt_many(nonces, sealed, errors="none")
    assert [i for i, it in enumerate(opened) if it is None] == [7, 11, 49]
    assert all(a == b for a, b in zip(opened, data, strict=True) if a is not None)
    with pytest.raises(ValueError, match="errors"):
        aead.key.decrypt_many(nonces, sealed, errors="ignore")


def test_repeated_nonces(aead):
    """Found where they give something away."""
    nonces = [bytes(len(aead.nonce))] * 2
    if isinstance(aead.key, combseal.AESGCMSIV):
        assert len(aead.key.encrypt_many(nonces, [b"a", b"b"])) == 2
    else:
        with pytest.raises(ValueError, match="message 1.*nonce"):
            aead.key.encrypt_many(nonces, [b"a", b"b"])


def test_refusals(aead):
    many, nonce = aead.key.encrypt_many, aead.nonce
    for args, kind in [
        (([nonce], []), ValueError),
        (([nonce], [b"a"], []), ValueError),
        (([nonce], [b"a"], [None, None]), ValueError),
        (([nonce[:3]], [b"a"]), ValueError),
        ((nonce, b"a"), TypeError),
        (([nonce], b"a"), TypeError),
        (([nonce], "a"), TypeError),
        (([nonce], [b"a"], "ad"), TypeError),
        (([nonce], ["a"]), TypeError),
        (([None], [b"a"]), TypeError),
        (([nonce], [None]), TypeError),
        ((5, 5), TypeError),
        (([nonce], [b"a"], 5), TypeError),
        (([nonce], [memoryview(b"abcd")[::2]]), BufferError),
        (([nonce],), TypeError),
    ]:
        with pytest.raises(kind):
            many(*args)
        with pytest.raises(kind):
            aead.key.decrypt_many(*args)


def test_a_list_that_fails(aead):
    """What a sequence raises comes out, and what it changes meanwhile does not matter."""

    class Fails:
        def __iter__(self):
            yield b"first"
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        aead.key.encrypt_many(Fails(), [b"a", b"b"])

    data = [b"a" * 40, b"b" * 40]

    class Empties:
        def __iter__(self):
            yield bytes(len(aead.nonce))
            data.clear()
            yield bytes([1]) * len(aead.nonce)

    with pytest.raises(ValueError):
        aead.key.encrypt_many(Empties(), data)


def test_siv():
    key = Calls("AESSIV").key
    data = [os.urandom(length) for length in LENGTHS]
    for ads in (None, [], [b"a", b"b"], (b"a",), [[b"%d" % i] * (i % 4) for i in range(10)], [None, [b"x"]] * 5):
        each = ads if ads and (ads[0] is None or isinstance(ads[0], list)) else [ads] * 10
        sealed = key.encrypt_many(data, ads)
        assert sealed == [key.encrypt(it, ad) for it, ad in zip(data, each, strict=True)]
        assert key.decrypt_many(sealed, ads) == data
        with pytest.raises(combseal.InvalidTag) as caught:
            key.decrypt_many([*sealed[:8], b"short", bytes(16)], ads)
        assert caught.value.indices == (8, 9)
        assert key.decrypt_many([*sealed[:8], b"short", bytes(16)], ads, errors="none") == [*data[:8], None, None]
    for bad in (b"ad", 5, [5], [[b"a"], [b"b"]], [[5]] * 10):
        with pytest.raises((TypeError, ValueError)):
            key.encrypt_many(data, bad)
