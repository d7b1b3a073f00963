"""How a job of many tasks opens a folder of Parquet files that another job sealed: what its manifest says is compared with
the recipe and the ring before any row is looked at, each file with its checksum, and what comes out is committed as what is
sealed is."""

# Packages that may not be there, some of them without types.
# mypy: disable-error-code="import-untyped,import-not-found"
from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import Any

from . import _commit
from ._errors import KeyMismatch
from ._keyring import KeyRef
from ._parquet import writer_options
from ._recipe import Recipe


@dataclass(frozen=True)
class Source:
    """A sealed folder, and the recipe that opens it, whose reference asks for the keys that it was sealed with too."""

    folder: str
    parts: tuple[dict[str, Any], ...]
    recipe: Recipe
    #: The columns that stay sealed.
    left: tuple[dict[str, Any], ...]


def find(source: str | os.PathLike[str], recipe: Recipe) -> Source:
    """Reads the manifest of a job that has ended.

    Raises :class:`CommitError` if there is none; ``ValueError`` if a column of the recipe is not one that was sealed, or
    another domain's; :class:`KeyMismatch` if the recipe's key of a number is another than the one it was sealed with.
    """
    if not isinstance(recipe, Recipe):
        raise TypeError("recipe is a Recipe")
    folder = _commit.everywhere(source)
    manifest = _commit.manifest(folder)
    sealed = {column["name"]: column for column in manifest["columns"]}
    checks = dict(recipe.ref.checks)
    for name, mode, options in recipe.columns:
        column, domain = sealed.get(name), dict(options)["domain"]
        if column is None:
            raise ValueError(f"{name!r} is no column that is sealed in {folder}")
        if (column["mode"], column["domain"]) != (mode, domain):
            raise ValueError(f"{name!r} was sealed as {column['mode']} of {column['domain']!r}, not {mode} of {domain!r}")
        # Manifests did not always have it. Then a wrong key is found at the first row.
        check = column.get("check")
        if check is not None and checks.setdefault(column["key_id"], check) != check:
            raise KeyMismatch(f"{name!r} was sealed with another key {column['key_id']} than the recipe's")
    ref = KeyRef(recipe.ref.kind, recipe.ref.where, tuple(sorted(checks.items())))
    left = tuple(column for name, column in sealed.items() if name not in recipe.names)
    return Source(folder, tuple(manifest["parts"]), Recipe(ref, recipe.columns, recipe.bind, recipe.keep_metadata), left)


def attempt(source: Source, number: int, target: str, run: str, threads: int) -> dict[str, Any]:
    """Opens a part and writes it to an attempt file. Returns what is reported of it: no row."""
    import pyarrow
    import pyarrow.parquet as parquet

    # The reference is resolved, and its check values compared, before any row is looked at.
    source.recipe.ciphers(threads)
    part = source.parts[number]
    system, path = _commit.place(source.folder)
    with system.open_input_stream(f"{path}/{part['file']}") as file:
        data = file.read()
    if hashlib.sha256(data).hexdigest() != part["sha256"]:
        raise _commit.CommitError(f"{part['file']} is not what the manifest says")
    # Read as a file and not as a data set, so that the folder's name says nothing of columns.
    table = parquet.ParquetFile(pyarrow.BufferReader(data)).read()
    if len(table) != part["rows"]:
        raise _commit.CommitError(f"{part['file']} is not what the manifest says")
    opened = source.recipe.open(table, threads=threads)
    options = writer_options(opened.schema.names, [column["name"] for column in source.left])
    return _commit.write(opened, len(table), number, target, run, options)
