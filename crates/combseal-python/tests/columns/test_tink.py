"""Exchange of tokens with Tink and with bare AES-SIV of pyca."""

import base64
import json

import pytest

from combseal.columns import Keyring, OpenError, to_list

tink = pytest.importorskip("tink", reason="needs tink")
from tink import cleartext_keyset_handle, daead  # noqa: E402

VALUES = [b"", b"a", b"person@example.org", bytes(100)]


@pytest.mark.parametrize("template", ["AES256_SIV", "RAW"])
def test_exchange(tmp_path, template):
    daead.register()
    from tink.proto import tink_pb2

    chosen = tink_pb2.KeyTemplate()
    chosen.CopyFrom(daead.deterministic_aead_key_templates.AES256_SIV)
    if template == "RAW":
        chosen.output_prefix_type = tink_pb2.RAW
    handle = tink.new_keyset_handle(chosen)
    path = tmp_path / "keyset.json"
    with open(path, "w") as file:
        cleartext_keyset_handle.write(tink.JsonKeysetWriter(file), handle)
    primitive = handle.primitive(daead.DeterministicAead)
    ring = Keyring.from_tink(path)
    for ad in (b"", b"context"):
        cipher = ring.tokens(domain="exchange", wire="tink", associated_data=ad)
        theirs = [primitive.encrypt_deterministically(value, ad) for value in VALUES]
        assert to_list(cipher.seal(VALUES)) == theirs
        assert to_list(cipher.open(theirs, as_type="binary")) == VALUES
        assert cipher.candidates(VALUES[1]) == theirs[1:2]
        with pytest.raises(OpenError):
            cipher.open([theirs[2][:-1] + b"x"], as_type="binary")
        with pytest.raises(ValueError):
            cipher.seal([1])


def test_bare():
    aessiv = pytest.importorskip("cryptography.hazmat.primitives.ciphers.aead", reason="needs cryptography").AESSIV
    key = bytes(range(64))
    entry = {"id": 5, "state": "primary", "secret": base64.b64encode(key).decode()}
    ring = Keyring({"combseal": "keyring", "version": 1, "keys": [entry]})
    for ad in (None, b"", b"context"):
        cipher = ring.tokens(domain="exchange", wire="siv", associated_data=ad)
        theirs = [aessiv(key).encrypt(value, None if ad is None else [ad]) for value in VALUES if value]
        assert to_list(cipher.seal(VALUES))[1:] == theirs
        assert to_list(cipher.open(cipher.seal(VALUES), as_type="binary")) == VALUES
    with pytest.raises(ValueError):
        ring.tokens(domain="exchange")
    assert json.dumps(ring.entries)
