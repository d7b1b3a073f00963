"""`Sealer` and `Opener`."""

import copy
import os
import pickle
import threading

import pytest

import combseal
from shared import Calls


def pair(aead, **kwargs):
    prefix = b"p" * (len(aead.nonce) - 8)
    return combseal.Sealer(aead.key, prefix, **kwargs), combseal.Opener(aead.key, prefix), prefix


def test_counts(aead):
    sealer, opener, prefix = pair(aead)
    for i in range(70):
        nonce, sealed = sealer.seal(b"message %d" % i, b"header")
        assert nonce == prefix + i.to_bytes(8, "big")
        assert sealed == aead.key.encrypt(nonce, b"message %d" % i, b"header")
        assert opener.open(nonce, sealed, b"header") == b"message %d" % i
        with pytest.raises(combseal.ReplayError):
            opener.open(nonce, sealed, b"header")
    assert (sealer.next_counter, opener.highest, opener.forgeries) == (70, 69, 0)
    assert sealer.blocks_used > 140 and sealer.blocks_left > 0
    on, _, _ = pair(aead, next_counter=70, blocks_used=sealer.blocks_used)
    assert on.seal(b"x")[0] == prefix + (70).to_bytes(8, "big")


def test_forgeries_and_replays(aead):
    sealer, opener, prefix = pair(aead)
    nonce, sealed = sealer.seal(b"x" * 40)
    bad = bytes([sealed[0] ^ 1]) + sealed[1:]
    buf = bytearray(b"?" * 40)
    for data in (bad, sealed[:10]):
        with pytest.raises(combseal.InvalidTag):
            opener.open(nonce, data)
    with pytest.raises(combseal.InvalidTag):
        opener.open_into(nonce, bad, None, buf)
    assert buf == bytes(40)
    assert opener.forgeries == 2 and opener.highest is None
    # A forgery does not slide the window.
    assert opener.open_into(nonce, sealed, None, buf) == 40
    assert buf == b"x" * 40
    far = combseal.Sealer(aead.key, prefix, next_counter=5_000)
    opener.open(*far.seal(b"later"))
    with pytest.raises(combseal.ReplayError):
        opener.open(*combseal.Sealer(aead.key, prefix, next_counter=2_000).seal(b"late"))
    other = combseal.Sealer(aead.key, b"o" * len(prefix))
    with pytest.raises(ValueError, match="sender"):
        opener.open(*other.seal(b"x"))
    with pytest.raises(ValueError, match="Nonce"):
        opener.open(nonce + b"x", sealed)
    assert combseal.Opener(aead.key).open(nonce, sealed) == b"x" * 40


def test_into(aead):
    sealer, opener, _ = pair(aead)
    buf = bytearray(56)
    buf[:40] = b"m" * 40
    nonce = sealer.seal_into(memoryview(buf)[:40], b"ad", buf)
    assert buf == aead.key.encrypt(nonce, b"m" * 40, b"ad")
    with pytest.raises(ValueError, match="overlaps"):
        opener.open_into(nonce, buf, b"ad", memoryview(buf)[1:41])
    assert opener.open_into(nonce, buf, b"ad", memoryview(buf)[:40]) == 40
    with pytest.raises(ValueError, match="buffer must be"):
        sealer.seal_into(b"x", None, bytearray(5))
    assert sealer.next_counter == 1


def test_refusals(aead):
    for prefix in (b"p" * 25, b"p" * 33, b"p" * 200):
        with pytest.raises(ValueError, match="prefix|nonce"):
            combseal.Sealer(aead.key, prefix)
    good = b"p" * (len(aead.nonce) - 8)
    for bad in ("text", None, 5):
        with pytest.raises(TypeError):
            combseal.Sealer(aead.key, bad)
        with pytest.raises(TypeError):
            combseal.Sealer(bad, good)
        with pytest.raises(TypeError):
            combseal.Sealer(aead.key, good).seal(bad)
        with pytest.raises(TypeError):
            combseal.Sealer(aead.key, good, next_counter="1")
    for number in (-1, 1 << 70):
        with pytest.raises(ValueError):
            combseal.Sealer(aead.key, good, next_counter=number)
    with pytest.raises(TypeError):
        combseal.Sealer(Calls("AESSIV").key, b"p" * 8)
    with pytest.raises(ValueError, match="nothing more"):
        combseal.Sealer(combseal.AESGCM(bytes(16)), b"pppp", blocks_used=(1 << 63) - 1)


def test_nobody_copies_one(aead):
    for it in pair(aead)[:2]:
        for copied in (pickle.dumps, copy.copy, copy.deepcopy, lambda it: pickle.dumps(it, 0)):
            with pytest.raises(TypeError, match="cannot be pickled"):
                copied(it)


def test_threads():
    """No nonce twice, whoever calls."""
    calls = Calls("AESOCB3")
    sealer = combseal.Sealer(calls.key, b"pppp")
    data, nonces = [b"x" * 100, b"x" * 100_000], []

    def work():
        nonces.extend([sealer.seal(data[i % 2])[0] for i in range(300)])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(nonces)) == len(nonces) == sealer.next_counter == 2_400


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fork():
    """The child's sealer would use its parent's nonces."""
    calls = Calls("AESOCB3")
    sealer = combseal.Sealer(calls.key, b"pppp")
    child = os.fork()
    if child == 0:
        status = 1
        try:
            sealer.seal(b"x")
        except RuntimeError:
            status = 0 if combseal.Sealer(calls.key, b"cccc").seal(b"x") else 2
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert sealer.seal(b"x")
