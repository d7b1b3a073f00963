"""Dask and Ray on two local workers: tokens as on one machine, no key anywhere but in the workers' memory, and a worker that
is killed after it wrote loses nothing and duplicates nothing.

Ray's takes half a minute, and runs only where ``COMBSEAL_TEST_RAY=1`` asks for it.
"""

import base64
import json
import os
import pickle
from pathlib import Path

import pytest

from combseal.columns import CommitError, Keyring, KeyMismatch, KeyRef, Recipe, verify

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
        _commit.commit(target, run, [first], recipe, 2)
    with pytest.raises(CommitError):
        _commit.commit(target, run, [first, {**second, "rows": 1}], recipe, 2)
    manifest = _commit.commit(target, run, [second, first, repeated], recipe, 2)
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
        dask.config.set({"temporary-directory": str(spill)}),
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

        lazy = columns.seal(frame, recipe)
        assert leaks(cloudpickle.dumps(lazy)) == [] and leaks(cloudpickle.dumps(dict(lazy.optimize().dask))) == []
        assert lazy._name == columns.seal(frame, recipe)._name
        kept = lazy.persist()
        sealed = kept.compute()
        assert dict(sealed.dtypes) == dict(lazy.dtypes)
        single = recipe.seal(parquet.read_table(folder))
        assert list(sealed["email"]) == single.column("email").to_pylist()

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
        sealed = columns.seal(data, recipe).take_all()
        assert len(sealed) == ROWS * FILES and all(isinstance(row["email"], bytes) for row in sealed)
        session = Path(context.address_info["session_dir"])
        for path in session.rglob("*"):
            if path.is_file():
                assert leaks(path.read_bytes()) == [], path
    finally:
        ray.shutdown()
