"""Many threads at once over one object: no crash, no wrong result, no nonce twice.

With the interpreter's lock they take turns as often as it lets them; without it (3.14t) they run beside each other, which
is what these tests are for.
"""

import gc
import os
import subprocess
import sys
import sysconfig
import threading

import pytest
from shared import Calls

import combseal
from combseal.columns import Keyring, to_list
from combseal.columns._arrow import build

FREE = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
KEY = bytes(range(32))
THREADS = 6
RING = {"combseal": "keyring", "version": 1, "keys": [{"id": 1, "state": "primary", "secret": "oKGio6SlpqeoqaqrrK2ur7CxsrO0tba3uLm6u7y9vr8"}]}


@pytest.fixture(autouse=True)
def often():
    """Threads that share the interpreter's lock pass it on as often as can be."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def together(*works):
    """Runs each on a thread of its own, all of them from one moment on, and raises what the first one to fail raises."""
    start, failed = threading.Barrier(len(works)), []

    def run(work):
        start.wait()
        try:
            work()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


@pytest.mark.skipif(not FREE, reason="of Pythons without the interpreter's lock; this one has it")
def test_the_lock_stays_away():
    """No module of ours brings it back."""
    code = (
        "import sys, combseal, combseal.aead, combseal.tink, combseal.columns\n"
        "combseal.AESOCB3(bytes(16)).encrypt(bytes(12), bytes(99), None)\n"
        "print(sys._is_gil_enabled())\n"
    )
    free = {name: value for name, value in os.environ.items() if name != "PYTHON_GIL"}
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], env=free, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_one_key(calls):
    """Every call of every class, each thread with memory of its own."""
    data = [bytes([i]) * n for i, n in enumerate((0, 3, 64, 1500, 20_000))]
    sealed = [calls.encrypt(it, b"ad") for it in data]
    head = [[calls.nonce] * len(data)] if calls.head else []

    def work():
        for _ in range(60):
            for one, two in zip(data, sealed, strict=True):
                assert calls.encrypt(bytearray(one), bytearray(b"ad")) == two
                assert calls.decrypt(memoryview(two), b"ad") == one
                buf = bytearray(len(two))
                assert calls.encrypt_into(one, b"ad", buf) == len(two) and buf == two
                back = bytearray(len(one))
                assert calls.decrypt_into(two, b"ad", back) == len(one) and back == one
                with pytest.raises(combseal.InvalidTag):
                    calls.decrypt(two, b"other")
            assert calls.key.decrypt_many(*head, sealed, calls.ad(b"ad")) == data

    together(*[work] * THREADS)


def test_sealer_and_opener():
    """No nonce twice; each message opens once, whoever comes with it first."""
    key = combseal.AESOCB3(bytes(16))
    sealer, opener = combseal.Sealer(key, b"pppp"), combseal.Opener(key, b"pppp")
    texts, packets, opened = [b"x" * 40, b"y" * 30_000], [], []
    each = 1_800 // THREADS

    def seal():
        buf = bytearray(56)
        for i in range(each):
            if i % 3 == 2:
                packets.append((sealer.seal_into(texts[0], b"ad", buf), bytes(buf)))
            else:
                packets.append(sealer.seal(texts[i % 2 if i % 50 == 1 else 0], b"ad"))

    together(*[seal] * THREADS)
    assert len({nonce for nonce, _ in packets}) == len(packets) == sealer.next_counter == each * THREADS
    late = []

    def open_all():
        for nonce, packet in packets:
            try:
                opened.append((nonce, opener.open(nonce, packet, b"ad")))
            except combseal.ReplayError:
                late.append(nonce)

    together(*[open_all] * 3)
    assert len(opened) == len({nonce for nonce, _ in opened}) == len(packets) and len(late) == 2 * len(packets)
    assert {text for _, text in opened} <= set(texts) and opener.forgeries == 0


def test_memory_that_changes(calls):
    """Data, associated data and destinations that other threads write to and try to make longer: what comes out may be torn,
    and then does not open, but has its length, and nothing else is touched."""
    length = 3_000
    tag = len(calls.encrypt(b""))
    shared, ad, out = bytearray(length), bytearray(50), bytearray(length + tag)
    lens = [len(shared), len(ad), len(out)]
    fence = bytes(calls.encrypt(b"fence"))
    ended = threading.Event()

    def change():
        number = 0
        while not ended.is_set():
            number += 1
            for one in (shared, ad, out):
                for at in range(0, 50, 7):
                    one[at] = number & 255

    def grow():
        while not ended.is_set():
            for one in (shared, ad, out):
                # While a call has the memory this is refused, else done and undone.
                try:
                    one.append(1)
                except BufferError:
                    continue
                while len(one) not in lens:
                    try:
                        del one[-1]
                    except BufferError:
                        pass

    def call():
        refused = (combseal.InvalidTag, ValueError, BufferError)
        for _ in range(200):
            sealed = calls.encrypt(shared, ad)
            assert tag + length <= len(sealed) <= tag + length + 1
            for work in (
                lambda sealed=sealed: calls.decrypt(sealed, ad),
                lambda: calls.encrypt_into(shared, ad, out),
                lambda sealed=sealed: calls.decrypt_into(sealed, ad, shared),
                lambda: calls.decrypt_into(out, ad, shared),
            ):
                try:
                    work()
                except refused:
                    pass
            assert calls.decrypt(fence) == b"fence"

    def calling():
        try:
            call()
        finally:
            ended.set()

    together(change, grow, calling, calling, calling)
    assert [len(shared), len(ad), len(out)] == lens
    # Nothing is lent any more.
    for one in (shared, ad, out):
        one.append(0)


def test_lists_that_change():
    """Lists of messages that other threads empty and fill meanwhile."""
    key, count = combseal.AESGCM(bytes(16)), 50
    wanted = key.encrypt(count.to_bytes(12, "big"), b"m", None)
    nonces, data = [], []
    ended = threading.Event()

    def change():
        while not ended.is_set():
            nonces[:] = [i.to_bytes(12, "big") for i in range(count + 1)]
            data[:] = [bytearray(b"m")] * (count + 1)
            data.clear()

    def call():
        try:
            for _ in range(1_000):
                try:
                    sealed = key.encrypt_many(nonces, data)
                except ValueError:
                    continue
                assert len(sealed) <= count + 1 and (len(sealed) <= count or sealed[count] == wanted)
        finally:
            ended.set()

    together(change, call, call)


RECORD = 64


def records(count):
    return [i.to_bytes(8, "big") * (RECORD // 8) for i in range(count)]


@pytest.mark.parametrize("threads", [1, 2])
def test_one_reader(tmp_path, threads):
    """Each read is one thread's: together they have every record once."""
    path, wanted = tmp_path / "sealed", records(20_000)
    with combseal.create_sealed(path, KEY, segment_length=4096) as out:
        out.write(b"".join(wanted))
    found = []
    with combseal.open_sealed(path, KEY, threads=threads) as stream:

        def work():
            while got := stream.read(RECORD):
                found.append(got)

        together(*[work] * THREADS)
        assert stream.tell() == len(stream)

        def jump():
            for i in range(200):
                stream.seek(i * RECORD)
                # Where that is another thread may say: a whole record, or the end.
                assert (got := stream.read(RECORD)) in whole or not got

        whole = set(wanted)
        together(*[jump] * THREADS)
    assert sorted(found) == wanted


