"""A folder of Parquet files sealed by two threads of one process, by Dask and by Ray on two workers each: the same work,
from file to file. And beside each the same without the cipher, which reads the same files and writes as many bytes: what the
framework alone costs.

    python benches/cluster.py [--values 50000000] [--files 16] [--turns 2] [dask] [ray]

Each turn does all of it once, one after the other; what was written is removed before the next.
"""

import argparse
import contextlib
import json
import os
import shutil
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import numpy
import pyarrow
import pyarrow.parquet as parquet

from combseal.columns import Keyring, Recipe, _commit
from combseal.columns._parquet import writer_options


def source(folder, values, files):
    rng, each = numpy.random.default_rng(1), values // files
    for i in range(files):
        offsets = numpy.arange(0, 16 * each + 1, 16, dtype="i4")
        letters = rng.integers(97, 123, 16 * each, dtype="u1")
        buffers = [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(letters)]
        table = pyarrow.table({"email": pyarrow.Array.from_buffers(pyarrow.string(), each, buffers)})
        parquet.write_table(table, f"{folder}/{i:03}.parquet", compression="NONE", use_dictionary=False, write_statistics=False)


def without_cipher(table, part, target, run, recipe, threads):
    """As `_commit.attempt`, with bytes of a token's length in the place of tokens."""
    each = table.num_rows
    buffers = [None, pyarrow.py_buffer(numpy.arange(0, 37 * each + 1, 37, dtype="i4")), pyarrow.py_buffer(numpy.ones(37 * each, "u1"))]
    made = pyarrow.table({"email": pyarrow.Array.from_buffers(pyarrow.binary(), each, buffers)})
    return _commit.write(made, each, part, target, run, writer_options(["email"], ["email"]))


def dask_without_cipher(frame, target, run, recipe, threads, partition_info=None):
    import pandas

    table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    report = without_cipher(table, (partition_info or {}).get("number"), target, run, recipe, threads)
    return pandas.DataFrame({"report": [json.dumps(report)]})


def ray_without_cipher(table, target, run, recipe, threads):
    if not table.num_columns:
        return pyarrow.table({"report": pyarrow.array([], pyarrow.string())})
    return pyarrow.table({"report": [json.dumps(without_cipher(table, None, target, run, recipe, threads))]})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--values", type=int, default=50_000_000)
    parser.add_argument("--files", type=int, default=16)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("clusters", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work, contextlib.ExitStack() as ends:
        os.mkdir(f"{work}/in")
        source(f"{work}/in", options.values, options.files)
        recipe = Recipe.of(Keyring.create(f"{work}/ring.json"), tokens={"email": "person.email"})

        def threads(attempt):
            def part(i):
                table = parquet.read_table(f"{work}/in/{names[i]}", use_threads=False)
                return attempt(table, i, f"{work}/out", run, recipe, 1)

            run, names = _commit.begin(f"{work}/out"), sorted(os.listdir(f"{work}/in"))
            with ThreadPoolExecutor(2) as pool:
                reports = list(pool.map(part, range(len(names))))
            return _commit.commit(f"{work}/out", run, reports, _commit.sealed_columns(recipe), len(names))

        runs = {
            "two threads": lambda: threads(_commit.attempt),
            "two threads, without cipher": lambda: threads(without_cipher),
        }
        if "dask" in options.clusters:
            import dask.dataframe
            from distributed import Client, LocalCluster

            import combseal.columns.dask

            ends.enter_context(Client(ends.enter_context(LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None))))
            frame = dask.dataframe.read_parquet(f"{work}/in", split_row_groups=False, aggregate_files=False)
            by_dask = combseal.columns.dask.write_parquet
            runs["Dask, two workers"] = lambda: by_dask(frame, f"{work}/out", recipe)
            runs["Dask, without cipher"] = lambda: by_dask(frame, f"{work}/out", recipe, _task=dask_without_cipher)
        if "ray" in options.clusters:
            import ray

            import combseal.columns.ray

            ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
            data = ray.data.read_parquet(f"{work}/in", override_num_blocks=options.files)
            by_ray = combseal.columns.ray.write_parquet
            runs["Ray, two CPUs"] = lambda: by_ray(data, f"{work}/out", recipe)
            runs["Ray, without cipher"] = lambda: by_ray(data, f"{work}/out", recipe, _task=ray_without_cipher)

        times = {name: [] for name in runs}
        # The first turn starts the workers' libraries, and is shown and not counted.
        for turn in range(options.turns + 1):
            for name, run in runs.items():
                start = time.perf_counter()
                made = run()
                took = time.perf_counter() - start
                assert made["rows"] == options.values
                times[name].append(took)
                print(f"{turn} {name:28} {took:7.2f} s, {len(made['parts'])} parts", flush=True)
                shutil.rmtree(f"{work}/out")
        base = {True: "two threads, without cipher", False: "two threads"}
        for name, took in times.items():
            middle = statistics.median(took[1:])
            ratio = middle / statistics.median(times[base["without" in name]][1:])
            print(f"{name:28} first {took[0]:7.2f} s, then {middle:7.2f} s, {ratio:.2f} of two threads")


if __name__ == "__main__":
    main()
