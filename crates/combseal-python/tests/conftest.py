"""A key of every class."""

import pytest
from shared import AEADS, ALL, Calls


@pytest.fixture(params=[name for name, _, _ in ALL])
def calls(request):
    return Calls(request.param)


@pytest.fixture(params=[name for name, _, _ in AEADS])
def aead(request):
    return Calls(request.param)
