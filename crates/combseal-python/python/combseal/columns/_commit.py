"""How a job of many tasks writes a folder of Parquet files, each of which may run not at all, once or several times.

Tasks write attempt files under names of their own into a hidden folder. Who runs the job takes, for each part, the one
attempt that was reported, moves it to its place, writes the manifest, and last of all ``_SUCCESS``. An attempt that
nobody reported is never published, so nothing is lost with a worker, and nothing comes twice.
"""

# Packages that may not be there, some of them without types.
# mypy: disable-error-code="import-untyped,import-not-found"
from __future__ import annotations

import hashlib
import json
import os
import time
import uuid
from collections.abc import Iterable
from typing import Any

from ._parquet import writer_options
from ._recipe import Recipe

#: The list of what was written.
MANIFEST = "_combseal_manifest.json"
#: The file that says that all of it was.
SUCCESS = "_SUCCESS"


class CommitError(ValueError):
    """The parts that were reported are not what was asked for; nothing was published."""


def _place(target: str) -> tuple[Any, str]:
    from pyarrow import fs

    if "://" in target:
        return fs.FileSystem.from_uri(target)
    return fs.LocalFileSystem(), os.path.abspath(target)


def begin(target: str | os.PathLike[str]) -> str:
    """Makes the folder, which must not exist or be empty, and in it the one for attempts. Returns the run's name."""
    from pyarrow import fs

    system, path = _place(os.fspath(target))
    if system.get_file_info(path).type != fs.FileType.NotFound:
        if system.get_file_info(fs.FileSelector(path, allow_not_found=True)):
            raise ValueError(f"{target} is not empty: a job writes to a folder of its own")
    run = f".combseal-{uuid.uuid4().hex[:12]}"
    system.create_dir(f"{path}/{run}", recursive=True)
    return run


def attempt(table: Any, part: int | None, target: str, run: str, recipe: Recipe, threads: int) -> dict[str, Any]:
    """Seals a table and writes it to an attempt file of this part. Returns what is reported of it: no row."""
    import pyarrow
    import pyarrow.parquet as parquet

    # The reference is resolved, and its check values compared, before any row is looked at.
    recipe.ciphers(threads)
    sealed = recipe.seal(table, threads=threads)
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(sealed, sink, **writer_options(sealed.schema.names, recipe.names))
    data = sink.getvalue()
    system, path = _place(target)
    name = f"part-{'x' if part is None else part}-{uuid.uuid4().hex}.parquet"
    with system.open_output_stream(f"{path}/{run}/{name}") as file:
        file.write(data)
    digest = hashlib.sha256(data).hexdigest()
    return {"part": part, "attempt": name, "rows_in": len(table), "rows": sealed.num_rows, "bytes": data.size, "sha256": digest}


def commit(
    target: str | os.PathLike[str], run: str, reported: Iterable[dict[str, Any]], recipe: Recipe, parts: int | None = None
) -> dict[str, Any]:
    """Publishes one attempt a part: moves it, writes the manifest, removes all other attempts, and writes ``_SUCCESS``.

    Raises :class:`CommitError` if a part is missing or has lost rows; the attempts then stay where they are.
    """
    system, path = _place(os.fspath(target))
    chosen: dict[Any, dict[str, Any]] = {}
    for entry in reported:
        chosen.setdefault(entry["attempt"] if entry["part"] is None else entry["part"], entry)
    entries = list(chosen.values())
    if parts is not None and sorted(chosen) != list(range(parts)):
        raise CommitError(f"{len(chosen)} of {parts} parts were reported")
    for number, entry in enumerate(entries):
        info = system.get_file_info(f"{path}/{run}/{entry['attempt']}")
        if entry["rows"] != entry["rows_in"] or not info.is_file or info.size != entry["bytes"]:
            raise CommitError(f"part {number} is not what was reported of it")
    if parts is not None:
        entries.sort(key=lambda entry: entry["part"])
    published = []
    for number, entry in enumerate(entries):
        name = f"part-{number:05}.parquet"
        system.move(f"{path}/{run}/{entry['attempt']}", f"{path}/{name}")
        published.append({"file": name, **{key: entry[key] for key in ("rows", "bytes", "sha256")}})
    manifest = {
        "combseal": "columns",
        "version": 1,
        "run": run,
        "written": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "rows": sum(entry["rows"] for entry in published),
        "columns": [
            {"name": name, "mode": mode, "domain": dict(options)["domain"], "key_id": dict(options)["key_id"]}
            for name, mode, options in recipe.columns
        ],
        "parts": published,
    }
    _write(system, f"{path}/{MANIFEST}", json.dumps(manifest, indent=1).encode())
    system.delete_dir(f"{path}/{run}")
    _write(system, f"{path}/{SUCCESS}", b"")
    return manifest


def _write(system: Any, path: str, data: bytes) -> None:
    with system.open_output_stream(path) as file:
        file.write(data)


def verify(target: str | os.PathLike[str]) -> dict[str, Any]:
    """Reads the manifest of a finished job and compares every part with its checksum and rows. Needs no key."""
    import pyarrow
    import pyarrow.parquet as parquet
    from pyarrow import fs

    system, path = _place(os.fspath(target))
    if not system.get_file_info(f"{path}/{SUCCESS}").is_file:
        raise CommitError(f"{target} has no {SUCCESS}: its job has not ended")
    with system.open_input_stream(f"{path}/{MANIFEST}") as file:
        manifest = json.loads(file.read())
    for part in manifest["parts"]:
        with system.open_input_stream(f"{path}/{part['file']}") as file:
            data = file.read()
        rows = parquet.read_metadata(pyarrow.BufferReader(data)).num_rows
        if hashlib.sha256(data).hexdigest() != part["sha256"] or rows != part["rows"]:
            raise CommitError(f"{part['file']} is not what the manifest says")
    found = system.get_file_info(fs.FileSelector(path))
    extra = {it.base_name for it in found if it.base_name.endswith(".parquet")} - {it["file"] for it in manifest["parts"]}
    if extra:
        raise CommitError(f"files that the manifest does not have: {', '.join(sorted(extra))}")
    return manifest
