"""Every Arrow layout and producer: one value has one token wherever it lies, and bytes under nulls or outside of slices
are never touched."""

import datetime
import decimal
import pickle

import pytest

from combseal.columns import OpenError, to_list, to_numpy

pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
hypothesis = pytest.importorskip("hypothesis", reason="needs hypothesis")
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from combseal.columns import Keyring, Recipe  # noqa: E402

from .conftest import ring_text  # noqa: E402

RING = Keyring.from_provider(lambda: ring_text())
TOKENS, CELLS = RING.tokens(domain="d", threads=1), RING.sealed(domain="d", threads=2)
TEXTS = st.lists(st.none() | st.text(max_size=20) | st.just("x" * 300), max_size=60)


def layouts(values):
    yield pa.array(values, pa.string())
    yield pa.array(values, pa.large_string())
    yield pa.array(values, pa.string_view())
    binary = [None if value is None else value.encode() for value in values]
    yield pa.array(binary, pa.binary())
    yield pa.array(binary, pa.binary_view())
    yield pa.array(values, pa.string()).dictionary_encode()
    yield pa.chunked_array([values[:7], values[7:7], values[7:]], pa.string())
    # A slice from the middle, with garbage around it and under its nulls.
    array = pa.array(["garbage", *values, "more"], pa.string())
    yield array.slice(1, len(values))
    mask = pa.array([value is None for value in values], pa.bool_())
    filled = pa.array(["SECRET" if value is None else value for value in values], pa.string())
    bits = pa.array([value is not None for value in values], pa.bool_()).buffers()[1] if values else None
    yield pa.Array.from_buffers(pa.string(), len(values), [bits, *filled.buffers()[1:]], null_count=-1 if mask else 0)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS, st.integers(0, 10), st.integers(0, 60))
def test_layouts(values, start, length):
    wanted = to_list(TOKENS.seal(values))
    for array in layouts(values):
        tokens = TOKENS.seal(array)
        assert type(tokens).__module__.startswith("pyarrow")
        assert tokens.to_pylist() == wanted
        tokens.validate(full=True)
        assert b"SECRET" not in b"".join(bytes(b) for b in _buffers(tokens) if b)
        again = TOKENS.open(tokens.slice(start, length))
        again.validate(full=True)
        assert [str(v) for v in again.to_pylist()] == [str(v) for v in values[start : start + length]]
        cells = CELLS.seal(array.slice(start, length))
        assert not pa.types.is_dictionary(cells.type)
        assert [str(v) for v in CELLS.open(cells).to_pylist()] == [str(v) for v in values[start : start + length]]
        assert TOKENS.seal(array, bind=[array]).to_pylist() == to_list(TOKENS.seal(values, bind=[values]))


def _buffers(array):
    chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    for chunk in chunks:
        yield from (chunk.dictionary.buffers() if pa.types.is_dictionary(chunk.type) else chunk.buffers())


INTS = st.lists(st.none() | st.integers(-(2**31), 2**31 - 1), max_size=40)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(INTS)
def test_whole_numbers(values):
    wanted = to_list(TOKENS.seal(pa.array(values, pa.int64())))
    assert to_list(TOKENS.seal(pa.array(values, pa.int32()))) == wanted
    small = [None if value is None else abs(value) % 128 for value in values]
    one = to_list(TOKENS.seal(pa.array(small, pa.int64())))
    for kind in (pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.uint32(), pa.uint64()):
        tokens = TOKENS.seal(pa.array(small, kind))
        assert tokens.to_pylist() == one
        assert TOKENS.open(tokens, as_type=kind).to_pylist() == small


TYPES = [
    (pa.timestamp("s"), [datetime.datetime(1960, 1, 1), None]),
    (pa.timestamp("ns", "UTC"), [1, -1, None]),
    (pa.date32(), [datetime.date(1, 1, 1)]),
    (pa.date64(), [datetime.date(2026, 11, 23), None]),
    (pa.time32("ms"), [5]),
    (pa.time64("ns"), [86_399_999_999_999]),
    (pa.duration("us"), [-3, None]),
    (pa.decimal128(38, 3), [decimal.Decimal("-12345678901234567890123456789.001"), None]),
    (pa.decimal256(70, 3), [decimal.Decimal("1" * 60 + ".5"), decimal.Decimal("-1")]),
    (pa.decimal32(9, 3), [decimal.Decimal("-12.5")]),
    (pa.binary(3), [b"abc", None]),
    (pa.null(), [None, None]),
]


