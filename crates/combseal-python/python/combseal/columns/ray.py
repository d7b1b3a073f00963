"""Ray Datasets, sealed where they are read: only a :class:`Recipe` travels, which holds no key."""

# Packages that may not be there, some of them without types.
# mypy: disable-error-code="import-untyped,import-not-found"
from __future__ import annotations

import json
import os
from typing import Any

from . import _commit
from ._recipe import Recipe

__all__ = ["seal", "write_parquet"]


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
    folder = os.fspath(target)
    folder = folder if "://" in folder else os.path.abspath(folder)
    run = _commit.begin(folder)
    reports = dataset.map_batches(
        _task, batch_size=None, batch_format="pyarrow", zero_copy_batch=True,
        fn_kwargs={"target": folder, "run": run, "recipe": recipe, "threads": threads}, **options,
    )  # fmt: skip
    found = [json.loads(row["report"]) for row in reports.take_all()]
    return _commit.commit(folder, run, found, recipe)
