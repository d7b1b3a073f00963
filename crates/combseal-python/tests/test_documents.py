"""The examples in Python of the documents, run as they stand: what a page shows must work.

A page's blocks share their names, as a reader's session does. What a page leaves to its reader (his
messages, his table) stands here; so do the places of its files, which are the test's own folder.
"""

import importlib.util
import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]
PACKAGE = REPOSITORY / "crates/combseal-python"

pytestmark = pytest.mark.skipif(not (REPOSITORY / "docs").is_dir(), reason="the documents are not here")


def blocks(page):
    found = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert found, f"{page} has no examples any more"
    return found


def run(page, names, change=lambda block: block):
    for block in blocks(page):
        exec(compile(change(block), str(page), "exec"), names)
    return names


def needs(*packages):
    for package in packages:
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"needs {package}")


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_readme():
    needs("pandas", "pyarrow")
    stream_key = b"\x07" * 32
    names = run(
        PACKAGE / "README.md",
        {"nonces": [bytes([n]) * 12 for n in range(3)], "messages": [b"one", b"", b"three"], "stream_key": stream_key},
    )
    key, nonces = names["key"], names["nonces"]
    assert key.decrypt_many(nonces, names["sealed"], b"header") == names["messages"]
    emails = names["tokens"].open(names["people"]["email"])
    assert emails.dropna().tolist() == ["ann@example.org", "bob@example.org"] and emails.isna().tolist() == [False, True, False]
    assert names["people"]["notes"].tolist() != ["a", "b", "c"]
    ids = [names["people"]["id"]]
    assert names["cells"].open(names["people"]["notes"], bind=ids).tolist() == ["a", "b", "c"]


def test_python():
    import combseal

    names = {
        "key": combseal.AESGCM(bytes(16)),
        "nonces": [bytes([n]) * 12 for n in range(3)],
        "data": [b"one", b"", b"three"],
    }
    run(REPOSITORY / "docs/python.md", names)
    assert names["AESGCM"] is combseal.AESGCM
    assert names["opened"] == names["data"]


def test_columns():
    needs("pandas", "pyarrow")
    import pandas

    emails = pandas.Series(["ann@example.org", None, "ann@example.org"])
    notes = pandas.Series(["a", "b", "c"])
    names = {"emails": emails, "notes": notes, "patient_ids": pandas.Series([1, 2, 3])}
    run(REPOSITORY / "docs/columns.md", names)
    assert names["emails"].tolist() == emails.tolist()
    assert names["people"][0] == names["people"][2] != emails[0]
    assert names["box"].open(names["notes"], bind=[names["patient_ids"]]).tolist() == notes.tolist()


@pytest.mark.parametrize("engine", ["dask", "ray"])
def test_cluster(engine, tmp_path):
    needs("pandas", "pyarrow", engine)
    if engine == "dask":
        needs("dask.dataframe")
    import pandas
    from combseal.columns import Keyring

    Keyring.create(str(tmp_path / "ring.json"))
    table = pandas.DataFrame({"id": [1, 2], "email": ["ann@example.org", "bob@example.org"], "notes": ["a", "b"]})
    (tmp_path / "in").mkdir()
    table.to_parquet(tmp_path / "in/part.0.parquet")

    # The page shows one engine under the other: each line of the other goes.
    def one_engine(block):
        other = {"dask": "ray", "ray": "dask"}[engine]
        lines = [line for line in block.splitlines() if not re.match(rf"(import |combseal\.columns\.).*\b{other}\b", line.split("#")[0])]
        if engine == "ray":
            lines.append('combseal.columns.ray.open_parquet("s3://out/", "s3://back/", recipe)')
        block = "\n".join(lines).replace("/etc/keys/ring.json", str(tmp_path / "ring.json"))
        return re.sub(r"s3://(\w+)/", lambda it: str(tmp_path / it[1]), block)

    run(REPOSITORY / "docs/cluster.md", {}, one_engine)
    back = pandas.concat(pandas.read_parquet(it) for it in sorted((tmp_path / "back").rglob("*.parquet")))
    back = back.sort_values("id").reset_index(drop=True)
    assert back[["id", "email", "notes"]].equals(table), back
    out = pandas.concat(pandas.read_parquet(it) for it in sorted((tmp_path / "out").rglob("*.parquet")))
    assert not set(table["email"]) & set(out["email"])
