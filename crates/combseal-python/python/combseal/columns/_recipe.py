"""Which columns of a table are sealed how. A recipe holds a reference to the keyring and no key, so it may be
pickled, logged and sent to other machines."""

# Packages that may not be there, some of them without types.
# mypy: disable-error-code="import-untyped,import-not-found"
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._cipher import Sealed, Tokens, _Cipher
from ._keyring import Keyring, KeyRef

Options = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Recipe:
    """Columns to be made into tokens, and columns to be sealed, under the keys of one ring.

    ``tokens`` and ``sealed`` map a column's name to its domain, or to a dict of the options of :meth:`Keyring.tokens` or
    :meth:`Keyring.sealed`, ``domain`` among them. ``bind`` maps a name to those of the columns that its values are bound to,
    which stay in clear. The keys that seal are those that the ring has now: they are named by number, so that all parts of a
    job are under the same ones though the ring is rotated meanwhile.
    """

    ref: KeyRef
    columns: tuple[tuple[str, str, Options], ...]
    bind: tuple[tuple[str, tuple[str, ...]], ...] = ()
    _local: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False, hash=False)

    @classmethod
    def of(
        cls,
        ring: Keyring,
        *,
        tokens: Mapping[str, str | Mapping[str, Any]] | None = None,
        sealed: Mapping[str, str | Mapping[str, Any]] | None = None,
        bind: Mapping[str, Sequence[str]] | None = None,
    ) -> Recipe:
        """The recipe for a ring that can be referred to."""
        columns = []
        for mode, wanted in (("tokens", tokens or {}), ("sealed", sealed or {})):
            for name, given in wanted.items():
                if not isinstance(name, str):
                    raise TypeError("the name of a column is str")
                options = {"domain": given} if isinstance(given, str) else dict(given)
                made = getattr(ring, mode)(**options)
                options["key_id"] = made.key_id
                columns.append((name, mode, tuple(sorted(options.items()))))
        names = [name for name, _, _ in columns]
        if not names or len(set(names)) != len(names):
            raise ValueError("a recipe has at least one column, and none twice")
        ties = tuple((name, tuple(others)) for name, others in (bind or {}).items())
        for name, others in ties:
            if name not in names or any(not isinstance(other, str) or other in names for other in others):
                raise ValueError("columns of the recipe are bound, to columns that are not of it")
        keys = sorted({dict(options)["key_id"] for _, _, options in columns})
        return cls(ring.reference(*keys), tuple(columns), ties)

    @property
    def names(self) -> list[str]:
        """The columns that it seals."""
        return [name for name, _, _ in self.columns]

    def ciphers(self, threads: int | None = None) -> dict[str, Tokens | Sealed]:
        """What seals each column. The ring is resolved, and compared with what it was, before anything else."""
        ring = self.ref.resolve()
        key = f"ciphers {threads}"
        if key not in self._local:
            made = {}
            for name, mode, options in self.columns:
                given = dict(options)
                if threads is not None:
                    given["threads"] = threads
                made[name] = getattr(ring, mode)(**given)
            self._local[key] = made
        return self._local[key]

    def ties(self, name: str) -> tuple[str, ...]:
        """The columns that one is bound to."""
        return dict(self.bind).get(name, ())

    def seal(self, table: Any, *, threads: int | None = None) -> Any:
        """A table of ``pyarrow``, ``pandas`` or ``polars`` with its columns sealed, of the same kind."""
        return self._each("seal", table, self.ciphers(threads))

    def open(self, table: Any, *, threads: int | None = None) -> Any:
        """The same table opened."""
        return self._each("open", table, self.ciphers(threads))

    def rewrap(self, table: Any, *, threads: int | None = None) -> Any:
        """The same table with every value under the recipe's keys."""
        return self._each("rewrap", table, self.ciphers(threads))

    def _each(self, work: str, table: Any, ciphers: Mapping[str, _Cipher]) -> Any:
        package, kind = type(table).__module__.split(".")[0], type(table).__name__
        if kind == "DataFrame" and package in ("pandas", "polars"):
            self._find(list(table.columns))
            made = {
                name: getattr(it, work)(table[name], bind=[table[tie] for tie in self.ties(name)])
                for name, it in ciphers.items()
            }
            return table.assign(**made) if package == "pandas" else table.with_columns(**made)
        if package == "pyarrow" and kind in ("Table", "RecordBatch") or hasattr(table, "__arrow_c_stream__"):
            return self._arrow_table(work, table, ciphers)
        raise TypeError(f"{kind} is no table of pyarrow, pandas or polars")

    def _arrow_table(self, work: str, table: Any, ciphers: Mapping[str, _Cipher]) -> Any:
        import pyarrow

        if not isinstance(table, pyarrow.Table | pyarrow.RecordBatch):
            table = pyarrow.table(table)
        self._find(table.schema.names)
        made = table
        for name, cipher in ciphers.items():
            field, column = table.schema.field(name), table.column(name)
            known = {k.decode(): v.decode(errors="replace") for k, v in (field.metadata or {}).items()}
            ties = [table.column(tie) for tie in self.ties(name)]
            if work == "seal":
                result = cipher._seal(column, ties)
            else:
                run = cipher._open if work == "open" else cipher._rewrap
                result = run(column, ties, lambda it: it, None, "raise", known.items())
            if isinstance(table, pyarrow.RecordBatch):
                array = pyarrow.array(result)
            else:
                array = pyarrow.chunked_array(result)
            kept = {key: value for key, value in known.items() if work == "rewrap" or not key.startswith("combseal.")}
            new = pyarrow.field(name, array.type, metadata={**kept, **result.metadata} or None)
            made = made.set_column(made.schema.get_field_index(name), new, array)
        meta = {key: value for key, value in (made.schema.metadata or {}).items() if key != b"pandas"}
        return made.replace_schema_metadata(meta or None)

    def _find(self, names: Sequence[Any]) -> None:
        wanted = [*self.names, *(tie for _, ties in self.bind for tie in ties)]
        missing = [name for name in wanted if names.count(name) != 1]
        if missing:
            raise ValueError(f"the table does not have these columns just once: {', '.join(missing)}")

    def __getstate__(self) -> dict[str, Any]:
        return {"ref": self.ref, "columns": self.columns, "bind": self.bind}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in {**state, "_local": {}}.items():
            object.__setattr__(self, name, value)

    def __dask_tokenize__(self) -> tuple[object, ...]:
        return ("combseal.Recipe", self.ref.__dask_tokenize__(), self.columns, self.bind)
