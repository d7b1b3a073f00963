"""Rings for the tests, with secrets that are known, so that a leak of them can be looked for."""

import base64
import json

import pytest

from combseal.columns import Keyring

#: The secret of the first key: looked for wherever it must not be.
CANARY = bytes(range(0xA0, 0xC0))
SECOND = bytes(range(0x20, 0x40))


def ring_text(states=("primary",), pins=None):
    secrets = [CANARY, SECOND]
    keys = [
        {"id": 0x01020304 + i, "state": state, "secret": base64.b64encode(secrets[i]).decode()}
        for i, state in enumerate(states)
    ]
    return json.dumps({"combseal": "keyring", "version": 1, "keys": keys, **({"pins": pins} if pins else {})})


@pytest.fixture
def ring_file(tmp_path):
    path = tmp_path / "ring.json"
    path.write_text(ring_text())
    return path


@pytest.fixture
def ring(ring_file):
    return Keyring.from_file(ring_file)
