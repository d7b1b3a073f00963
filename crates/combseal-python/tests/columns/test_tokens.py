"""Tokens and cells of Python's own values: what they promise, without any other package."""

import base64
import copy
import hashlib
import hmac
import json
import os
import pickle
import platform
import subprocess
import sys

import pytest

from combseal import InvalidTag, _native
from combseal.columns import GuessableWarning, Keyring, OpenError, UnknownKey, _arrow, to_list

from .conftest import CANARY, SECOND, ring_text

VALUES = ["Ann", "Bob", None, "", "Ann", "a value that is longer than one block", "ünïcode"]


def hkdf(secret, parts, length):
    """RFC 5869 over the label and the parts, written down again."""
    info = b"combseal/col/1" + b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    key = hmac.new(bytes(32), secret, hashlib.sha256).digest()
    out, block = b"", b""
    while len(out) < length:
        block = hmac.new(key, block + info + bytes([len(out) // 32 + 1]), hashlib.sha256).digest()
        out += block
    return out[:length]


def test_derivation():
    for parts in ([], [b""], [b"token/AES-256-SIV", b"person.email", b"\1\2\3\4"]):
        for length in (8, 32, 64):
            assert bytes(_native.columns_derive(CANARY, parts, length)) == hkdf(CANARY, parts, length)


def test_published_vectors(ring):
    key = hkdf(CANARY, [b"token/AES-256-SIV", b"person.email", b"\1\2\3\4"], 64)
    assert key.hex() == (
        "1abe2e5daa08b9dca9fce7f430a2cb50a5e13619e1f8344d34176efd85570e6c"
        "9e0f66ea80c21ed28f24a06a30c4f2971f75da2f77a019446d88c19d41b83fd5"
    )
    tokens = to_list(ring.tokens(domain="person.email").seal(["ann@example.org", "", None]))
    assert [token and token.hex() for token in tokens] == ["01010203043130b23e23158525883141f8f084144e23c7e7ddf147d0b4ed85b3d9106b90", "0101020304b4ad90458e2c98ebb46b9fa56f66be3c", None]
    aessiv = pytest.importorskip("cryptography.hazmat.primitives.ciphers.aead", reason="needs cryptography").AESSIV
    ad = b"\1\0b\0" + bytes(4)
    assert tokens[0] == b"\1\1\2\3\4" + aessiv(key).encrypt(b"ann@example.org", [ad])


def test_tokens(ring):
    cipher = ring.tokens(domain="d")
    tokens = to_list(cipher.seal(VALUES))
    assert tokens[2] is None and tokens[0] == tokens[4] and len(set(tokens)) == 6
    assert [token and len(token) for token in tokens[:4]] == [24, 24, None, 21]
    assert to_list(cipher.open(cipher.seal(VALUES))) == VALUES
    assert to_list(cipher.seal([None if value is None else value.encode() for value in VALUES])) == tokens
    assert to_list(ring.tokens(domain="e").seal(VALUES))[0] != tokens[0]
    assert to_list(ring.tokens(domain="d", algorithm="AES-128-SIV").seal(VALUES))[0] != tokens[0]
    assert to_list(ring.tokens(domain="d", algorithm="AES-128-SIV").open(tokens)) == VALUES
    assert cipher.usage(tokens) == {0x01020304: 6}


@pytest.mark.parametrize("scheme", ["OCB3-AES-256", "AES-256-GCM", "AES-256-GCM-SIV"])
def test_sealed(ring, scheme):
    box = ring.sealed(domain="d", scheme=scheme)
    cells = to_list(box.seal(VALUES))
    assert len(set(cells)) == 7 and cells[2] is None and len(cells[3]) == 41
    # Any order, any part, by a ring that names another scheme.
    mixed = cells[::-1] + to_list(ring.sealed(domain="d").seal(VALUES)) + cells[:1]
    assert to_list(ring.sealed(domain="d").open(mixed)) == VALUES[::-1] + VALUES + VALUES[:1]
    with pytest.raises(OpenError):
        ring.sealed(domain="e").open(cells)
    with pytest.raises(OpenError):
        ring.tokens(domain="d").open(cells)


def test_types_differ(ring):
    cipher = ring.tokens(domain="d")
    assert to_list(cipher.seal([1])) != to_list(cipher.seal(["1"]))
    assert to_list(cipher.open(cipher.seal([1, None, -(2**63)]))) == [1, None, -(2**63)]
    assert to_list(cipher.open(cipher.seal([2**64 - 1, 0]))) == [2**64 - 1, 0]
    with pytest.raises(OpenError):
        cipher.open(to_list(cipher.seal([1])), as_type="string")
    for values in ([True], [1.5]):
        with pytest.raises(TypeError, match="allow_guessable"):
            cipher.seal(values)
        loose = ring.tokens(domain="d", allow_guessable=True)
        assert to_list(loose.open(loose.seal(values))) == values
        box = ring.sealed(domain="d")
        assert to_list(box.open(box.seal(values))) == values


@pytest.mark.parametrize("options", [{"pad_to": 16}, {"null_as_token": True}, {"encode": "base64url"},
                                     {"pad_to": 7, "null_as_token": True, "encode": "base64url"}])  # fmt: skip
def test_options(ring, options):
    for cipher in (ring.tokens(domain="d", **options), ring.sealed(domain="d", **options)):
        sealed = cipher.seal(VALUES)
        cells = to_list(sealed)
        assert to_list(cipher.open(sealed)) == VALUES
        assert to_list(cipher.open(cells)) == VALUES
        assert to_list(cipher.rewrap(cells)) == cells
        if "null_as_token" in options:
            assert None not in cells
        if options.get("pad_to") == 16:
            assert {len(cell) % 16 for cell in cells if cell} == {len(cells[0]) % 16}
        if options.get("encode"):
            assert all(isinstance(cell, str) and "=" not in cell for cell in cells if cell)
        # The options are authenticated.
        plain = ring.tokens(domain="d") if cipher.__class__.__name__ == "Tokens" else ring.sealed(domain="d")
        if set(options) - {"encode"}:
            with pytest.raises(OpenError):
                plain.open(cells)


def test_padding_is_authenticated(ring):
    wide = ring.tokens(domain="d", pad_to=16)
    tokens = to_list(wide.seal(["ann@example.org"]))
    assert len(tokens[0]) == 21 + 16
    for pad_to in (1, 15, 32, 256):
        with pytest.raises(OpenError):
            ring.tokens(domain="d", pad_to=pad_to).open(tokens)
    aessiv = pytest.importorskip("cryptography.hazmat.primitives.ciphers.aead", reason="needs cryptography").AESSIV
    key = hkdf(CANARY, [b"token/AES-256-SIV", b"d", b"\1\2\3\4"], 64)
    ad = b"\1\1b\0" + bytes(4) + (16).to_bytes(4, "big")
    assert tokens[0] == b"\1\1\2\3\4" + aessiv(key).encrypt(b"ann@example.org\x80", [ad])


def test_padding_of_metadata(ring):
    cells = to_list(ring.sealed(domain="d", pad_to=256).seal(VALUES))
    moving = Keyring.from_provider(lambda: ring_text(("decrypt_only", "primary"))).sealed(domain="d")

    def rewrapped(pad_to):
        said = [("combseal.pad_to", pad_to)]
        return to_list(moving._rewrap(_arrow.build(cells), None, lambda column: column, None, "raise", said))

    moved = rewrapped("256")
    assert [cell and len(cell) for cell in moved] == [cell and len(cell) for cell in cells]
    assert to_list(ring.sealed(domain="d", pad_to=256).open(cells)) == VALUES
    for pad_to in ("0", "1", "128", "512"):
        with pytest.raises(OpenError):
            rewrapped(pad_to)
    for pad_to in (str(2**20 + 1), str(2**40), str(2**64 - 1), str(2**64), "-1", "x", ""):
        with pytest.raises(ValueError, match="pad_to"):
            rewrapped(pad_to)


def test_no_memory(ring):
    # Nothing but nulls takes no memory, whatever its length; what it is sealed to has offsets.
    column = _native.columns_build("n", 1 << 56, None, [])
    for cipher in (ring.tokens(domain="d", threads=1), ring.sealed(domain="d", threads=2)):
        with pytest.raises(MemoryError):
            cipher.seal(column)


def test_normalize(ring):
    cipher = ring.tokens(domain="d", normalize=("strip", "nfc", "casefold"))
    tokens = to_list(cipher.seal([" A@x ", "a@X", "Stra\u00dfe", "STRASSE", "e\u0301", "\u00c9", None]))
    assert tokens[0] == tokens[1] and tokens[2] == tokens[3] and tokens[4] == tokens[5] and tokens[6] is None
    assert cipher.candidates("A@X ") == tokens[:1]


def test_bind(ring):
    names, ids = ["Ann", "Bob", None], [1, None, 3]
    for cipher in (ring.tokens(domain="d"), ring.sealed(domain="d")):
        cells = to_list(cipher.seal(names, bind=[ids, ["x", "", "z"]]))
        assert to_list(cipher.open(cells, bind=[ids, ["x", "", "z"]])) == names
        for wrong in ([[2, None, 3], ["x", "", "z"]], [ids], [["x", "", "z"], ids], None, [ids, ["x", None, "z"]]):
            with pytest.raises(OpenError):
                cipher.open(cells, bind=wrong)
        with pytest.raises(ValueError, match="length"):
            cipher.open(cells, bind=[ids[:2]])


def test_errors(ring):
    cipher = ring.tokens(domain="d")
    tokens = to_list(cipher.seal(VALUES))
    broken = [bytes([*tokens[0][:-1], tokens[0][-1] ^ 1]), *tokens[1:], b"", b"\1", b"x" * 40]
    with pytest.raises(OpenError) as error:
        cipher.open(broken)
    assert (error.value.count, error.value.rows) == (4, [0, 7, 8, 9]) and "Ann" not in str(error.value)
    assert isinstance(error.value, InvalidTag) and not issubclass(UnknownKey, InvalidTag)
    values, failed = cipher.open(broken, on_error="null")
    assert to_list(values) == [None, *VALUES[1:], None, None, None]
    assert to_list(failed) == [True] + [False] * 6 + [True] * 3
    assert pickle.loads(pickle.dumps(error.value)).rows == error.value.rows
    for every in range(len(tokens[1])):
        bad = bytearray(tokens[1])
        bad[every] ^= 0x10
        with pytest.raises(UnknownKey if 1 <= every < 5 else OpenError):
            cipher.open([bytes(bad)])


def test_rotation():
    old = Keyring.from_provider(lambda: ring_text())
    new = Keyring.from_provider(lambda: ring_text(("decrypt_only", "primary")))
    pinned = Keyring.from_provider(lambda: ring_text(("enabled", "primary"), {"d": 0x01020304}))
    gone = Keyring.from_provider(lambda: ring_text(("destroyed", "primary")))
    assert pinned.tokens(domain="d").key_id == 0x01020304 != pinned.tokens(domain="e").key_id
    for mode in ("tokens", "sealed"):
        first, second = getattr(old, mode)(domain="d"), getattr(new, mode)(domain="d")
        cells = to_list(first.seal(VALUES))
        assert to_list(second.open(cells)) == VALUES
        moved = to_list(second.rewrap(cells[:3] + to_list(second.seal(VALUES))[3:]))
        assert second.usage(moved) == {0x01020305: 6} and to_list(second.open(moved)) == VALUES
        assert to_list(second.rewrap(moved)) == moved
        with pytest.raises(UnknownKey):
            first.open(moved)
        with pytest.raises(UnknownKey):
            getattr(gone, mode)(domain="d").open(cells)
    tokens = to_list(old.tokens(domain="d").seal(["Ann"]))
    assert new.tokens(domain="d").candidates("Ann")[1:] == tokens
    assert gone.tokens(domain="d").candidates("Ann") != tokens
    with pytest.raises(ValueError):
        new.tokens(domain="d", key_id=0x01020304)


def test_candidates_of_options():
    ring = Keyring.from_provider(lambda: ring_text(("enabled", "primary")))
    for options in ({"null_as_token": True}, {"pad_to": 16}, {"pad_to": 16, "null_as_token": True, "encode": "base64url"}):
        cipher = ring.tokens(domain="d", **options)
        first = ring.tokens(domain="d", key_id=0x01020304, **options)
        assert cipher.candidates("Ann") == to_list(cipher.seal(["Ann"])) + to_list(first.seal(["Ann"]))


def test_secrets_of_either_alphabet():
    secret = bytes([0xFB, 0xEF, 0xFF] * 10 + [0xFB, 0xFF])
    plain = base64.b64encode(secret).decode()
    texts = [plain, plain.rstrip("="), base64.urlsafe_b64encode(secret).decode(), plain.replace("+", "-")]

    def ring_of(text):
        key = {"id": 1, "state": "primary", "secret": text}
        return Keyring.from_provider(lambda: json.dumps({"combseal": "keyring", "version": 1, "keys": [key]}))

    assert len({ring_of(text).entries[0][2] for text in texts[:3]}) == 1
    with pytest.raises(ValueError, match="base64"):
        ring_of(texts[3])


def test_keyrings(tmp_path, monkeypatch):
    path = tmp_path / "new.json"
    ring = Keyring.create(path)
    assert path.stat().st_mode & 0o77 == 0
    with pytest.raises(FileExistsError):
        Keyring.create(path)
    rotated = Keyring.rotate(path)
    assert [state for _, state, _ in rotated.entries] == ["enabled", "primary"]
    assert rotated.entries[0][2] == ring.entries[0][2]
    monkeypatch.setenv("RING", ring_text())
    assert Keyring.from_env("RING").entries[0][0] == 0x01020304
    good = ring_text()
    for bad in ("", "{}", "[]", good.replace("primary", "enabled"), good.replace("primary", "x"), good[:-1],
                good.replace('"version": 1', '"version": 2'), good.replace("oKGi", "oK!i"), good.replace("oKGi", ""),
                ring_text(("primary", "primary")), ring_text(pins={"d": 9}), good.replace("16909060", "-1")):  # fmt: skip
        with pytest.raises(ValueError) as error:
            Keyring.from_provider(lambda bad=bad: bad)
        assert "oKGi" not in str(error.value)


def test_nothing_shows(ring):
    cipher, box = ring.tokens(domain="d"), ring.sealed(domain="d")
    for secret in (ring, cipher, box, ring._native, cipher._native):
        for how in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError):
                how(secret)
        shown = repr(secret) + str(secret)
        assert CANARY.hex() not in shown and "oKGio6SlpqeoqaqrrK2ur7" not in shown and SECOND.hex() not in shown


def test_few_values_warn(ring):
    with pytest.warns(GuessableWarning):
        ring.tokens(domain="d").seal([str(i % 50) for i in range(2000)])


@pytest.mark.parametrize("garbage", [None, 1, 1.5, "text", b"bytes", object(), {}, {1}, [object()], [1, "a"], [[1, 2]], lambda: 1])
def test_garbage(ring, garbage):
    cipher, box = ring.tokens(domain="d"), ring.sealed(domain="d")
    calls = [
        lambda: cipher.seal(garbage), lambda: box.seal(garbage), lambda: cipher.open(garbage), lambda: cipher.rewrap(garbage),
        lambda: cipher.usage(garbage), lambda: cipher.seal(["a"], bind=garbage or 1), lambda: cipher.candidates([garbage]),
        lambda: cipher.seal(["a"], bind=[garbage]), lambda: cipher.open(["a"], as_type=garbage or 1),
        lambda: cipher.open([b"a"], on_error=garbage), lambda: ring.tokens(domain=garbage if garbage != "text" else ""),
        lambda: ring.tokens(domain="d", encode=garbage), lambda: ring.tokens(domain="d", normalize=garbage or 1),
        lambda: ring.tokens(domain="d", wire=garbage or 0), lambda: ring.sealed(domain="d", scheme=garbage),
        lambda: ring.tokens(domain="d", key_id=garbage if garbage is not None else "x"),
        lambda: ring.tokens(domain="d", pad_to=garbage if garbage != 1 else -1),
        lambda: ring.tokens(domain="d", null_as_token=garbage), lambda: Keyring.from_provider(garbage),
        lambda: ring.tokens(domain="d", threads=garbage if garbage not in (1, None) else 0), lambda: Keyring(garbage),
        lambda: _native.columns_build(garbage, 1, None, []), lambda: _native.columns_build("i", 1, None, [garbage]),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises((TypeError, ValueError)):
            call()


def test_liars(ring):
    class Liar:
        def __init__(self, value):
            self.value = value

        def __arrow_c_array__(self, requested_schema=None):
            return self.value

    whole = ring.tokens(domain="d").seal(["a"])
    schema, array = whole.__arrow_c_array__()
    for value in (None, (), (1, 2), (array, schema), (schema, schema), (schema, array, 1)):
        with pytest.raises((TypeError, ValueError)):
            ring.tokens(domain="d").seal(Liar(value))
    ring.tokens(domain="d").seal(Liar((schema, array)))
    with pytest.raises(ValueError):
        ring.tokens(domain="d").seal(Liar((schema, array)))


def test_threads(ring):
    values = [str(i * 7919)[: i % 9] for i in range(40_000)]
    one = to_list(ring.tokens(domain="d", threads=1).seal(values))
    for threads in (2, 3, 5):
        cipher = ring.tokens(domain="d", threads=threads)
        assert to_list(cipher.seal(values)) == one
        broken = [b"x" if i % 1000 == 3 else cell for i, cell in enumerate(one)]
        values_back, failed = cipher.open(broken, on_error="null")
        assert to_list(values_back) == [None if i % 1000 == 3 else value for i, value in enumerate(values)]
        assert to_list(failed) == [i % 1000 == 3 for i in range(len(values))]
        box = ring.sealed(domain="d", threads=threads)
        cells = to_list(box.seal(values))
        assert to_list(box.open(cells)) == values
        # What a cell's key and nonce are made of: none twice, and no more keys than threads, which take several pieces each.
        assert len({cell[:25] for cell in cells}) == len(values) and len({cell[5:21] for cell in cells}) <= threads


#: In a process whose threads would have more stack than there is address space, so that none can be started.
ALONE = """
import sys

from combseal.columns import Keyring, to_list

ring, values = Keyring.from_file(sys.argv[1]), [str(i * 7919)[: i % 9] for i in range(40_000)]
one, two = (ring.tokens(domain="d", threads=threads) for threads in (1, 2))
assert to_list(two.seal(values)) == to_list(one.seal(values))
box = ring.sealed(domain="d", threads=2)
cells = to_list(box.seal(values))
assert to_list(box.open(cells)) == values
print(len({cell[5:21] for cell in cells}), "key")
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="elsewhere so much stack may be promised, or end the program")
def test_no_more_threads(ring_file):
    """Where the system starts no thread, the one that asked does all of a column."""
    environment = {**os.environ, "RUST_MIN_STACK": str(1 << 56)}
    run = [sys.executable, "-c", ALONE, str(ring_file)]
    done = subprocess.run(run, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "1 key\n"
