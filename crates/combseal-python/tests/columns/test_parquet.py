"""The command over Parquet: what comes out opens, and has nothing of the plaintext in it."""

import inspect
import subprocess
import sys

import pytest

from combseal.columns import Keyring, Recipe, open_parquet, seal_parquet
from combseal.columns.__main__ import main

from . import footer

pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")


@pytest.fixture
def source(tmp_path):
    table = pa.table({
        "id": list(range(5000)),
        "email": pa.array([None if i % 10 == 0 else f"MARKER{i % 700}@example.org" for i in range(5000)]),
        "notes": [f"MARKER note {i}" for i in range(5000)],
    })  # fmt: skip
    path = tmp_path / "in.parquet"
    parquet.write_table(table, path, row_group_size=1500)
    return path, table


def test_command(tmp_path, source, ring_file, capsys):
    path, table = source
    out, back = str(tmp_path / "out.parquet"), str(tmp_path / "back.parquet")
    columns = ["--token", "email=person.email", "--sealed", "notes", "--bind", "notes=id", "--keyring", str(ring_file)]
    assert b"MARKER" in path.read_bytes()
    assert main(["seal", str(path), out, *columns]) == 0
    assert "row group 4 of 4, 5000 rows" in capsys.readouterr().err
    data = open(out, "rb").read()
    assert b"MARKER" not in data and b"example.org" not in data
    file = parquet.ParquetFile(out)
    assert [file.metadata.row_group(i).num_rows for i in range(4)] == [1500, 1500, 1500, 500]
    for i in range(4):
        for j, sealed in enumerate((False, True, True)):
            column = file.metadata.row_group(i).column(j)
            assert column.is_stats_set != sealed
            assert any("DICTIONARY" in encoding for encoding in column.encodings) != sealed
    assert main(["seal", str(path), out, *columns]) == 1
    assert main(["open", out, back, "--quiet", *columns]) == 0
    assert parquet.read_table(back).equals(table)
    one = Recipe.of(Keyring.from_file(ring_file), tokens={"email": "person.email"}).seal(table)
    assert parquet.read_table(out).column("email").equals(one.column("email"))
    assert main(["keygen", str(ring_file), "--rotate"]) == 0
    moved, opened = str(tmp_path / "moved.parquet"), str(tmp_path / "opened.parquet")
    assert main(["rewrap", out, moved, "--quiet", *columns]) == 0
    assert main(["open", moved, opened, "--quiet", *columns]) == 0
    assert parquet.read_table(opened).equals(table)
    tokens = Keyring.from_file(ring_file).tokens(domain="person.email")
    assert list(tokens.usage(parquet.read_table(moved).column("email"))) == [tokens.key_id]


def test_what_the_footer_says(tmp_path, ring):
    """A sealed column has no statistics, page index, dictionary or Bloom filter, though the source had them all."""
    table = pa.table({name: [f"{name}{i % 50}" for i in range(2000)] for name in ("clear", "token", "sealed")})
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    blooms = "bloom_filter_options" in inspect.signature(parquet.write_table).parameters
    options = {"bloom_filter_options": {name: True for name in table.column_names}} if blooms else {}
    parquet.write_table(table, source, row_group_size=1000, write_page_index=True, **options)
    for group in footer.columns(source.read_bytes()):
        for chunk, column in group:
            assert {*footer.OFFSET_INDEX, *footer.COLUMN_INDEX} <= chunk.keys()
            assert {footer.DICTIONARY_PAGE, footer.STATISTICS} <= column.keys()
            assert blooms == (footer.BLOOM_FILTER[0] in column)
    seal_parquet(source, out, Recipe.of(ring, tokens={"token": "d"}, sealed={"sealed": "e"}))
    groups = footer.columns(out.read_bytes())
    assert len(groups) == 2
    for (_, clear), *others in groups:
        # The other column keeps what is useful of it, or this would see nothing.
        assert {footer.DICTIONARY_PAGE, footer.STATISTICS} <= clear.keys()
        assert len(others) == 2
        for chunk, column in others:
            assert not chunk.keys() & {*footer.OFFSET_INDEX, *footer.COLUMN_INDEX}
            assert not column.keys() & {footer.DICTIONARY_PAGE, footer.STATISTICS, *footer.BLOOM_FILTER}


def test_refusals(tmp_path, source, ring_file, capsys):
    path, _ = source
    out = tmp_path / "out.parquet"
    for columns in (["--token", "email"], ["--token", "nothing=d"], ["--bind", "id=email", "--token", "email=d"]):
        assert main(["seal", str(path), str(out), *columns, "--keyring", str(ring_file)]) == 1
        assert capsys.readouterr().err.startswith("combseal.columns: ")
        assert not out.exists()
    assert main(["seal", str(ring_file), str(out), "--token", "email=d", "--keyring", str(ring_file)]) == 1
    assert list(tmp_path.glob(".*")) == []


def test_named_twice(tmp_path, source, ring_file, capsys):
    path, _ = source
    out = tmp_path / "out.parquet"
    for columns in (["--token", "email=a", "--token", "email=b"], ["--sealed", "notes", "--sealed", "notes=b"],
                    ["--token", "email=a", "--sealed", "email"], ["--token", "email=a", "--type", "notes=string"]):  # fmt: skip
        assert main(["seal", str(path), str(out), *columns, "--keyring", str(ring_file)]) == 1
        assert "twice" in (said := capsys.readouterr().err) or "--type" in said
        assert not out.exists()
    assert main(["seal", str(path), str(out), "--sealed", "notes", "--type", "notes=string", "--quiet", "--keyring", str(ring_file)]) == 0
    assert parquet.read_schema(out).field("notes").metadata[b"combseal.domain"] == b"notes"


def test_appears_whole(tmp_path, source, ring):
    """Until the last row nothing has the target's name, and what took it meanwhile stays."""
    path, table = source
    out = tmp_path / "out.parquet"
    recipe = Recipe.of(ring, tokens={"email": "d"})
    seen = []

    def looks(done, groups, rows):
        seen.append(out.exists())

    assert seal_parquet(path, out, recipe, progress=looks, exclusive=True) == len(table)
    assert seen == [False] * 4
    with pytest.raises(FileExistsError):
        seal_parquet(path, out, recipe, progress=looks, exclusive=True)
    assert len(seen) == 4
    out.unlink()
    with pytest.raises(FileExistsError):
        seal_parquet(path, out, recipe, progress=lambda *_: out.write_bytes(b"of another"), exclusive=True)
    assert out.read_bytes() == b"of another"

    def fails(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        seal_parquet(path, out, recipe, progress=fails)
    assert out.read_bytes() == b"of another"
    assert seal_parquet(path, out, recipe) == len(table)
    assert sorted(it.name for it in tmp_path.iterdir()) == ["in.parquet", "out.parquet", "ring.json"]


def test_empty(tmp_path, ring):
    path = tmp_path / "in.parquet"
    table = pa.table({"email": pa.array([], pa.string())})
    parquet.write_table(table, path)
    recipe = Recipe.of(ring, tokens={"email": "d"})
    assert seal_parquet(path, tmp_path / "out", recipe) == 0
    assert open_parquet(tmp_path / "out", tmp_path / "back", recipe) == 0
    assert parquet.read_table(tmp_path / "back").equals(table)


def test_imports_nothing():
    code = "import sys, combseal.columns; print([m for m in ('pyarrow','numpy','pandas','polars','dask','ray') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
