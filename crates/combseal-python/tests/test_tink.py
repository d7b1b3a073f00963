"""Tink's streams, with Tink itself where it is installed."""

import io
import json
import os

import pytest
from shared import VECTORS

import combseal
from combseal import tink as ours


def known():
    return json.loads((VECTORS / "stream" / "tink.json").read_text())["tests"]


def test_known_streams():
    for test in known():
        keyset = test["keyset"] if isinstance(test["keyset"], str) else json.dumps(test["keyset"])
        ad = bytes.fromhex(test.get("context", test.get("ad", "")))
        with ours.open(io.BytesIO(bytes.fromhex(test["sealed"])), keyset, ad) as file:
            assert len(file.read()) == test["length"]


def keyset_of(test):
    return test["keyset"] if isinstance(test["keyset"], str) else json.dumps(test["keyset"])


def test_round_trip(tmp_path):
    keyset = keyset_of(known()[0])
    data = os.urandom(100_000)
    with ours.create(tmp_path / "sealed", keyset, b"ad") as out:
        out.write(data[:10])
        out.write(data[10:])
    assert ours.open(tmp_path / "sealed", keyset, b"ad").read() == data
    with pytest.raises(combseal.StreamError):
        ours.open(tmp_path / "sealed", keyset, b"other")
    for bad, kind in (("{}", ValueError), ("", ValueError), (b"\xff", ValueError), (5, TypeError), (None, TypeError)):
        with pytest.raises(kind):
            ours.open(tmp_path / "sealed", bad)
        with pytest.raises(kind):
            ours.create(tmp_path / "other", bad)
    assert [it.name for it in tmp_path.iterdir()] == ["sealed"]


def test_with_tink():
    theirs = pytest.importorskip("tink")
    streaming = pytest.importorskip("tink.streaming_aead")
    secret_key_access = pytest.importorskip("tink.secret_key_access")
    streaming.register()
    for template in (
        streaming.streaming_aead_key_templates.AES128_GCM_HKDF_4KB,
        streaming.streaming_aead_key_templates.AES256_GCM_HKDF_1MB,
    ):
        handle = theirs.new_keyset_handle(template)
        text = theirs.json_proto_keyset_format.serialize(handle, secret_key_access.TOKEN)
        primitive = handle.primitive(streaming.StreamingAead)
        for length in (0, 1, 4_000, 4_096, 100_000, 2_500_000):
            data = os.urandom(length)
            file = io.BytesIO()
            with primitive.new_encrypting_stream(Open(file), b"ad") as out:
                out.write(data)
            assert ours.open(io.BytesIO(file.getvalue()), text, b"ad").read() == data
            file = io.BytesIO()
            with ours.create(file, text, b"ad") as out:
                out.write(data)
            with primitive.new_decrypting_stream(io.BytesIO(file.getvalue()), b"ad") as back:
                assert back.read() == data


class Open(io.RawIOBase):
    """A file that Tink's writer closes, and whose bytes are there afterwards."""

    def __init__(self, file):
        self.file = file

    def writable(self):
        return True

    def write(self, data):
        return self.file.write(data)