@pytest.mark.parametrize(("kind", "values"), TYPES, ids=[str(kind) for kind, _ in TYPES])
def test_types(kind, values):
    array = pa.array(values, kind)
    for cipher in (TOKENS, CELLS):
        assert cipher.open(cipher.seal(array), as_type=kind).equals(array)
        if kind != pa.null():
            with pytest.raises(OpenError):
                cipher.open(cipher.seal(pa.array([b"other"])), as_type=kind if kind != pa.binary(3) else "int8")


def test_moments_join():
    units = [pa.array([1_700_000_000 * 1000**i], pa.timestamp(unit)) for i, unit in enumerate(("s", "ms", "us", "ns"))]
    assert len({to_list(TOKENS.seal(array))[0] for array in units}) == 1
    zoned = pa.array([1_700_000_000], pa.timestamp("s", "UTC"))
    assert to_list(TOKENS.seal(zoned)) != to_list(TOKENS.seal(units[0]))


@pytest.mark.parametrize(("fine", "coarse"), [(pa.timestamp("ms"), pa.timestamp("s")), (pa.duration("us"), pa.duration("ms")),
                                               (pa.time64("us"), pa.time32("ms"))], ids=str)  # fmt: skip
def test_units_lose_nothing(fine, coarse):
    # What has no value in the coarser unit is no row of that type, rather than another value.
    for cipher in (TOKENS, CELLS):
        sealed = cipher.seal(pa.array([3000, None, 1500], fine))
        assert cipher.open(sealed, as_type=fine).equals(pa.array([3000, None, 1500], fine))
        opened, failed = cipher.open(sealed, as_type=coarse, on_error="null")
        assert opened.equals(pa.array([3, None, None], coarse)) and failed.to_pylist() == [False, False, True]
        with pytest.raises(OpenError):
            cipher.open(sealed, as_type=coarse)


def test_times_of_many_days():
    times = pa.array([0, 2**62], pa.int64()).view(pa.time64("us"))
    for cipher in (TOKENS, CELLS):
        with pytest.raises(ValueError, match="time of day"):
            cipher.seal(times)
        assert len(cipher.seal(times.slice(0, 1))) == 1


def test_refused_streams_are_not_read():
    read = []

    def batches():
        for i in range(3):
            read.append(i)
            yield pa.record_batch({"a": [i]})

    reader = pa.RecordBatchReader.from_batches(pa.schema([("a", pa.int64())]), batches())
    with pytest.raises(TypeError):
        TOKENS.seal(reader)
    assert not read


@pytest.mark.parametrize("array", [pa.array([[1]]), pa.array([{"a": 1}]), pa.table({"a": [1]}),
                                   pa.array([(1, 2, 3)], pa.month_day_nano_interval())], ids=str)  # fmt: skip
def test_refused_types(array):
    with pytest.raises((TypeError, ValueError)):
        TOKENS.seal(array)


def test_polars():
    pl = pytest.importorskip("polars", reason="needs polars")
    values = ["a", None, "", "a string too long for a view"]
    series = pl.Series("name", values)
    tokens = TOKENS.seal(series)
    assert tokens.name == "name" and tokens.to_list() == to_list(TOKENS.seal(values))
    assert TOKENS.open(tokens).to_list() == values and CELLS.open(CELLS.seal(series[1:3])).to_list() == values[1:3]
    assert TOKENS.seal(series.cast(pl.Categorical)).to_list() == tokens.to_list()


def test_pandas():
    pd = pytest.importorskip("pandas", reason="needs pandas")
    for series in (
        pd.Series(["a", None, float("nan"), ""], dtype=object, index=[5, 6, 7, 8], name="name"),
        pd.Series(["a", None, None, ""], dtype="string", index=[5, 6, 7, 8], name="name"),
        pd.Series(["a", None, None, ""], dtype=pd.ArrowDtype(pa.string()), index=[5, 6, 7, 8], name="name"),
        pd.Series(["a", None, None, ""], dtype="category", index=[5, 6, 7, 8], name="name"),
    ):
        tokens = TOKENS.seal(series)
        assert list(tokens.index) == [5, 6, 7, 8] and tokens.name == "name"
        found = [None if value is pd.NA else value for value in tokens]
        assert found == to_list(TOKENS.seal(["a", None, None, ""]))
        back = TOKENS.open(tokens)
        assert list(back.index) == [5, 6, 7, 8] and list(back.isna()) == [False, True, True, False] and back[5] == "a"


@pytest.mark.parametrize("name", ["nanoarrow", "arro3.core"])
def test_others(name):
    module = pytest.importorskip(name, reason=f"needs {name}")
    array = pa.array(["a", None, "bc"])
    for given_array in (array, array.slice(1)):
        other = module.Array.from_arrow(given_array) if name == "arro3.core" else module.Array(given_array)
        tokens = TOKENS.seal(other)
        assert to_list(tokens) == TOKENS.seal(given_array).to_pylist()
        back = module.Array.from_arrow(tokens) if name == "arro3.core" else module.Array(tokens)
        assert TOKENS.open(pa.array(back)).equals(given_array)


