"""Combseal's classes and pyca's, in turns: what one call takes.

    python crates/combseal-python/benches/against_pyca.py [seconds]

Each line is a scheme, a form and a length; the two libraries take turns in runs of about a
millisecond, so that whatever else the machine does hits both, and the medians of the runs are
printed with their quotient.
"""

import os
import statistics
import sys
import time

import combseal
import cryptography
from cryptography.hazmat.primitives.ciphers import aead as pyca

BYTES = 64, 1_500, 16_384, 1 << 20
# The class, its key's bytes, its nonce's.
SCHEMES = [
    ("AESOCB3", 16, 12),
    ("AESGCM", 16, 12),
    ("AESCCM", 16, 12),
    ("AESGCMSIV", 16, 12),
    ("AESSIV", 32, 0),
    ("ChaCha20Poly1305", 32, 12),
]


def forms(cls, key, nonce, data):
    """The calls to be measured, by name."""
    aead = cls(key)
    head = (nonce,) if nonce else ()
    ad = b"header" if nonce else [b"header"]
    sealed = aead.encrypt(*head, data, ad)
    there, back = bytearray(len(sealed)), bytearray(len(data))
    return {
        "encrypt": lambda: aead.encrypt(*head, data, ad),
        "decrypt": lambda: aead.decrypt(*head, sealed, ad),
        "encrypt_into": lambda: aead.encrypt_into(*head, data, ad, there),
        "decrypt_into": lambda: aead.decrypt_into(*head, sealed, ad, back),
    }


def run(call, times):
    """Nanoseconds a call."""
    start = time.perf_counter_ns()
    for _ in range(times):
        call()
    return (time.perf_counter_ns() - start) / times


def both(ours, theirs, seconds):
    """The medians of the two."""
    times = [max(1, int(1e6 / run(call, 3))) for call in (ours, theirs)]
    medians = [], []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(medians[0]) < 5:
        for call, n, all_of_it in zip((ours, theirs), times, medians, strict=True):
            all_of_it.append(run(call, n))
    return [statistics.median(one) for one in medians]


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.1
    print(f"combseal {combseal.__version__} ({combseal.backend()}), cryptography {cryptography.__version__}")
    print(f"{'class':17} {'form':13} {'bytes':>8} {'combseal ns':>12} {'pyca ns':>12} {'times':>6}")
    for name, key_len, nonce_len in SCHEMES:
        key, nonce = os.urandom(key_len), os.urandom(nonce_len)
        for length in BYTES:
            data = os.urandom(length)
            ours = forms(getattr(combseal, name), key, nonce, data)
            theirs = forms(getattr(pyca, name), key, nonce, data)
            for form in ours:
                a, b = both(ours[form], theirs[form], seconds)
                print(f"{name:17} {form:13} {length:8} {a:12.0f} {b:12.0f} {b / a:6.2f}")
    loop_and_batch(seconds)


def loop_and_batch(seconds):
    """Many short messages: one call of ours, a loop over pyca's."""
    for name in "AESOCB3", "AESGCM", "AESCCM", "ChaCha20Poly1305":
        key = os.urandom(32)
        ours, theirs = getattr(combseal, name)(key), getattr(pyca, name)(key)
        nonces = [i.to_bytes(12, "big") for i in range(1_000)]
        data = [os.urandom(64) for _ in nonces]

        def loop(encrypt=theirs.encrypt, nonces=nonces, data=data):
            return [encrypt(nonce, it, b"header") for nonce, it in zip(nonces, data, strict=True)]

        def many(encrypt=ours.encrypt_many, nonces=nonces, data=data):
            return encrypt(nonces, data, b"header")

        assert loop() == many()
        a, b = both(many, loop, seconds)
        print(f"{name:17} {'encrypt_many':13} {'64':>8} {a / 1_000:12.0f} {b / 1_000:12.0f} {b / a:6.2f}")


if __name__ == "__main__":
    main()
