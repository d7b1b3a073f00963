"""Dask and Ray on two local workers: tokens as on one machine, what was sealed opened again, no key anywhere but in the workers' memory, and a worker that
is killed after it wrote loses nothing and duplicates nothing.

Ray's takes half a minute, and runs only where ``COMBSEAL_TEST_RAY=1`` asks for it.
"""

import base64
import hashlib
import json
import os
import pickle
from pathlib import Path

import pytest

from combseal.columns import CommitError, Keyring, KeyMismatch, KeyRef, OpenError, Recipe, verify

from .conftest import CANARY, ring_text

pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")

#: The secret as it might be written somewhere.
SHAPES = [CANARY, CANARY.hex().encode(), base64.b64encode(CANARY).rstrip(b"=")[:40], repr(CANARY)[2:-1].encode()]
ROWS, FILES = 3000, 4


def leaks(data):
    return [shape for shape in SHAPES if shape in data]


@pytest.fixture
def folder(tmp_path):
    source = tmp_path / "in"
    source.mkdir()
    for i in range(FILES):
        numbers = range(i * ROWS, (i + 1) * ROWS)
        table = pa.table({"id": list(numbers), "email": [f"u{n}@example.org" for n in numbers], "notes": [f"n{n}" for n in numbers]})
        parquet.write_table(table, source / f"{i}.parquet")
    return source


@pytest.fixture
def recipe(ring):
    return Recipe.of(ring, tokens={"email": "person.email"}, sealed={"notes": "notes"}, bind={"notes": ["id"]})


def same(target, source, recipe):
    manifest = verify(target)
    assert manifest["rows"] == ROWS * FILES
    wanted, got = parquet.read_table(source), parquet.read_table(target).sort_by("id")
    single = recipe.seal(wanted)
    assert got.column("id").equals(single.column("id"))
    assert got.column("email").to_pylist() == single.column("email").to_pylist()
    assert recipe.open(got).column("notes").to_pylist() == wanted.column("notes").to_pylist()
    assert recipe.open(got).column("email").to_pylist() == wanted.column("email").to_pylist()
    assert [it.name for it in Path(target).iterdir() if it.name.startswith(".")] == []


def opened(target, source, names=("email", "notes")):
    """What was sealed is as it was before."""
    manifest = verify(target)
    assert manifest["rows"] == ROWS * FILES and sorted(manifest["opened"]) == sorted(names)
    got = parquet.read_table(target).sort_by("id")
    assert got.select(["id", *names]).to_pydict() == parquet.read_table(source).select(["id", *names]).to_pydict()
    assert [it.name for it in Path(target).iterdir() if it.name.startswith(".")] == []


def test_only_a_reference_travels(recipe, ring_file, monkeypatch):
    data = pickle.dumps(recipe)
    assert leaks(data) == [] and leaks(repr(recipe).encode()) == [] and leaks(repr(recipe.ref).encode()) == []
    again = pickle.loads(data)
    assert again == recipe and again.__dask_tokenize__() == recipe.__dask_tokenize__()
    assert again.ref.resolve() is recipe.ref.resolve()
    wrong = KeyRef("file", str(ring_file), ((recipe.ref.checks[0][0], "00" * 8),))
    with pytest.raises(KeyMismatch):
        wrong.resolve()
    with pytest.raises(ValueError):
        Keyring.from_provider(lambda: ring_text()).reference()
    monkeypatch.setenv("RING", ring_text())
    assert Keyring.from_env("RING").reference().checks == recipe.ref.checks


def test_attempts(tmp_path, recipe):
    from combseal.columns import _commit

    table = pa.table({"id": [1, 2], "email": ["a", "b"], "notes": ["x", "y"]})
    target = str(tmp_path / "out")
    run = _commit.begin(target)
    with pytest.raises(ValueError, match="not empty"):
        _commit.begin(target)
    first, second = (_commit.attempt(table, part, target, run, recipe, 1) for part in (0, 1))
    repeated = _commit.attempt(table, 1, target, run, recipe, 1)
    with pytest.raises(CommitError):
        _commit.commit(target, run, [first], _commit.sealed_columns(recipe), 2)
    with pytest.raises(CommitError):
        _commit.commit(target, run, [first, {**second, "rows": 1}], _commit.sealed_columns(recipe), 2)
    manifest = _commit.commit(target, run, [second, first, repeated], _commit.sealed_columns(recipe), 2)
    assert manifest["rows"] == 4 and len(list((tmp_path / "out").glob("*.parquet"))) == 2
    verify(target)
    (tmp_path / "out" / "part-00001.parquet").write_bytes(b"x")
    with pytest.raises(Exception):
        verify(target)


