"""Parquet files, a row group at a time: nothing of a sealed column's plaintext is left in the new file, neither in its
pages nor in statistics, dictionaries or Bloom filters."""

# Packages that may not be there, some of them without types.
# mypy: disable-error-code="import-untyped,import-not-found"
from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .._stream import _Target
from ._recipe import Recipe

Progress = Callable[[int, int, int], None]


def seal_parquet(
    source: str | os.PathLike[str], target: str | os.PathLike[str], recipe: Recipe, *, progress: Progress | None = None,
    threads: int | None = None, exclusive: bool = False,
) -> int:  # fmt: skip
    """Seals the recipe's columns of a Parquet file into another, and returns the number of rows.

    The new file appears under its name when it is whole, in place of what had that name; with ``exclusive`` there must be no
    file of that name, before and after. ``progress`` is called with row groups done, row groups in all, and
    rows done.
    """
    return _convert(source, target, recipe, recipe.seal, True, progress, threads, exclusive)


def open_parquet(
    source: str | os.PathLike[str], target: str | os.PathLike[str], recipe: Recipe, *, progress: Progress | None = None,
    threads: int | None = None, exclusive: bool = False,
) -> int:  # fmt: skip
    """Opens the recipe's columns of a Parquet file into another, and returns the number of rows."""
    return _convert(source, target, recipe, recipe.open, False, progress, threads, exclusive)


def rewrap_parquet(
    source: str | os.PathLike[str], target: str | os.PathLike[str], recipe: Recipe, *, progress: Progress | None = None,
    threads: int | None = None, exclusive: bool = False,
) -> int:  # fmt: skip
    """Puts all values of a Parquet file's sealed columns under the recipe's keys, and returns the number of rows."""
    return _convert(source, target, recipe, recipe.rewrap, True, progress, threads, exclusive)


def writer_options(names: list[str], sealed: list[str]) -> dict[str, Any]:
    """What a Parquet writer is told: statistics, dictionaries and compression of the other columns alone. What is sealed
    cannot be compressed."""
    clear = [name for name in names if name not in sealed]
    compression = {name: "NONE" if name in sealed else "ZSTD" for name in names}
    return {"write_statistics": clear or False, "use_dictionary": clear or False, "compression": compression}


@contextmanager
def _written(target: str, exclusive: bool) -> Iterator[Any]:
    """A new file beside the target that gets the target's name when all went well, and is gone when not."""
    part = _Target(target, exclusive)
    # With a buffer: an unbuffered file may take less than it is given, and pyarrow does not ask.
    file = io.BufferedWriter(part.open())
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.publish()
    except BaseException:
        part.remove()
        raise


def _convert(
    source: Any, target: Any, recipe: Recipe, work: Any, sealing: bool, progress: Progress | None, threads: int | None,
    exclusive: bool,
) -> int:  # fmt: skip
    import pyarrow.parquet as parquet

    recipe.ciphers(threads)
    rows = 0
    with parquet.ParquetFile(os.fspath(source)) as file, _written(os.fspath(target), exclusive) as part:
        groups, writer = file.num_row_groups, None
        try:
            for i in range(max(groups, 1)):
                table = file.read_row_group(i) if groups else file.schema_arrow.empty_table()
                made = work(table, threads=threads)
                if writer is None:
                    options = writer_options(made.schema.names, recipe.names) if sealing else {"compression": "zstd"}
                    writer = parquet.ParquetWriter(part, made.schema, **options)
                if made.num_rows:
                    writer.write_table(made, row_group_size=made.num_rows)
                rows += made.num_rows
                if progress:
                    progress(i + 1, max(groups, 1), rows)
        finally:
            if writer is not None:
                writer.close()
    return rows
