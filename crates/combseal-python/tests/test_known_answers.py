"""Known answers through every class and every form."""

import json

import pytest
from shared import VECTORS

import combseal

# The file, the class, and what its keys are made with besides the key.
FILES = [
    *((f"ocb3_aes{bits}_tag{tag}", "AESOCB3", tag // 8) for bits in (128, 192, 256) for tag in (64, 96, 128)),
    ("ocb3_bottom_sweep", "AESOCB3", 16),
    ("ocb3_rfc7253_vectors", "AESOCB3", None),
    *((f"gcm_aes{bits}", "AESGCM", 16) for bits in (128, 192, 256)),
    *((f"gcm_siv_aes{bits}", "AESGCMSIV", 16) for bits in (128, 256)),
    *(
        (f"ccm_aes{bits}_tag{tag}_nonce{nonce}", "AESCCM", tag // 8)
        for bits in (128, 256)
        for tag, nonce in ((128, 12), (64, 13), (96, 7))
    ),
    *((f"eax_aes{bits}", "AESEAX", 16) for bits in (128, 256)),
    ("chacha20_poly1305", "ChaCha20Poly1305", 16),
    ("xchacha20_poly1305", "XChaCha20Poly1305", 16),
    ("aegis128l", "AEGIS128L", 16),
    ("aegis128l_tag256", "AEGIS128L", 32),
    ("aegis256", "AEGIS256", 16),
    ("aegis256_tag256", "AEGIS256", 32),
]
NONCES = {"AESOCB3": range(12, 16), "AESGCM": range(8, 129), "AESEAX": range(8, 129)}


def known(file):
    tests = json.loads((VECTORS / f"{file}.json").read_text())["tests"]
    for test in tests:
        yield {key: bytes.fromhex(value) if key in "key nonce ad msg ct tag".split() else value for key, value in test.items()}


def check(key, args, test):
    """One test, in every form. ``args`` are the nonce, if there is one, and the associated data."""
    *nonce, ad = args
    sealed = test["tag"] + test["ct"] if isinstance(key, combseal.AESSIV) else test["ct"] + test["tag"]
    message = test["msg"]
    # Some of the forgeries have lost a part of their tag.
    tag_len = len(key.encrypt(*nonce, b"", ad))
    there, back = bytearray(len(sealed)), bytearray(b"?" * max(0, len(sealed) - tag_len))
    if test.get("valid", True):
        assert key.encrypt(*nonce, message, ad) == sealed
        assert key.decrypt(*nonce, sealed, ad) == message
        assert key.encrypt_into(*nonce, message, ad, there) == len(sealed)
        assert there == sealed
        assert key.decrypt_into(*nonce, sealed, ad, back) == len(message)
        assert back == message
    else:
        with pytest.raises(combseal.InvalidTag):
            key.decrypt(*nonce, sealed, ad)
        with pytest.raises(combseal.InvalidTag):
            key.decrypt_into(*nonce, sealed, ad, back)
        assert back == bytes(len(back))


@pytest.mark.parametrize(("file", "name", "tag_len"), FILES)
def test_of_file(file, name, tag_len):
    cls, good, forged, left_out = getattr(combseal, name), 0, 0, 0
    for test in known(file):
        nonce, tag = test["nonce"], tag_len or test["taglen_bits"] // 8
        args = () if tag == 16 else (tag,)
        if len(nonce) not in NONCES.get(name, [len(nonce)]):
            left_out += 1
            with pytest.raises(ValueError, match="Nonce"):
                cls(test["key"], *args).encrypt(nonce, test["msg"], test["ad"])
            continue
        check(cls(test["key"], *args), (nonce, test["ad"]), test)
        good, forged = good + test.get("valid", True), forged + (not test.get("valid", True))
        if not test["ad"]:
            check(cls(test["key"], *args), (nonce, None), test)
    assert good >= 17
    # OCB3's file has nonces from one byte on; the class has pyca's lengths.
    assert not left_out or name in NONCES


@pytest.mark.parametrize("file", ["siv_cmac_256", "siv_cmac_512", "siv_cmac_multi"])
def test_of_siv(file):
    good = 0
    for test in known(file):
        ads = [bytes.fromhex(ad) for ad in test["ads"]] if "ads" in test else [test["ad"], test["nonce"]]
        key = combseal.AESSIV(test["key"])
        check(key, (ads,), test)
        check(key, (tuple(ads),), test)
        if not ads:
            check(key, (None,), test)
        good += 1
    assert good > 50


@pytest.mark.parametrize(("file", "name", "tag_len"), [file for file in FILES if file[2]])
def test_many(file, name, tag_len):
    """All messages of a file in one call under each key: the files have a key a test, so that
    every call has one message and its forgery."""
    cls = getattr(combseal, name)
    for test in list(known(file))[:40]:
        if len(test["nonce"]) not in NONCES.get(name, [len(test["nonce"])]) or not test.get("valid", True):
            continue
        key = cls(test["key"], *(() if tag_len == 16 else (tag_len,)))
        sealed = test["ct"] + test["tag"]
        bad = bytes([sealed[0] ^ 1]) + sealed[1:]
        assert key.encrypt_many([test["nonce"]], [test["msg"]], [test["ad"]]) == [sealed]
        assert key.decrypt_many([test["nonce"]] * 3, [sealed, bad, sealed], test["ad"], errors="none") == [
            test["msg"],
            None,
            test["msg"],
        ]