def dies_once(frame, target, run, recipe, threads, partition_info=None):
    """As the task itself, but the process that does part 2 is killed the first time, when it has written."""
    from combseal.columns.dask import _part

    report = _part(frame, target, run, recipe, threads, partition_info)
    mark = Path(target).parent / "died"
    if (partition_info or {}).get("number") == 2 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), 9)
    return report


def opens_and_dies_once(number, source, target, run, threads):
    """As the task that opens, killed once."""
    from combseal.columns.dask import _opened_part

    report = _opened_part(number, source, target, run, threads)
    mark = Path(target).parent / "died opening"
    if number == 2 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), 9)
    return report


def fails(frame, recipe, number):
    raise RuntimeError("a task that fails, and is logged with its arguments")


def test_dask(tmp_path, folder, recipe):
    frames = pytest.importorskip("dask.dataframe", reason="needs dask[dataframe]")
    distributed = pytest.importorskip("distributed", reason="needs distributed")
    import cloudpickle
    import dask

    from combseal.columns import dask as columns

    spill = tmp_path / "spill"
    frame = frames.read_parquet(folder)
    with (
        # On a busy machine workers that die are long in coming back.
        dask.config.set({
            "temporary-directory": str(spill),
            "distributed.comm.timeouts.connect": "180s",
            "distributed.comm.timeouts.tcp": "180s",
        }),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        columns.write_parquet(frame, tmp_path / "out", recipe)
        same(tmp_path / "out", folder, recipe)
        with pytest.raises(ValueError, match="not empty"):
            columns.write_parquet(frame, tmp_path / "out", recipe)

        columns.write_parquet(frame, tmp_path / "again", recipe, _task=dies_once)
        assert (tmp_path / "died").exists()
        same(tmp_path / "again", folder, recipe)

        columns.open_parquet(tmp_path / "out", tmp_path / "opened", recipe)
        opened(tmp_path / "opened", folder)
        columns.open_parquet(tmp_path / "again", tmp_path / "opened again", recipe, _task=opens_and_dies_once)
        assert (tmp_path / "died opening").exists()
        opened(tmp_path / "opened again", folder)

        lazy = columns.seal(frame, recipe)
        assert leaks(cloudpickle.dumps(lazy)) == [] and leaks(cloudpickle.dumps(dict(lazy.optimize().dask))) == []
        assert lazy._name == columns.seal(frame, recipe)._name
        kept = lazy.persist()
        sealed = kept.compute()
        assert dict(sealed.dtypes) == dict(lazy.dtypes)
        single = recipe.seal(parquet.read_table(folder))
        assert list(sealed["email"]) == single.column("email").to_pylist()
        back = columns.open(kept, recipe)
        assert leaks(cloudpickle.dumps(back)) == []
        again = back.compute()
        assert dict(again.dtypes) == dict(back.dtypes) and list(again["notes"]) == list(frame["notes"].compute())

        with pytest.raises(RuntimeError):
            frame.map_partitions(fails, recipe, 1, meta=frame._meta).compute()
        assert leaks(json.dumps([str(client.get_worker_logs()), str(cluster.get_logs())]).encode()) == []
        for path in spill.rglob("*"):
            assert path.is_dir() or leaks(path.read_bytes()) == []


def test_dask_nulls(tmp_path, ring, monkeypatch):
    """A partition in which a column is all null is of the others' type; a relative target is the caller's."""
    frames = pytest.importorskip("dask.dataframe", reason="needs dask[dataframe]")
    import pandas

    from combseal.columns import dask as columns

    recipe = Recipe.of(ring, tokens={"n": "n", "email": {"domain": "e", "as_type": "string"}})
    frame = pandas.DataFrame({"n": [1.0, 2.0, None, None], "email": ["a", "b", None, None]})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()

    def elsewhere(reports):
        monkeypatch.chdir(tmp_path / "elsewhere")
        return reports.compute(scheduler="sync")

    lazy = frames.from_pandas(frame.astype({"n": "Int64", "email": object}), npartitions=2)
    columns.write_parquet(lazy, "out", recipe, compute=elsewhere)
    verify(tmp_path / "out")
    opened = recipe.open(parquet.read_table(tmp_path / "out"))
    assert opened.column("n").to_pylist() == [1, 2, None, None]
    assert opened.column("email").to_pylist() == ["a", "b", None, None]
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_opening(tmp_path, ring, ring_file):
    """What opens a sealed folder: the same columns, domains and keys, and files as they were written."""
    frames = pytest.importorskip("dask.dataframe", reason="needs dask[dataframe]")
    import dask
    import pandas

    from combseal.columns import dask as columns

    recipe = Recipe.of(
        ring, tokens={"email": "person.email", "n": {"domain": "n", "as_type": "int64"}}, sealed={"notes": "notes"}, bind={"notes": ["id"]}
    )  # fmt: skip
    frame = pandas.DataFrame({"id": range(60), "email": [f"u{i}" for i in range(60)], "n": range(60), "notes": [f"n{i}" for i in range(60)]})
    wanted = {name: list(column) for name, column in frame.items()}
    with dask.config.set(scheduler="sync"):
        columns.write_parquet(frames.from_pandas(frame, npartitions=3), tmp_path / "out", recipe)
        columns.open_parquet(tmp_path / "out", tmp_path / "back", recipe)
        assert parquet.read_table(tmp_path / "back").to_pydict() == wanted

        # One column now and the others later; under a ring that was rotated meanwhile.
        some = Recipe.of(ring, tokens={"email": "person.email"})
        manifest = columns.open_parquet(tmp_path / "out", tmp_path / "some", some)
        assert [it["name"] for it in manifest["columns"]] == ["n", "notes"] and verify(tmp_path / "some")["opened"] == ["email"]
        ring_file.write_text(ring_text(("enabled", "primary")))
        rest = Recipe.of(Keyring.from_file(ring_file), tokens={"n": "n"}, sealed={"notes": "notes"}, bind={"notes": ["id"]})
        columns.open_parquet(tmp_path / "some", tmp_path / "rest", rest)
        assert parquet.read_table(tmp_path / "rest").to_pydict() == wanted

        def refused(kind, source, recipe, target="none"):
            with pytest.raises(kind):
                columns.open_parquet(tmp_path / source, tmp_path / target, recipe)
            # Nothing is begun, or nothing published.
            assert not list((tmp_path / target).glob("part-*")) or target == "back"

        refused(ValueError, "out", recipe, "back")
        refused(ValueError, "rest", recipe)
        refused(ValueError, "out", Recipe.of(ring, tokens={"email": "other"}))
        refused(ValueError, "out", Recipe.of(ring, sealed={"email": "person.email"}))
        # Another key of that number; a ring that lost it; a ring that destroyed it.
        for text in (
            ring_text(("enabled", "primary")).replace('"id": 16909060', '"id": 16909069'),
            ring_text(("enabled", "primary")).replace('"id": 16909060', '"id": 7').replace('"id": 16909061', '"id": 16909060'),
            ring_text(("destroyed", "primary")),
        ):
            (tmp_path / "other.json").write_text(text)
            other = Keyring.from_file(tmp_path / "other.json")
            refused(KeyMismatch, "out", Recipe.of(other, tokens={"email": "person.email"}))
            assert not (tmp_path / "none").exists()

        listed = (tmp_path / "out" / "_combseal_manifest.json").read_text()
        for changed in ("{", "[]", listed.replace('"version": 1', '"version": 2'), listed.replace("part-00001", "../out/part-00001")):
            (tmp_path / "out" / "_combseal_manifest.json").write_text(changed)
            refused(CommitError, "out", recipe)
        # Of a version before there were check values.
        (tmp_path / "out" / "_combseal_manifest.json").write_text(listed.replace('"check"', '"unchecked"'))
        columns.open_parquet(tmp_path / "out", tmp_path / "without", recipe)
        assert parquet.read_table(tmp_path / "without").to_pydict() == wanted
        (tmp_path / "out" / "_combseal_manifest.json").write_text(listed)

        path = tmp_path / "out" / "part-00001.parquet"
        data = path.read_bytes()
        path.write_bytes(data[:200] + bytes([data[200] ^ 1]) + data[201:])
        refused(CommitError, "out", recipe, "damaged")
        assert not (tmp_path / "damaged" / "_SUCCESS").exists()
        # A checksum that fits, and a cell that is not authentic.
        table = parquet.read_table(path.with_name("part-00000.parquet"))
        cells = table.column("notes").to_pylist()
        table = table.set_column(3, table.schema.field("notes"), pa.array([cells[1], *cells[1:]], table.schema.field("notes").type))
        parquet.write_table(table, path)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        manifest = json.loads(listed)
        manifest["parts"][1].update(sha256=digest, rows=len(table))
        (tmp_path / "out" / "_combseal_manifest.json").write_text(json.dumps(manifest))
        refused(OpenError, "out", recipe, "forged")
        (tmp_path / "out" / "_SUCCESS").unlink()
        refused(CommitError, "out", recipe)


def test_ray_refuses_missing_blocks(monkeypatch):
    data = pytest.importorskip("ray.data", reason="needs ray[data]")
    from combseal.columns import ray as columns

    class Context:
        max_errored_blocks = 0

    class Dataset:
        context = Context()

    columns._complete(Dataset())
    monkeypatch.setattr(Dataset.context, "max_errored_blocks", -1)
    with pytest.raises(ValueError, match="max_errored_blocks"):
        columns._complete(Dataset())
    monkeypatch.undo()
    monkeypatch.setattr(data.DataContext.get_current(), "max_errored_blocks", 3)
    with pytest.raises(ValueError, match="max_errored_blocks"):
        columns._complete(Dataset())


def dies_once_in_ray(table, target, run, recipe, threads):
    """As the task itself, but the process that does the first block is killed when it has written."""
    from combseal.columns.ray import _part

    report = _part(table, target, run, recipe, threads)
    mark = Path(target).parent / "died"
    if 0 in table.column("id").to_pylist() and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), 9)
    return report


