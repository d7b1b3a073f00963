"""pyca's classes beside ours: the same bytes, the same refusals, each opens what the other sealed."""

import os
import random

import pytest

import combseal

pyca = pytest.importorskip("cryptography.hazmat.primitives.ciphers.aead")
exceptions = pytest.importorskip("cryptography.exceptions")

NAMES = ["AESOCB3", "AESGCM", "AESCCM", "AESGCMSIV", "AESSIV", "ChaCha20Poly1305"]
NONCES = {
    "AESOCB3": (12, 15),
    "AESGCM": (8, 128),
    "AESCCM": (7, 13),
    "AESGCMSIV": (12, 12),
    "ChaCha20Poly1305": (12, 12),
}
# GCM-SIV with 192 bits is OpenSSL's alone: RFC 8452 has 128 and 256.
KEYS = {"AESSIV": (32, 48, 64), "AESGCMSIV": (16, 32), "ChaCha20Poly1305": (32,)}


def both(name, *args):
    return getattr(combseal, name)(*args), getattr(pyca, name)(*args)


@pytest.mark.parametrize("name", NAMES)
def test_random(name):
    seed = random.randrange(1 << 32)
    rng = random.Random(seed)
    for _ in range(400):
        tag = (rng.choice((4, 6, 8, 10, 12, 14, 16)),) if name == "AESCCM" else ()
        ours, theirs = both(name, rng.randbytes(rng.choice(KEYS.get(name, (16, 24, 32)))), *tag)
        data = rng.randbytes(rng.choice((0, 1, 15, 16, 17, 64, 255, 256, 257, 1500, rng.randrange(5000))))
        ad = rng.choice((None, b"", rng.randbytes(rng.randrange(40))))
        if name == "AESSIV":
            head = ()
            ad = rng.choice((None, [], [b""], [rng.randbytes(rng.randrange(40)) for _ in range(rng.randrange(5))]))
        else:
            head = (rng.randbytes(rng.randint(*NONCES[name])),)
        sealed = ours.encrypt(*head, data, ad)
        assert sealed == theirs.encrypt(*head, data, ad), seed
        assert ours.decrypt(*head, sealed, ad) == theirs.decrypt(*head, sealed, ad) == data, seed
        bad = bytearray(sealed)
        bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
        for key in ours, theirs:
            with pytest.raises(exceptions.InvalidTag):
                key.decrypt(*head, bytes(bad), ad)


@pytest.mark.parametrize("name", NAMES)
def test_large(name):
    ours, theirs = both(name, os.urandom(32))
    head = () if name == "AESSIV" else (os.urandom(12),)
    data = os.urandom((1 << 20) + 5)
    sealed = ours.encrypt(*head, data, None)
    assert sealed == theirs.encrypt(*head, data, None)
    assert theirs.decrypt(*head, sealed, None) == data
    assert ours.decrypt(*head, sealed, None) == data


class Lies(bytes):
    """What says that it is longer than it is."""

    def __len__(self):
        return 2**31


def outcome(call, *args, **kwargs):
    """The kind of exception, or the bytes."""
    try:
        value = call(*args, **kwargs)
    except Exception as error:
        return "InvalidTag" if isinstance(error, exceptions.InvalidTag) else type(error).__name__
    return value if isinstance(value, (bytes, int)) else None


# Each argument, with one that is wrong in its kind, in its length, or not at all.
NONCE = [b"n" * 12, b"n" * 6, b"", b"n" * 200, "text", None, 5, memoryview(b"n" * 24)[::2]]
DATA = [b"data" * 20, b"", b"x" * 15, "text", None, 5, object(), memoryview(b"data" * 40)[::2], bytearray(b"data" * 9)]
AD = [None, b"", b"ad", "text", 5, memoryview(b"ad" * 4)[::2]]
ADS = [None, [], [b""], [b"a", b"b"], b"ad", "text", 5, ["text"], [None], [b"a", 5], {b"a"}]


@pytest.mark.parametrize("name", NAMES)
def test_same_refusals(name):
    """The kinds of exception, and so the order of the checks."""
    ours, theirs = both(name, b"k" * 32)
    for data in DATA:
        for ad in ADS if name == "AESSIV" else AD:
            for head in [()] if name == "AESSIV" else [(nonce,) for nonce in NONCE]:
                for form in "encrypt", "decrypt":
                    a, b = (outcome(getattr(key, form), *head, data, ad) for key in (ours, theirs))
                    if name == "AESSIV" and form == "decrypt" and a == "TypeError":
                        # pyca looks at the list's items after it has looked for a tag.
                        assert b in ("TypeError", "InvalidTag")
                    else:
                        assert a == b, (form, head, data, ad)


