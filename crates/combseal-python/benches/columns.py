"""Tokens of many 16-byte strings: cycles a value on one core and on two, beside a Python loop over pyca's AESSIV.

    python benches/columns.py [--values 10000000] [--mhz MHZ]

``--mhz`` is the core's clock while it works, for cycles; without it only nanoseconds are shown. Medians of several runs.
"""

import argparse
import os
import statistics
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # NumPy's idle threads would keep the second core busy.

import numpy
import pyarrow

from combseal.columns import Keyring

SECRET = {"id": 1, "state": "primary", "secret": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}


def median(run, turns):
    times = []
    for _ in range(turns):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times), min(times), max(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--values", type=int, default=10_000_000)
    parser.add_argument("--turns", type=int, default=25)
    parser.add_argument("--mhz", type=float)
    options = parser.parse_args()
    count = options.values
    data = numpy.random.default_rng(1).bytes(16 * count)
    offsets = numpy.arange(0, 16 * count + 1, 16, dtype="i4")
    column = pyarrow.Array.from_buffers(pyarrow.binary(), count, [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(data)])
    ring = Keyring({"combseal": "keyring", "version": 1, "keys": [SECRET]})

    def show(name, run, turns=options.turns, values=count):
        middle, least, most = (it / values * 1e9 for it in median(run, turns))
        cycles = f"{middle * options.mhz / 1000:7.1f} cycles" if options.mhz else ""
        print(f"{name:44} {middle:8.2f} ns a value ({least:.2f} to {most:.2f}) {cycles}", flush=True)
        return middle

    def memory(line):
        status = dict(row.split(":", 1) for row in open("/proc/self/status"))
        return int(status[line].split()[0]) // 1024

    # The peak is counted from here on.
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = memory("VmRSS")
    for algorithm in ("AES-256-SIV", "AES-128-SIV"):
        ciphers = [ring.tokens(domain="d", algorithm=algorithm, threads=threads) for threads in (1, 2)]
        one = show(f"tokens, {algorithm}, one thread", lambda: ciphers[0].seal(column))
        if algorithm == "AES-256-SIV":
            out = count * 41 >> 20
            print(f"  peak memory grew by {memory('VmHWM') - before} MiB; the output has {out} MiB", flush=True)
        two = show(f"tokens, {algorithm}, two threads", lambda: ciphers[1].seal(column))
        print(f"  {one / two:.2f} times on two", flush=True)
        if algorithm == "AES-256-SIV":
            tokens, first = ciphers[0].seal(column), one
            show("opened, one thread", lambda: ciphers[0].open(tokens, as_type="binary"), 3)
    box = ring.sealed(domain="d", threads=1)
    cells = box.seal(column)
    show("sealed, OCB3-AES-256, one thread", lambda: box.seal(column), 3)
    show("opened, one thread", lambda: box.open(cells, as_type="binary"), 3)
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV
    except ImportError:
        return
    siv, few = AESSIV(bytes(64)), column.slice(0, 200_000).to_pylist()
    loop = show("a Python loop over pyca's AESSIV", lambda: [siv.encrypt(value, [b"d"]) for value in few], 3, len(few))
    print(f"  tokens() is {loop / first:.0f} times faster")


if __name__ == "__main__":
    main()
