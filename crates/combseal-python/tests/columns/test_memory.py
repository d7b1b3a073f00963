"""Memory of a column that is sealed: the input, the output, and at most 64 MiB besides.

In a process of its own, whose peak is the system's own count, from the moment on at which the input is there.
"""

import os
import subprocess
import sys

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")
pytest.importorskip("numpy", reason="needs numpy")
pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="no /proc/self/clear_refs")

#: Prints by how many MiB the peak has grown, and how many the output has.
CODE = """
import sys

import numpy
import pyarrow

from combseal.columns import Keyring

mode, threads, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
data = numpy.full(16 * count, 7, "u1")
offsets = numpy.arange(0, 16 * count + 1, 16, dtype="i4")
column = pyarrow.Array.from_buffers(pyarrow.binary(), count, [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(data)])
secret = {"id": 1, "state": "primary", "secret": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}
ring = Keyring({"combseal": "keyring", "version": 1, "keys": [secret]})
options = {"domain": "d", "threads": threads}
cipher = ring.tokens(**options, allow_guessable=True) if mode == "tokens" else ring.sealed(**options)
cipher.seal(column.slice(0, 5000))


def memory(line):
    status = dict(row.split(":", 1) for row in open("/proc/self/status"))
    return int(status[line].split()[0]) // 1024


with open("/proc/self/clear_refs", "w") as file:
    file.write("5")
before = memory("VmRSS")
sealed = cipher.seal(column)
print(memory("VmHWM") - before, sealed.nbytes >> 20)
"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mode", ["tokens", "sealed"])
def test_of_sealing(mode, threads):
    run = [sys.executable, "-c", CODE, mode, str(threads), "4000000"]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    grown, output = map(int, done.stdout.split())
    # The output is counted, or this would see nothing.
    assert output > 140 and output - 32 <= grown <= output + 64