def test_numpy():
    np = pytest.importorskip("numpy", reason="needs numpy")
    for values, same in (
        (np.array(["a", "bc"]), ["a", "bc"]),
        (np.array([b"a", b"bc"]), [b"a", b"bc"]),
        (np.array(["a", None], dtype=object), ["a", None]),
        (np.array([1, -2], dtype="i4"), [1, -2]),
        (np.array([1, 2], dtype=">u2"), [1, 2]),
        (np.ma.array([1, 2], mask=[False, True]), [1, None]),
        (np.arange(10)[::3], [0, 3, 6, 9]),
    ):
        assert to_list(TOKENS.seal(values)) == to_list(TOKENS.seal(same))
    for dtype in ("datetime64[D]", "datetime64[ns]", "timedelta64[ms]", "?", "f8", "f4"):
        values = np.array([0, 1], dtype="i8").astype(dtype)
        kind = pa.array(values).type
        assert pa.array(CELLS.open(CELLS.seal(values))).equals(pa.array(values)), kind
    assert list(to_numpy(TOKENS.seal(["a\0"]))) == to_list(TOKENS.seal(["a\0"]))
    for bad in (np.zeros((2, 2)), np.array([1j]), np.array([object()])):
        with pytest.raises((TypeError, ValueError)):
            TOKENS.seal(bad)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(max_size=120), st.lists(st.integers(-5, 130), min_size=1, max_size=9), st.sampled_from("uzUZ"))
def test_any_offsets(data, offsets, letter):
    kind = {"u": pa.string(), "z": pa.binary(), "U": pa.large_string(), "Z": pa.large_binary()}[letter]
    # What a producer promises is that the data are as long as the last offset.
    data = data.ljust(max(0, offsets[-1]), b"\0")
    places = pa.array(offsets, pa.int32() if letter.islower() else pa.int64()).buffers()[1]
    try:
        array = pa.Array.from_buffers(kind, len(offsets) - 1, [None, places, pa.py_buffer(data)])
    except pa.ArrowInvalid:
        # pyarrow looks at the first offset and the last.
        return
    good = offsets == sorted(offsets) and offsets[0] >= 0
    for cipher in (TOKENS, CELLS):
        if good or len(offsets) == 1:
            assert len(cipher.seal(array)) == len(offsets) - 1
        else:
            with pytest.raises(ValueError):
                cipher.seal(array)
        if good:
            cipher.open(array, on_error="null")


def test_bad_indices():
    indices = pa.array([0, 5, None, -1], pa.int32())
    array = pa.DictionaryArray.from_arrays(indices, pa.array(["a"]), safe=False)
    with pytest.raises(ValueError):
        TOKENS.seal(array)


def test_dictionaries_show_rows_only():
    array = pa.DictionaryArray.from_arrays(pa.array([2, None, 0, 2], pa.int8()), pa.array(["a", "b", "c", "d"]))
    tokens = TOKENS.seal(array)
    tokens.validate(full=True)
    assert tokens.type.index_type == pa.int8()
    assert tokens.to_pylist() == to_list(TOKENS.seal(["c", None, "a", "c"]))
    # Neither tokens of "b" and "d", nor the order in which the dictionary was.
    assert tokens.dictionary.to_pylist() == to_list(TOKENS.seal(["c", "a"]))
    assert TOKENS.open(tokens).to_pylist() == ["c", None, "a", "c"]
    part = TOKENS.seal(array.slice(2, 1))
    assert part.dictionary.to_pylist() == part.to_pylist() == to_list(TOKENS.seal(["a"]))
    nothing = TOKENS.seal(array.slice(1, 1))
    assert len(nothing.dictionary) == 0 and nothing.to_pylist() == [None]
    chunks = TOKENS.seal(pa.chunked_array([array.slice(0, 2), array.slice(2)]))
    assert chunks.to_pylist() == tokens.to_pylist()


