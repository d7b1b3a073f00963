"""Ray Datasets, sealed and opened where they are read: only a :class:`Recipe` travels, which holds no key."""

# Packages that may not be there, some of them without types.
# mypy: disable-error-code="import-untyped,import-not-found"
from __future__ import annotations

import json
import os
from typing import Any

from . import _commit, _opening
from ._recipe import Recipe

__all__ = ["open", "open_parquet", "seal", "write_parquet"]


def _check(dataset: Any, recipe: Recipe) -> None:
    if not isinstance(recipe, Recipe):
        raise TypeError("recipe is a Recipe")
    if not hasattr(dataset, "map_batches"):
        raise TypeError(f"{type(dataset).__name__} is no Ray Dataset")


def _complete(dataset: Any) -> None:
    # A block that failed and is forgiven would be missing from what is published.
    from ray.data import DataContext

    for context in (getattr(dataset, "context", None), DataContext.get_current()):
        if getattr(context, "max_errored_blocks", 0) != 0:
            raise ValueError("max_errored_blocks is 0 for write_parquet: blocks that fail would be missing, and nobody told")


def _seal(table: Any, recipe: Recipe, threads: int) -> Any:
    return recipe.seal(table, threads=threads)


def seal(dataset: Any, recipe: Recipe, *, threads: int = 1, **options: Any) -> Any:
    """The dataset with the recipe's columns sealed, lazily, block by block, in tasks that Ray fuses with those that
    read. ``options`` are those of ``map_batches``, such as ``num_cpus``."""
    _check(dataset, recipe)
    return dataset.map_batches(
        _seal, batch_size=None, batch_format="pyarrow", zero_copy_batch=True,
        fn_kwargs={"recipe": recipe, "threads": threads}, **options,
    )  # fmt: skip


def _part(table: Any, target: str, run: str, recipe: Recipe, threads: int) -> Any:
    import pyarrow

    if not table.num_columns:
        return pyarrow.table({"report": pyarrow.array([], pyarrow.string())})
    report = _commit.attempt(table, None, target, run, recipe, threads)
    return pyarrow.table({"report": [json.dumps(report)]})


def write_parquet(
    dataset: Any, target: str | os.PathLike[str], recipe: Recipe, *, threads: int = 1, _task: Any = _part, **options: Any
) -> dict[str, Any]:
    """Seals the dataset and writes it to a folder of Parquet files, a file a block, and returns the manifest.

    Each block is sealed and written in the task that reads it. The folder must be empty or not be there; it is whole when it
    has ``_SUCCESS``. ``options`` are those of ``map_batches``. Refuses to work with ``DataContext.max_errored_blocks``.
    """
    _check(dataset, recipe)
    _complete(dataset)
    folder = _commit.everywhere(target)
    run = _commit.begin(folder)
    reports = dataset.map_batches(
        _task, batch_size=None, batch_format="pyarrow", zero_copy_batch=True,
        fn_kwargs={"target": folder, "run": run, "recipe": recipe, "threads": threads}, **options,
    )  # fmt: skip
    found = [json.loads(row["report"]) for row in reports.take_all()]
    return _commit.commit(folder, run, found, _commit.sealed_columns(recipe))


def _open(table: Any, recipe: Recipe, threads: int) -> Any:
    return recipe.open(table, threads=threads)


def open(dataset: Any, recipe: Recipe, *, threads: int = 1, **options: Any) -> Any:
    """The dataset with the recipe's columns opened, lazily, block by block, of the types that their metadata say, which Parquet
    files keep, else of the recipe's ``as_type``, else as text. ``options`` are those of ``map_batches``."""
    _check(dataset, recipe)
    return dataset.map_batches(
        _open, batch_size=None, batch_format="pyarrow", zero_copy_batch=True,
        fn_kwargs={"recipe": recipe, "threads": threads}, **options,
    )  # fmt: skip


def _opened_part(table: Any, source: _opening.Source, target: str, run: str, threads: int) -> Any:
    import pyarrow

    numbers = table.column("number").to_pylist() if table.num_columns else []
    reports = [json.dumps(_opening.attempt(source, number, target, run, threads)) for number in numbers]
    return pyarrow.table({"report": pyarrow.array(reports, pyarrow.string())})


def open_parquet(
    source: str | os.PathLike[str], target: str | os.PathLike[str], recipe: Recipe, *, threads: int = 1,
    _task: Any = _opened_part, **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Opens a folder that :func:`write_parquet` or Dask's wrote, and writes another one, a file a part, and returns its manifest.

    The recipe's columns are opened, of the types that they had; others stay as they are. The source must have
    ``_SUCCESS``; its manifest says which columns of which domains it has, and the check values of their keys, which each
    process compares with its ring before a row is looked at, and each part's checksum, which the task that reads it compares.
    If a row is not authentic the job fails and nothing is published. ``options`` are those of ``map_batches``.
    """
    found = _opening.find(source, recipe)
    import ray.data

    folder = _commit.everywhere(target)
    count, reported = len(found.parts), []
    numbers = ray.data.from_items([{"number": i} for i in range(count)], override_num_blocks=count) if count else None
    if numbers is not None:
        _complete(numbers)
    run = _commit.begin(folder)
    if numbers is not None:
        reports = numbers.map_batches(
            _task, batch_size=1, batch_format="pyarrow",
            fn_kwargs={"source": found, "target": folder, "run": run, "threads": threads}, **options,
        )  # fmt: skip
        reported = [json.loads(row["report"]) for row in reports.take_all()]
    return _commit.commit(folder, run, reported, found.left, count, recipe.names)