def opens_and_dies_once_in_ray(table, source, target, run, threads):
    """As the task that opens, killed once."""
    from combseal.columns.ray import _opened_part

    report = _opened_part(table, source, target, run, threads)
    mark = Path(target).parent / "died opening"
    # Ray may have made one part of all files, so it is the first one.
    if 0 in table.column("number").to_pylist() and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), 9)
    return report


@pytest.mark.skipif(os.environ.get("COMBSEAL_TEST_RAY") != "1", reason="takes half a minute: COMBSEAL_TEST_RAY=1 asks for it")
def test_ray(tmp_path, folder, recipe):
    ray = pytest.importorskip("ray", reason="needs ray[data]")
    from combseal.columns import ray as columns

    # Workers import the tests' functions by name.
    environment = {"env_vars": {"PYTHONPATH": str(Path(__file__).parents[1])}}
    context = ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    try:
        data = ray.data.read_parquet(str(folder), override_num_blocks=FILES)
        columns.write_parquet(data, tmp_path / "out", recipe)
        same(tmp_path / "out", folder, recipe)
        columns.write_parquet(data, tmp_path / "again", recipe, _task=dies_once_in_ray)
        assert (tmp_path / "died").exists()
        same(tmp_path / "again", folder, recipe)
        columns.open_parquet(tmp_path / "out", tmp_path / "opened", recipe)
        opened(tmp_path / "opened", folder)
        columns.open_parquet(tmp_path / "again", tmp_path / "opened again", recipe, _task=opens_and_dies_once_in_ray)
        assert (tmp_path / "died opening").exists()
        opened(tmp_path / "opened again", folder)
        sealed = columns.seal(data, recipe).take_all()
        assert len(sealed) == ROWS * FILES and all(isinstance(row["email"], bytes) for row in sealed)
        back = columns.open(ray.data.read_parquet(str(tmp_path / "out")), recipe).take_all()
        assert {row["id"]: row["notes"] for row in back} == {n: f"n{n}" for n in range(ROWS * FILES)}
        session = Path(context.address_info["session_dir"])
        for path in session.rglob("*"):
            if path.is_file():
                assert leaks(path.read_bytes()) == [], path
    finally:
        ray.shutdown()