def test_metadata():
    table = pa.table({"n": pa.array([1, None], pa.int16()), "t": ["x", "y"]})
    ring = Keyring.from_provider("columns.conftest:ring_text")
    recipe = Recipe.of(ring, tokens={"n": "d"}, sealed={"t": {"domain": "d", "pad_to": 16}}, bind={"t": []})
    sealed = recipe.seal(table)
    assert recipe.open(sealed).equals(table)
    assert recipe.open(sealed.slice(1)).equals(table.slice(1))
    assert recipe.rewrap(sealed).equals(sealed.cast(recipe.rewrap(sealed).schema))
    other = Recipe.of(ring, tokens={"n": "other"})
    with pytest.raises(ValueError, match="domain"):
        other.open(sealed)


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_types_of_frames(package):
    """A frame has no metadata: what is not text opens as the recipe says."""
    module = pytest.importorskip(package, reason=f"needs {package}")
    ring = Keyring.from_provider("columns.conftest:ring_text")
    given = {"n": [1, 2, 3], "day": [datetime.date(2026, 11, 23)] * 3, "t": ["x", "y", "z"]}
    frame = module.DataFrame(given)
    typed = {"n": {"domain": "n", "as_type": "int64"}, "day": {"domain": "day", "as_type": pa.date32()}, "t": "t"}
    for recipe in (Recipe.of(ring, tokens=typed), Recipe.of(ring, sealed=typed)):
        opened = recipe.open(recipe.rewrap(recipe.seal(frame)))
        assert {name: list(opened[name]) for name in given} == given
    with pytest.raises(OpenError):
        Recipe.of(ring, tokens={"n": "n"}).open(Recipe.of(ring, tokens=typed).seal(frame))
    for wrong in ("no type", 7):
        with pytest.raises((TypeError, ValueError)):
            Recipe.of(ring, tokens={"n": {"domain": "n", "as_type": wrong}})


def test_type_of_nulls(tmp_path):
    """A part in which a column is all null is of the others' type."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    ring = Keyring.from_provider("columns.conftest:ring_text")
    recipe = Recipe.of(ring, tokens={"n": {"domain": "d", "as_type": "int64", "null_as_token": True}}, sealed={"t": {"domain": "t", "as_type": "string"}})
    tables = [pa.table({"n": [1, 2], "t": ["x", None]}), pa.table({"n": pa.nulls(2), "t": pa.nulls(2)}), pa.table({"n": [3.0], "t": ["y"]})]
    for i, table in enumerate(tables):
        parquet.write_table(recipe.seal(table), tmp_path / f"{i}.parquet")
    opened = recipe.open(parquet.read_table(tmp_path)).sort_by("n")
    assert opened.column("n").to_pylist() == [1, 2, 3, None, None]
    assert opened.column("t").to_pylist() == ["x", None, "y", None, None]
    for bad in ([1.5], ["ann@example.org"]):
        with pytest.raises(TypeError) as caught:
            recipe.seal(pa.table({"n": bad, "t": ["x"]}))
        assert "ann@" not in str(caught.value) and caught.value.__context__ is None


def test_exceptions_quote_nothing():
    """Exceptions are logged: of a column that has no type none of its values is said."""
    pd = pytest.importorskip("pandas", reason="needs pandas")
    ring = Keyring.from_provider("columns.conftest:ring_text")
    mixed = pd.Series([1, "ann@example.org"], dtype=object)
    for work in (
        lambda: TOKENS.seal(mixed),
        lambda: Recipe.of(ring, tokens={"a": "d"}).seal(pd.DataFrame({"a": mixed})),
        lambda: TOKENS.seal(["ann@example.org\ud800"]),
    ):
        with pytest.raises(TypeError) as caught:
            work()
        told = [caught.value.__cause__, caught.value.__context__]
        assert told == [None, None] and "ann@" not in str(caught.value)


def test_metadata_of_others():
    """What others wrote into a schema may tell of the plaintext, and need not be UTF-8."""
    ring = Keyring.from_provider("columns.conftest:ring_text")
    other = {b"\xff": b"\xfe labels", b"pandas": b"{}"}
    fields = [pa.field("a", pa.string(), metadata={b"\xff": b"\xfe"}), pa.field("b", pa.string(), metadata={b"\xff": b"\xfd"})]
    table = pa.table([["x"], ["y"]], schema=pa.schema(fields, metadata=other))
    recipe = Recipe.of(ring, tokens={"a": "d"})
    sealed = recipe.seal(table)
    assert sealed.schema.metadata is None and sealed.field("b").metadata == {b"\xff": b"\xfd"}
    assert all(key.startswith(b"combseal.") for key in sealed.field("a").metadata)
    keeping = Recipe.of(ring, tokens={"a": "d"}, keep_metadata=True)
    assert keeping != recipe and pickle.loads(pickle.dumps(keeping)) == keeping
    kept = keeping.seal(table)
    assert kept.schema.metadata == {b"\xff": b"\xfe labels"} and kept.field("a").metadata[b"\xff"] == b"\xfe"
    moved = keeping.rewrap(kept)
    assert moved.field("a").metadata == kept.field("a").metadata
    opened = keeping.open(moved)
    assert opened.field("a").metadata == {b"\xff": b"\xfe"} and opened.equals(table)
