"""A folder of Parquet files sealed by two threads of one process, by Dask and by Ray on two workers each: the same work,
from file to file.

    python benches/cluster.py [--values 50000000] [--files 16] [dask] [ray]
"""

import argparse
import os
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import numpy
import pyarrow
import pyarrow.parquet as parquet

from combseal.columns import Keyring, Recipe, _commit


def source(folder, values, files):
    rng, each = numpy.random.default_rng(1), values // files
    for i in range(files):
        offsets = numpy.arange(0, 16 * each + 1, 16, dtype="i4")
        letters = rng.integers(97, 123, 16 * each, dtype="u1")
        buffers = [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(letters)]
        table = pyarrow.table({"email": pyarrow.Array.from_buffers(pyarrow.string(), each, buffers)})
        parquet.write_table(table, f"{folder}/{i:03}.parquet", compression="NONE", use_dictionary=False, write_statistics=False)


def timed(name, run, base=None):
    start = time.perf_counter()
    run()
    took = time.perf_counter() - start
    print(f"{name:28} {took:7.2f} s" + (f", {took / base:.2f} of two threads" if base else ""), flush=True)
    return took


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--values", type=int, default=50_000_000)
    parser.add_argument("--files", type=int, default=16)
    parser.add_argument("clusters", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        os.mkdir(f"{work}/in")
        source(f"{work}/in", options.values, options.files)
        recipe = Recipe.of(Keyring.create(f"{work}/ring.json"), tokens={"email": "person.email"})

        def threads():
            run = _commit.begin(f"{work}/threads")
            names = sorted(os.listdir(f"{work}/in"))

            def part(i):
                table = parquet.read_table(f"{work}/in/{names[i]}", use_threads=False)
                return _commit.attempt(table, i, f"{work}/threads", run, recipe, 1)

            with ThreadPoolExecutor(2) as pool:
                _commit.commit(f"{work}/threads", run, list(pool.map(part, range(len(names)))), _commit.sealed_columns(recipe), len(names))

        timed("two threads, cold", threads)
        os.rename(f"{work}/threads", f"{work}/cold")
        base = timed("two threads", threads)
        if "dask" in options.clusters:
            import dask.dataframe
            from distributed import Client, LocalCluster

            import combseal.columns.dask

            with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
                frame = dask.dataframe.read_parquet(f"{work}/in", split_row_groups=False, aggregate_files=False)
                write = combseal.columns.dask.write_parquet
                timed("Dask, cold", lambda: write(frame, f"{work}/dask-cold", recipe))
                timed("Dask, two workers", lambda: write(frame, f"{work}/dask", recipe), base)
        if "ray" in options.clusters:
            import ray

            import combseal.columns.ray

            ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
            write = combseal.columns.ray.write_parquet
            data = ray.data.read_parquet(f"{work}/in", override_num_blocks=options.files)
            timed("Ray, cold", lambda: write(data, f"{work}/ray-cold", recipe))
            timed("Ray, two workers", lambda: write(data, f"{work}/ray", recipe), base)


if __name__ == "__main__":
    main()