def test_one_writer(tmp_path):
    """Each write is whole, and none is lost."""
    path, wanted = tmp_path / "sealed", records(THREADS * 2_000)
    with combseal.create_sealed(path, KEY, segment_length=4096) as out:

        def work(first):
            for i in range(first, len(wanted), THREADS):
                assert out.write(wanted[i]) == RECORD
                if i % 100 == 0:
                    out.flush()

        together(*[lambda first=first: work(first) for first in range(THREADS)])
        assert out.tell() == len(wanted) * RECORD
    with combseal.open_sealed(path, KEY) as stream:
        whole = stream.readall()
    assert sorted(whole[at : at + RECORD] for at in range(0, len(whole), RECORD)) == wanted


@pytest.mark.parametrize("mode", ["wb", "xb"])
def test_one_end(tmp_path, mode):
    """Threads that end a stream at once, while another writes: one ends it, and what was taken is in it."""
    for turn in range(25):
        path = tmp_path / f"sealed {turn}"
        out = combseal.create_sealed(path, KEY, segment_length=4096, mode=mode)
        out.write(b"a" * 20_000)
        taken = [20_000]

        def write(out=out, taken=taken):
            # So many at most: on one core a thread that writes without a pause may keep the others waiting long.
            try:
                for _ in range(500):
                    taken[0] += out.write(b"b" * 1_000)
            except ValueError:
                pass

        together(write, out.close, out.close, out.close)
        assert out.closed
        with combseal.open_sealed(path, KEY) as stream:
            assert stream.readall() == (b"a" * 20_000).ljust(taken[0], b"b")

        def read(stream):
            try:
                while stream.read(500):
                    pass
            except ValueError:
                pass

        stream = combseal.open_sealed(path, KEY)
        together(lambda stream=stream: read(stream), lambda stream=stream: read(stream), stream.close, stream.close)
    assert {it.name for it in tmp_path.iterdir()} == {f"sealed {turn}" for turn in range(25)}