def buffers():
    read_only = memoryview(bytes(96))
    return [bytearray(96), bytearray(80), bytearray(64), bytearray(0), bytes(96), read_only, "text", None, 5]


@pytest.mark.parametrize("name", NAMES)
def test_same_refusals_of_buffers(name):
    ours, theirs = both(name, b"k" * 32)
    heads = [()] if name == "AESSIV" else [(nonce,) for nonce in (b"n" * 12, b"n" * 6, "text")]
    for head in heads:
        ad = None if name == "AESSIV" else b"ad"
        for data in b"data" * 20, b"", b"x" * 15, bytes(64), "text":
            for form in "encrypt_into", "decrypt_into":
                for buf_a, buf_b in zip(buffers(), buffers(), strict=True):
                    a = outcome(getattr(ours, form), *head, data, ad, buf_a)
                    b = outcome(getattr(theirs, form), *head, data, ad, buf_b)
                    assert a == b, (form, head, data, buf_a)
                    if isinstance(a, int):
                        assert buf_a == buf_b


@pytest.mark.parametrize("name", NAMES)
def test_same_constructors(name):
    ours, theirs = getattr(combseal, name), getattr(pyca, name)
    for length in range(70):
        if name == "AESGCMSIV" and length == 24:
            continue
        assert outcome(ours, b"k" * length) == outcome(theirs, b"k" * length), length
    for key in "text", None, 5, [], memoryview(bytes(64))[::2]:
        assert outcome(ours, key) == outcome(theirs, key)
        assert outcome(ours) == outcome(theirs) == "TypeError"
    if name == "AESCCM":
        for tag in [*range(40), "text", 1.5]:
            assert outcome(ours, b"k" * 16, tag) == outcome(theirs, b"k" * 16, tag), tag
            assert outcome(ours, b"k" * 16, tag_length=tag) == outcome(theirs, b"k" * 16, tag_length=tag)
        # These are an OverflowError there.
        assert outcome(ours, b"k" * 16, -1) == outcome(ours, b"k" * 16, 1 << 80) == "ValueError"
    if name == "ChaCha20Poly1305":
        assert len(ours.generate_key()) == 32
    else:
        for bits in [127, 128, 129, 192, 256, 384, 512, 0, "text", None, 1.5]:
            if (name, bits) == ("AESGCMSIV", 192):
                continue
            a, b = (outcome(cls.generate_key, bits) for cls in (ours, theirs))
            assert type(a) is type(b) and len(a) == len(b), bits
    assert outcome(ours.generate_key, 1, 2) == outcome(theirs.generate_key, 1, 2) == "TypeError"


def test_lies_about_its_length():
    """Lengths are those of the memory, not what ``__len__`` says."""
    key = combseal.AESGCM(b"k" * 16)
    nonce = b"n" * 12
    assert key.encrypt(nonce, Lies(b"data"), Lies(b"ad")) == key.encrypt(nonce, b"data", b"ad")


def test_ccm_takes_no_more_than_its_length_field():
    """RFC 3610 wants less than 2^(8L); pyca checks for no more, and OpenSSL then fails."""
    key = combseal.AESCCM(b"k" * 16)
    assert len(key.encrypt(b"n" * 13, bytes(65535), None)) == 65551
    with pytest.raises(ValueError, match="longer"):
        key.encrypt(b"n" * 13, bytes(65536), None)
    with pytest.raises(ValueError, match="longer"):
        key.decrypt(b"n" * 13, bytes(65536 + 16), None)
    with pytest.raises(ValueError, match="longer"):
        pyca_has_more = bytes(65600)
        key.decrypt(b"n" * 13, pyca_has_more, None)


def test_invalid_tag_is_pycas():
    with pytest.raises(exceptions.InvalidTag):
        combseal.AESGCM(b"k" * 16).decrypt(b"n" * 12, bytes(16), None)
    with pytest.raises(combseal.InvalidTag):
        combseal.AESGCM(b"k" * 16).decrypt(b"n" * 12, bytes(16), None)
