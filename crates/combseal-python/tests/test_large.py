"""More than 2 GiB and more than 4 GiB in one call: lengths of 32 bits are nowhere.

These need some 12 GiB of memory and a minute or two, and run only where ``COMBSEAL_LARGE=1`` asks for it.
"""

import hashlib
import os

import pytest

import combseal
from combseal.columns import Keyring, to_list

pytestmark = pytest.mark.skipif(
    os.environ.get("COMBSEAL_LARGE") != "1", reason="takes 12 GiB of memory: COMBSEAL_LARGE=1 asks for it"
)

TWO, FOUR = (1 << 31) + 5, (1 << 32) + 5
PIECE = 1 << 24
RING = {"combseal": "keyring", "version": 1, "keys": [{"id": 1, "state": "primary", "secret": "oKGio6SlpqeoqaqrrK2ur7CxsrO0tba3uLm6u7y9vr8"}]}


def message(length):
    """Bytes whose every mebibyte is another."""
    whole = bytearray(length)
    view = memoryview(whole)
    for at in range(0, length, 1 << 20):
        view[at : at + 8] = at.to_bytes(8, "big")[: len(view[at : at + 8])]
    return whole


def digest(data):
    return hashlib.sha256(data).digest()


def of_pyca(key, nonce, data):
    """What GCM makes of it, piece by piece, since pyca's own class takes no more than 2 GiB: a digest."""
    ciphers = pytest.importorskip("cryptography.hazmat.primitives.ciphers", reason="needs cryptography")
    sealing = ciphers.Cipher(ciphers.algorithms.AES(key), ciphers.modes.GCM(nonce)).encryptor()
    found, view = hashlib.sha256(), memoryview(data)
    for at in range(0, len(view), PIECE):
        found.update(sealing.update(view[at : at + PIECE]))
    sealing.finalize()
    found.update(sealing.tag)
    return found.digest()


def test_encrypt():
    data = message(TWO)
    key, nonce = bytes(range(16)), bytes(12)
    wanted, of_data = of_pyca(key, nonce, data), digest(data)
    aead = combseal.AESGCM(key)
    sealed = aead.encrypt(nonce, data, None)
    assert len(sealed) == TWO + 16 and digest(sealed) == wanted
    del data
    assert digest(aead.decrypt(nonce, sealed, None)) == of_data
    (opened,) = aead.decrypt_many([nonce], [sealed])
    assert digest(opened) == of_data
    del opened
    forged = bytearray(sealed)
    del sealed
    forged[TWO - 1] ^= 1
    with pytest.raises(combseal.InvalidTag):
        aead.decrypt(nonce, forged, None)


@pytest.mark.parametrize("name", ["AESGCM", "AESOCB3"])
def test_encrypt_into(name):
    """In place, and past 4 GiB."""
    key, nonce = bytes(range(16)), bytes(12)
    buf = message(FOUR + 16)
    view = memoryview(buf)
    of_data = digest(view[:FOUR])
    wanted = of_pyca(key, nonce, view[:FOUR]) if name == "AESGCM" else None
    aead = getattr(combseal, name)(key)
    assert aead.encrypt_into(nonce, view[:FOUR], b"ad" if wanted is None else None, view) == FOUR + 16
    if wanted is None:
        with pytest.raises(combseal.InvalidTag):
            # The tag of a shorter message, which is there by chance, is none.
            aead.decrypt(nonce, view[5:TWO], b"ad")
        assert aead.decrypt_into(nonce, view, b"ad", view[:FOUR]) == FOUR
    else:
        assert digest(view) == wanted
        assert aead.decrypt_into(nonce, view, None, view[:FOUR]) == FOUR
    assert digest(view[:FOUR]) == of_data


def test_two_gibibytes_into_another():
    data, nonce = message(TWO), bytes(15)
    aead = combseal.AESOCB3(bytes(32))
    buf = bytearray(TWO + 16)
    assert aead.encrypt_into(nonce, data, None, buf) == TWO + 16
    of_data = digest(data)
    del data
    assert digest(aead.decrypt(nonce, buf, None)) == of_data


def test_associated_data():
    """A megabyte under associated data of more than 2 GiB: its last byte counts too."""
    ad, aead = message(TWO), combseal.AESGCM(bytes(16))
    sealed = aead.encrypt(bytes(12), b"x", ad)
    assert aead.decrypt(bytes(12), sealed, ad) == b"x"
    ad[-1] ^= 1
    with pytest.raises(combseal.InvalidTag):
        aead.decrypt(bytes(12), sealed, ad)


def test_stream(tmp_path):
    """One write and one read of more than 2 GiB."""
    data, path = message(TWO), tmp_path / "sealed"
    with combseal.create_sealed(path, bytes(32)) as out:
        assert out.write(data) == TWO and out.tell() == TWO
    of_data = digest(data)
    del data
    with combseal.open_sealed(path, bytes(32)) as file:
        assert len(file) == TWO
        file.seek(TWO - 10)
        end = file.read()
        file.seek(0)
        whole = file.readall()
    assert digest(whole) == of_data and whole[-10:] == end
    path.unlink()


def test_column_of_many_values():
    """Sixteen bytes become 37: the input has offsets of 32 bits and the output, of more than 2 GiB, has those of 64."""
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    numpy = pytest.importorskip("numpy", reason="needs numpy")
    count = (1 << 31) // 37 + 5
    values = numpy.arange(2 * count, dtype="u8")
    offsets = numpy.arange(0, 16 * count + 1, 16, dtype="i4")
    column = pa.Array.from_buffers(pa.binary(), count, [None, pa.py_buffer(offsets), pa.py_buffer(values)])
    tokens = Keyring(RING).tokens(domain="d")
    sealed = tokens.seal(column)
    assert sealed.type == pa.large_binary() and len(sealed) == count
    assert sealed.nbytes > 37 * count > 1 << 31
    for at in (0, count // 2, count - 5):
        assert sealed.slice(at, 5).to_pylist() == to_list(tokens.seal(column.slice(at, 5)))
    opened = tokens.open(sealed, as_type="binary")
    del sealed
    assert opened.type == pa.binary() and opened.equals(column)


def test_column_of_long_values():
    """Input and output of more than 2 GiB; opened as a type whose offsets do not reach, it gets the one that does."""
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    numpy = pytest.importorskip("numpy", reason="needs numpy")
    count, length = 2049, 1 << 20
    offsets = numpy.arange(0, count * length + 1, length, dtype="i8")
    column = pa.Array.from_buffers(pa.large_binary(), count, [None, pa.py_buffer(offsets), pa.py_buffer(message(count * length))])
    cells = Keyring(RING).sealed(domain="d")
    sealed = cells.seal(column)
    assert sealed.type == pa.large_binary() and sealed.nbytes > count * length > 1 << 31
    opened = cells.open(sealed, as_type="binary")
    del sealed
    assert opened.type == pa.large_binary() and opened.equals(column)


def test_column_as_text():
    """Base64 passes 2 GiB where the cells do not."""
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    numpy = pytest.importorskip("numpy", reason="needs numpy")
    count, length = 1700, 1 << 20
    offsets = numpy.arange(0, count * length + 1, length, dtype="i4")
    column = pa.Array.from_buffers(pa.binary(), count, [None, pa.py_buffer(offsets), pa.py_buffer(message(count * length))])
    tokens = Keyring(RING).tokens(domain="d", encode="base64url")
    sealed = tokens.seal(column)
    assert sealed.type == pa.large_string() and sealed.nbytes > 1 << 31
    opened = tokens.open(sealed, as_type="binary")
    del sealed
    assert opened.equals(column)
