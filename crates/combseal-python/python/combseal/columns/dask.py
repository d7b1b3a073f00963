"""Dask DataFrames, sealed and opened where they are read: only a :class:`Recipe` travels, which holds no key."""

# Packages that may not be there, some of them without types.
# mypy: disable-error-code="import-untyped,import-not-found"
from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from . import _arrow, _commit, _opening
from ._recipe import Recipe

__all__ = ["open", "open_parquet", "seal", "write_parquet"]


def _check(frame: Any, recipe: Recipe) -> None:
    if not isinstance(recipe, Recipe):
        raise TypeError("recipe is a Recipe")
    if not hasattr(frame, "map_partitions") or not hasattr(frame, "columns"):
        raise TypeError(f"{type(frame).__name__} is no Dask DataFrame")
    recipe._find(list(frame.columns))


def _preflight(recipe: Recipe) -> None:
    # Where a cluster is connected, every worker says at once whether it has the keys.
    try:
        from distributed import default_client

        client = default_client()
    except (ImportError, ValueError):
        recipe.ref.resolve()
        return
    client.run(_resolve, recipe)


def _resolve(recipe: Recipe) -> bool:
    recipe.ref.resolve()
    return True


def _seal(frame: Any, recipe: Recipe, threads: int) -> Any:
    return recipe.seal(frame, threads=threads)


def seal(frame: Any, recipe: Recipe, *, threads: int = 1) -> Any:
    """The frame with the recipe's columns sealed, lazily, in the tasks that make its partitions.

    Sealed columns have Arrow's binary type. What the frame says of their types holds for all of its partitions, those in
    which a column is all null too; object columns say nothing, and the recipe's ``as_type`` does. Nothing is computed here, and no key is loaded.
    """
    _check(frame, recipe)
    import pandas
    import pyarrow

    recipe = _typed(frame, recipe)
    text = {name for name, _, options in recipe.columns if dict(options).get("encode") == "base64url"}
    meta = frame._meta.assign(
        **{
            name: pandas.Series([], dtype="str" if name in text else pandas.ArrowDtype(_binary(recipe, name, pyarrow)))
            for name in recipe.names
        }
    )
    return frame.map_partitions(_seal, recipe, threads, meta=meta)


def _typed(frame: Any, recipe: Recipe) -> Recipe:
    # The types that the frame's own description has, for columns that the recipe has none of.
    import pyarrow

    types: dict[str, str] = {}
    for name in recipe.names:
        # It has no rows, so nothing of them can be quoted.
        kind = pyarrow.Array.from_pandas(frame._meta[name]).type
        found = None if pyarrow.types.is_null(kind) or pyarrow.types.is_dictionary(kind) else _arrow.format_of(kind)
        if found is not None:
            types[name] = found
    return recipe.typed(types)


def _binary(recipe: Recipe, name: str, pyarrow: Any) -> Any:
    # Text and bytes of 64-bit offsets leave as bytes of 64-bit offsets.
    return pyarrow.large_binary() if recipe.as_type(name) in ("U", "Z") else pyarrow.binary()


def _part(frame: Any, target: str, run: str, recipe: Recipe, threads: int, partition_info: Any = None) -> Any:
    import pandas
    import pyarrow

    number = (partition_info or {}).get("number")
    table = _arrow.quietly(_arrow.MIXED, lambda: pyarrow.Table.from_pandas(frame, preserve_index=False))
    report = _commit.attempt(table, number, target, run, recipe, threads)
    return pandas.DataFrame({"report": [json.dumps(report)]})


def write_parquet(
    frame: Any,
    target: str | os.PathLike[str],
    recipe: Recipe,
    *,
    threads: int = 1,
    compute: Callable[[Any], Any] | None = None,
    _task: Any = _part,
) -> dict[str, Any]:
    """Seals the frame and writes it to a folder of Parquet files, a file a partition, and returns the manifest.

    Each partition is sealed and written in the task that reads it, and of the types that the frame says it has, as by
    :func:`seal`. The folder must be empty or not be there; it is whole when
    it has ``_SUCCESS``. The frame's index is not written. ``compute`` takes the place of the frame's own ``compute``.
    """
    _check(frame, recipe)
    import pandas

    _preflight(recipe)
    recipe = _typed(frame, recipe)
    folder = _commit.everywhere(target)
    run = _commit.begin(folder)
    meta = pandas.DataFrame({"report": pandas.Series([], dtype="str")})
    reports = frame.map_partitions(_task, folder, run, recipe, threads, meta=meta)
    done = compute(reports) if compute else reports.compute()
    columns = _commit.sealed_columns(recipe)
    return _commit.commit(folder, run, map(json.loads, done["report"]), columns, frame.npartitions)


def _open(frame: Any, recipe: Recipe, threads: int) -> Any:
    return recipe.open(frame, threads=threads)


def open(frame: Any, recipe: Recipe, *, threads: int = 1) -> Any:
    """The frame with the recipe's columns opened, lazily, in the tasks that make its partitions.

    Frames say nothing of what was sealed: columns are opened as the recipe's ``as_type``, else as text. A partition with
    rows that are not authentic raises :class:`OpenError`, whose row numbers are the partition's. Nothing is computed here,
    and no key is loaded.
    """
    _check(frame, recipe)
    meta = frame._meta.assign(**{name: recipe.opened_like(name, frame._meta[name]) for name in recipe.names})
    return frame.map_partitions(_open, recipe, threads, meta=meta)


def _opened_part(number: int, source: _opening.Source, target: str, run: str, threads: int) -> Any:
    import pandas

    return pandas.DataFrame({"report": [json.dumps(_opening.attempt(source, number, target, run, threads))]})


def open_parquet(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    recipe: Recipe,
    *,
    threads: int = 1,
    compute: Callable[[Any], Any] | None = None,
    _task: Any = _opened_part,
) -> dict[str, Any]:
    """Opens a folder that :func:`write_parquet` or Ray's wrote, and writes another one, a file a part, and returns its manifest.

    The recipe's columns are opened, of the types that they had; others stay as they are. The source must have
    ``_SUCCESS``; its manifest says which columns of which domains it has, and the check values of their keys, which every
    worker compares with its ring before a row is looked at, and each part's checksum, which the task that reads it compares.
    If a row is not authentic :class:`OpenError` is raised and nothing is published. The target, and ``compute``, are as for
    :func:`write_parquet`.
    """
    found = _opening.find(source, recipe)
    import pandas
    from dask.dataframe import from_map

    _preflight(found.recipe)
    folder = _commit.everywhere(target)
    run = _commit.begin(folder)
    count, reported = len(found.parts), []
    if count:
        meta = pandas.DataFrame({"report": pandas.Series([], dtype="str")})
        reports = from_map(_task, range(count), args=(found, folder, run, threads), meta=meta)
        done = compute(reports) if compute else reports.compute()
        reported = [json.loads(report) for report in done["report"]]
    return _commit.commit(folder, run, reported, found.left, count, recipe.names)