def test_columns():
    """One cipher of a domain, and one column, over threads that themselves start some."""
    ring = Keyring(RING)
    tokens, cells = ring.tokens(domain="d", threads=2), ring.sealed(domain="d", threads=2)
    values = [f"value {i}" if i % 7 else None for i in range(20_000)]
    column = build(values)
    wanted = to_list(tokens.seal(column))
    sealed = tokens.seal(column)
    boxes = []

    def work():
        for _ in range(4):
            assert to_list(tokens.seal(column)) == wanted
            assert to_list(tokens.open(sealed, as_type="string")) == values
            box = cells.seal(column)
            boxes.append({cell[:25] for cell in to_list(box) if cell is not None})
            assert to_list(cells.open(box, as_type="string")) == values
            assert sum(tokens.usage(sealed).values()) == sum(value is not None for value in values)
            assert len(tokens.candidates("value 1")) == 1

    together(*[work] * 4)
    # Key and nonce of a cell stand in front of it: none comes twice, in any of the columns.
    assert len(set().union(*boxes)) == sum(map(len, boxes))


class Same:
    """An Arrow array that gives everybody the same two capsules."""

    def __init__(self, column):
        self.capsules = column.__arrow_c_array__()

    def __arrow_c_array__(self, requested_schema=None):
        return self.capsules


def test_one_capsule():
    """It is consumed once, though many threads have it; a second time it would be released twice."""
    tokens = Keyring(RING).tokens(domain="d", threads=1)
    values = [f"value {i}" for i in range(50)]
    wanted = to_list(tokens.seal(values))
    for _ in range(300):
        same, done = Same(build(values)), []

        def work(same=same, done=done):
            try:
                done.append(to_list(tokens.seal(same)))
            except ValueError:
                pass

        together(*[work] * THREADS)
        assert done in ([], [wanted])
    del same
    gc.collect()


def test_references_and_forgeries(tmp_path):
    """A ring is loaded once; what both libraries' exceptions are is one class."""
    path = tmp_path / "ring.json"
    ref = Keyring.create(path).reference()
    rings, kinds = [], []
    key = combseal.AESGCM(bytes(16))

    def work():
        rings.append(ref.resolve())
        for _ in range(50):
            try:
                key.decrypt(bytes(12), bytes(16), None)
            except combseal.InvalidTag as error:
                kinds.append(type(error))

    together(*[work] * THREADS)
    assert len(set(map(id, rings))) == 1 and len(kinds) == 50 * THREADS and len(set(kinds)) == 1


def test_keys_that_come_and_go():
    """Objects are made, used and dropped by other threads than those that made them."""
    places = [Calls(name) for name in ("AESOCB3", "AESGCM", "ChaCha20Poly1305", "AESSIV")]

    def work():
        for i in range(2_000):
            at = i % len(places)
            mine = places[at]
            places[at] = Calls(type(mine.key).__name__)
            assert mine.decrypt(mine.encrypt(b"text" * 10, b"ad"), b"ad") == b"text" * 10

    together(*[work] * THREADS)
