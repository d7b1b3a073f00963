"""Columns of Arrow, sealed value by value: deterministic tokens that join, and randomised cells.

Needs no other package; takes and returns whatever exports Arrow's capsules. See ``docs/columns.md``, and
``docs/cluster.md`` for Dask and Ray.
"""

from __future__ import annotations

from .._native import ChunkedColumn, Column
from ._arrow import to_list, to_numpy, to_pandas, to_polars, to_pyarrow
from ._cipher import Sealed, Tokens
from ._commit import CommitError, verify
from ._errors import ColumnError, GuessableWarning, KeyMismatch, OpenError, UnknownKey
from ._keyring import Keyring, KeyRef
from ._parquet import open_parquet, rewrap_parquet, seal_parquet
from ._recipe import Recipe

__all__ = [
    "ChunkedColumn",
    "Column",
    "ColumnError",
    "CommitError",
    "GuessableWarning",
    "KeyMismatch",
    "KeyRef",
    "Keyring",
    "OpenError",
    "Recipe",
    "Sealed",
    "Tokens",
    "UnknownKey",
    "open_parquet",
    "rewrap_parquet",
    "seal_parquet",
    "to_list",
    "to_numpy",
    "to_pandas",
    "to_polars",
    "to_pyarrow",
    "verify",
]
