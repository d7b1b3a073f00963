"""What the tests share: the classes and how each is called."""

import os
from pathlib import Path

import combseal

VECTORS = Path(__file__).resolve().parents[3] / "vectors"

# The class, its keys' bytes, its nonces' (the usual length first).
AEADS = [
    ("AESOCB3", (16, 24, 32), range(12, 16)),
    ("AESGCM", (16, 24, 32), (12, 8, 13, 16, 17, 60, 128)),
    ("AESCCM", (16, 24, 32), (12, 7, 8, 9, 10, 11, 13)),
    ("AESGCMSIV", (16, 32), (12,)),
    ("AESEAX", (16, 24, 32), (16, 8, 12, 17, 128)),
    ("ChaCha20Poly1305", (32,), (12,)),
    ("XChaCha20Poly1305", (32,), (24,)),
    ("AEGIS128L", (16,), (16,)),
    ("AEGIS256", (32,), (32,)),
]
SIV = ("AESSIV", (32, 48, 64), (0,))
ALL = [*AEADS, SIV]


class Calls:
    """A key, with nonce and associated data chosen, so that every class is called in one way."""

    def __init__(self, name, key_len=None, nonce_len=None, key=None):
        key_lens, nonce_lens = next((keys, nonces) for it, keys, nonces in ALL if it == name)
        self.cls = getattr(combseal, name)
        self.secret = key or os.urandom(key_len or key_lens[0])
        self.key = self.cls(self.secret)
        self.siv = name == "AESSIV"
        self.nonce = os.urandom(nonce_lens[0] if nonce_len is None else nonce_len)
        self.head = () if self.siv else (self.nonce,)

    def ad(self, ad):
        return [ad] if self.siv and ad is not None else ad

    def encrypt(self, data, ad=None):
        return self.key.encrypt(*self.head, data, self.ad(ad))

    def decrypt(self, data, ad=None):
        return self.key.decrypt(*self.head, data, self.ad(ad))

    def encrypt_into(self, data, ad, buf):
        return self.key.encrypt_into(*self.head, data, self.ad(ad), buf)

    def decrypt_into(self, data, ad, buf):
        return self.key.decrypt_into(*self.head, data, self.ad(ad), buf)
