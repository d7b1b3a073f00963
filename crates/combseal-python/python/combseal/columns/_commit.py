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


def everywhere(folder: str | os.PathLike[str]) -> str:
    """The same place in every process: workers have working directories of their own."""
    path = os.fspath(folder)
    return path if "://" in path else os.path.abspath(path)


def place(target: str) -> tuple[Any, str]:
    from pyarrow import fs

    if "://" in target:
        return fs.FileSystem.from_uri(target)
    return fs.LocalFileSystem(), os.path.abspath(target)


def begin(target: str | os.PathLike[str]) -> str:
    """Makes the folder, which must not exist or be empty, and in it the one for attempts. Returns the run's name."""
    from pyarrow import fs

    system, path = place(os.fspath(target))
    if system.get_file_info(path).type != fs.FileType.NotFound:
        if system.get_file_info(fs.FileSelector(path, allow_not_found=True)):
            raise ValueError(f"{target} is not empty: a job writes to a folder of its own")
    run = f".combseal-{uuid.uuid4().hex[:12]}"
    system.create_dir(f"{path}/{run}", recursive=True)
    return run


def attempt(table: Any, part: int | None, target: str, run: str, recipe: Recipe, threads: int) -> dict[str, Any]:
    """Seals a table and writes it to an attempt file of this part. Returns what is reported of it: no row."""
    # The reference is resolved, and its check values compared, before any row is looked at.
    recipe.ciphers(threads)
    sealed = recipe.seal(table, threads=threads)
    return write(sealed, len(table), part, target, run, writer_options(sealed.schema.names, recipe.names))


def write(table: Any, rows_in: int, part: int | None, target: str, run: str, options: dict[str, Any]) -> dict[str, Any]:
    """Writes a table to an attempt file of this part, under a name that no other attempt has."""
    import pyarrow
    import pyarrow.parquet as parquet

    sink = pyarrow.BufferOutputStream()
    parquet.write_table(table, sink, **options)
    data = sink.getvalue()
    system, path = place(target)
    name = f"part-{'x' if part is None else part}-{uuid.uuid4().hex}.parquet"
    with system.open_output_stream(f"{path}/{run}/{name}") as file:
        file.write(data)
    digest = hashlib.sha256(data).hexdigest()
    return {"part": part, "attempt": name, "rows_in": rows_in, "rows": table.num_rows, "bytes": data.size, "sha256": digest}


def sealed_columns(recipe: Recipe) -> list[dict[str, Any]]:
    """What a manifest says of the columns that a recipe seals: names, domains and keys' check values, and no key."""
    checks = dict(recipe.ref.checks)
    return [
        {"name": name, "mode": mode, "domain": given["domain"], "key_id": given["key_id"], "check": checks[given["key_id"]]}
        for name, mode, given in ((name, mode, dict(options)) for name, mode, options in recipe.columns)
    ]


def commit(
    target: str | os.PathLike[str],
    run: str,
    reported: Iterable[dict[str, Any]],
    columns: Iterable[dict[str, Any]],
    parts: int | None = None,
    opened: Iterable[str] = (),
) -> dict[str, Any]:
    """Publishes one attempt a part: moves it, writes the manifest, removes all other attempts, and writes ``_SUCCESS``.

    The manifest has the ``columns`` that are sealed now, and the names of those that were ``opened``. Raises :class:`CommitError` if a part is missing or has lost rows; the attempts then stay where they are.
    """
    system, path = place(os.fspath(target))
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
    made = {
        "combseal": "columns",
        "version": 1,
        "run": run,
        "written": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "rows": sum(entry["rows"] for entry in published),
        "columns": list(columns),
        "opened": list(opened),
        "parts": published,
    }
    _write(system, f"{path}/{MANIFEST}", json.dumps(made, indent=1).encode())
    system.delete_dir(f"{path}/{run}")
    _write(system, f"{path}/{SUCCESS}", b"")
    return made


def _write(system: Any, path: str, data: bytes) -> None:
    with system.open_output_stream(path) as file:
        file.write(data)


def manifest(target: str | os.PathLike[str]) -> dict[str, Any]:
    """The manifest of a job that has ended. Raises :class:`CommitError` if there is none."""
    system, path = place(os.fspath(target))
    if not system.get_file_info(f"{path}/{SUCCESS}").is_file:
        raise CommitError(f"{target} has no {SUCCESS}: its job has not ended")
    with system.open_input_stream(f"{path}/{MANIFEST}") as file:
        text = file.read()
    try:
        found = json.loads(text)
        known = found["combseal"] == "columns" and found["version"] == 1
        # Anyone may have written it: the files of a job are in its folder.
        known = known and all(_is_part(part) for part in found["parts"]) and all(_is_column(it) for it in found["columns"])
    except (ValueError, TypeError, KeyError):
        known = False
    if not known:
        raise CommitError(f"{target} has no manifest of this version")
    return found


def _is_part(part: dict[str, Any]) -> bool:
    name = part["file"]
    plain = isinstance(name, str) and name.endswith(".parquet") and not set(name) & set("/\\:")
    return plain and isinstance(part["rows"], int) and isinstance(part["sha256"], str)


def _is_column(column: dict[str, Any]) -> bool:
    texts = all(isinstance(column[key], str) for key in ("name", "mode", "domain"))
    return texts and isinstance(column["key_id"], int) and isinstance(column.get("check"), str | None)


def verify(target: str | os.PathLike[str]) -> dict[str, Any]:
    """Reads the manifest of a finished job and compares every part with its checksum and rows. Needs no key."""
    import pyarrow
    import pyarrow.parquet as parquet
    from pyarrow import fs

    system, path = place(os.fspath(target))
    listed = manifest(target)
    for part in listed["parts"]:
        with system.open_input_stream(f"{path}/{part['file']}") as file:
            data = file.read()
        rows = parquet.read_metadata(pyarrow.BufferReader(data)).num_rows
        if hashlib.sha256(data).hexdigest() != part["sha256"] or rows != part["rows"]:
            raise CommitError(f"{part['file']} is not what the manifest says")
    found = system.get_file_info(fs.FileSelector(path))
    extra = {it.base_name for it in found if it.base_name.endswith(".parquet")} - {it["file"] for it in listed["parts"]}
    if extra:
        raise CommitError(f"files that the manifest does not have: {', '.join(sorted(extra))}")
    return listed
