"""Which columns of a table are sealed how. A recipe holds a reference to the keyring and no key, so it may be
pickled, logged and sent to other machines."""

# Packages that may not be there, some of them without types.
# mypy: disable-error-code="import-untyped,import-not-found"
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import _arrow
from ._cipher import Sealed, Tokens, _Cipher
from ._keyring import Keyring, KeyRef, new_ring

def _empty(cipher: _Cipher, wanted: str) -> Any:
    # A column of no rows opens as one of the type, so that format strings need not be read here.
    return cipher._open(_arrow.build([]), None, lambda it: it, wanted, "raise")


Options = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Recipe:
    """Columns to be made into tokens, and columns to be sealed, under the keys of one ring.

    ``tokens`` and ``sealed`` map a column's name to its domain, or to a dict of the options of :meth:`Keyring.tokens` or
    :meth:`Keyring.sealed`, ``domain`` among them, and ``as_type``: the type that the column is made before it is sealed, and
    that it is opened as, whatever its metadata say. Frames of pandas and Polars have no metadata: all but text opens by
    ``as_type`` alone. It also gives parts of a job in which a column is all null the type of the others. ``bind`` maps a name to those of the columns that its values are bound to,
    which stay in clear. The keys that seal are those that the ring has now: they are named by number, so that all parts of a
    job are under the same ones though the ring is rotated meanwhile.

    A sealed table has no metadata of its own and of its sealed columns but those of combseal, since others may tell of the
    plaintext (labels, extents, statistics), unless ``keep_metadata``. Those of columns in clear are kept.
    """

    ref: KeyRef
    columns: tuple[tuple[str, str, Options], ...]
    bind: tuple[tuple[str, tuple[str, ...]], ...] = ()
    keep_metadata: bool = False
    _local: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False, hash=False)

    @classmethod
    def of(
        cls,
        ring: Keyring,
        *,
        tokens: Mapping[str, str | Mapping[str, Any]] | None = None,
        sealed: Mapping[str, str | Mapping[str, Any]] | None = None,
        bind: Mapping[str, Sequence[str]] | None = None,
        keep_metadata: bool = False,
    ) -> Recipe:
        """The recipe for a ring that can be referred to."""
        if not isinstance(keep_metadata, bool):
            raise TypeError("keep_metadata is a bool")
        columns = []
        for mode, wanted in (("tokens", tokens or {}), ("sealed", sealed or {})):
            for name, given in wanted.items():
                if not isinstance(name, str):
                    raise TypeError("the name of a column is str")
                options = {"domain": given} if isinstance(given, str) else dict(given)
                as_type = _arrow.format_of(options.pop("as_type", None))
                made = getattr(ring, mode)(**options)
                if as_type is not None:
                    # Refuses what is no type, or none of these cells.
                    _empty(made, as_type)
                    options["as_type"] = as_type
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
        return cls(ring.reference(*keys), tuple(columns), ties, keep_metadata)

    def typed(self, types: Mapping[str, str]) -> Recipe:
        """The same recipe, with these Arrow format strings as the types of columns that have none yet."""
        columns = tuple(
            (name, mode, tuple(sorted({"as_type": types[name], **dict(options)}.items())) if name in types else options)
            for name, mode, options in self.columns
        )
        return Recipe(self.ref, columns, self.bind, self.keep_metadata)

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
                given = {key: value for key, value in options if key != "as_type"}
                if threads is not None:
                    given["threads"] = threads
                made[name] = getattr(ring, mode)(**given)
            self._local[key] = made
        return self._local[key]

    def as_type(self, name: str) -> str | None:
        """The Arrow format string of the type that the recipe says that one has."""
        return next((dict(options).get("as_type") for it, _, options in self.columns if it == name), None)

    def opened_like(self, name: str, column: Any) -> Any:
        """A Series without rows of the type that this column of a frame opens as. It needs no key: a new one is as good."""
        made = Keyring(new_ring()).tokens(domain="of any name")
        return _arrow.to_series(_empty(made, self.as_type(name) or "u"), column)

    def ties(self, name: str) -> tuple[str, ...]:
        """The columns that one is bound to."""
        return dict(self.bind).get(name, ())

    def seal(self, table: Any, *, threads: int | None = None) -> Any:
        """A table of ``pyarrow``, ``pandas`` or ``polars`` with its columns sealed, of the same kind."""
        return self._each("seal", table, self.ciphers(threads))

    def open(self, table: Any, *, threads: int | None = None) -> Any:
        """The same table opened. A frame of pandas or Polars holds no types of sealed columns: text is opened, and all else as
        the recipe's ``as_type`` says, without which its rows are not authentic."""
        return self._each("open", table, self.ciphers(threads))

    def rewrap(self, table: Any, *, threads: int | None = None) -> Any:
        """The same table with every value under the recipe's keys."""
        return self._each("rewrap", table, self.ciphers(threads))

    def _each(self, work: str, table: Any, ciphers: Mapping[str, _Cipher]) -> Any:
        package, kind = type(table).__module__.split(".")[0], type(table).__name__
        if kind == "DataFrame" and package in ("pandas", "polars"):
            self._find(list(table.columns))
            made = {
                name: self._column(work, it, name, table[name], [table[tie] for tie in self.ties(name)])
                for name, it in ciphers.items()
            }
            return table.assign(**made) if package == "pandas" else table.with_columns(**made)
        if package == "pyarrow" and kind in ("Table", "RecordBatch") or hasattr(table, "__arrow_c_stream__"):
            return self._arrow_table(work, table, ciphers)
        raise TypeError(f"{kind} is no table of pyarrow, pandas or polars")

    def _column(self, work: str, cipher: _Cipher, name: str, column: Any, ties: list[Any]) -> Any:
        if work != "seal":
            return getattr(cipher, work)(column, bind=ties, as_type=self.as_type(name))
        arrow, back = _arrow.coerce(column)
        return back(cipher._seal(self._cast(name, cipher, arrow), ties))

    def _cast(self, name: str, cipher: _Cipher, arrow: Any) -> Any:
        wanted = self.as_type(name)
        if wanted is None:
            return arrow
        import pyarrow

        return _arrow.cast(arrow, pyarrow.array(_empty(cipher, wanted)).type)

    def _arrow_table(self, work: str, table: Any, ciphers: Mapping[str, _Cipher]) -> Any:
        import pyarrow

        if not isinstance(table, pyarrow.Table | pyarrow.RecordBatch):
            table = pyarrow.table(table)
        self._find(table.schema.names)
        made = table
        for name, cipher in ciphers.items():
            field, column = table.schema.field(name), table.column(name)
            own: dict[bytes, bytes] = field.metadata or {}
            ours = {key: value for key, value in own.items() if key.startswith(b"combseal.")}
            known = {key.decode(errors="replace"): value.decode(errors="replace") for key, value in ours.items()}
            ties = [table.column(tie) for tie in self.ties(name)]
            if work == "seal":
                result = cipher._seal(self._cast(name, cipher, column), ties)
            else:
                run = cipher._open if work == "open" else cipher._rewrap
                result = run(column, ties, lambda it: it, self.as_type(name), "raise", known.items())
            if isinstance(table, pyarrow.RecordBatch):
                array = pyarrow.array(result)
            else:
                array = pyarrow.chunked_array(result)
            # Bytes throughout: what others wrote need not be UTF-8.
            kept = {key: value for key, value in own.items() if work == "rewrap" or key not in ours}
            if work == "seal" and not self.keep_metadata:
                kept = {}
            added = {key.encode(): value.encode() for key, value in result.metadata.items()}
            new = pyarrow.field(name, array.type, metadata={**kept, **added} or None)
            made = made.set_column(made.schema.get_field_index(name), new, array)
        keep = work != "seal" or self.keep_metadata
        meta = {key: value for key, value in (made.schema.metadata or {}).items() if keep and key != b"pandas"}
        return made.replace_schema_metadata(meta or None)

    def _find(self, names: Sequence[Any]) -> None:
        wanted = [*self.names, *(tie for _, ties in self.bind for tie in ties)]
        missing = [name for name in wanted if names.count(name) != 1]
        if missing:
            raise ValueError(f"the table does not have these columns just once: {', '.join(missing)}")

    def __getstate__(self) -> dict[str, Any]:
        return {"ref": self.ref, "columns": self.columns, "bind": self.bind, "keep_metadata": self.keep_metadata}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in {**state, "_local": {}}.items():
            object.__setattr__(self, name, value)

    def __dask_tokenize__(self) -> tuple[object, ...]:
        return ("combseal.Recipe", self.ref.__dask_tokenize__(), self.columns, self.bind, self.keep_metadata)
