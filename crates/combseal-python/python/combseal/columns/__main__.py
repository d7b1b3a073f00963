"""The command: ``python -m combseal.columns seal in.parquet out.parquet --token email=person.email --sealed notes
--keyring k.json``."""

from __future__ import annotations

import argparse
import sys
import time

from ._keyring import Keyring
from ._recipe import Recipe


def _pair(text: str) -> tuple[str, str]:
    name, separator, domain = text.partition("=")
    if not name or separator and not domain:
        raise argparse.ArgumentTypeError("a column is NAME=DOMAIN")
    return name, domain


def _once(option: str, pairs: list[tuple[str, str]]) -> dict[str, str]:
    names = [name for name, _ in pairs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{option} is given twice for {', '.join(twice)}")
    return dict(pairs)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m combseal.columns", description="Seals columns of Parquet files.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (
        ("seal", "seal columns of a file into another"),
        ("open", "open them again"),
        ("rewrap", "put all values under the keys that seal now"),
    ):
        command = commands.add_parser(name, help=what)
        command.add_argument("source", help="a Parquet file")
        command.add_argument("target", help="the file to be written; it must not exist, unless --force")
        command.add_argument("--token", metavar="COLUMN=DOMAIN", action="append", type=_pair, default=[],
                             help="make this column deterministic tokens of the domain")  # fmt: skip
        command.add_argument("--sealed", metavar="COLUMN[=DOMAIN]", action="append", type=_pair, default=[],
                             help="seal this column, randomised; without a domain, its domain is the column's name")  # fmt: skip
        command.add_argument("--bind", metavar="COLUMN=OTHER", action="append", type=_pair, default=[],
                             help="bind a column's values to those of another in the same row")  # fmt: skip
        command.add_argument("--type", metavar="COLUMN=TYPE", action="append", type=_pair, default=[],
                             help="the column's type, where the file does not say it, or says another in parts")  # fmt: skip
        command.add_argument("--keep-metadata", action="store_true",
                             help="keep the file's own metadata, which may tell of the plaintext")  # fmt: skip
        where = command.add_mutually_exclusive_group(required=True)
        where.add_argument("--keyring", metavar="FILE", help="the keyring, a file of JSON")
        where.add_argument("--keyring-env", metavar="NAME", help="the environment variable that has it")
        command.add_argument("--threads", type=int, help="how many; all that there are, if not given")
        command.add_argument("--force", action="store_true", help="write over the target")
        command.add_argument("--quiet", action="store_true", help="show no progress")
    command = commands.add_parser("keygen", help="write a new keyring, or add a key to one and make it the primary")
    command.add_argument("keyring", help="the file")
    command.add_argument("--rotate", action="store_true", help="add a key to it")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; what goes wrong is one line on the standard error, and 1."""
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except (OSError, TypeError, ValueError, ImportError) as error:
        print(f"combseal.columns: {error}", file=sys.stderr)
        return 1


def _run(options: argparse.Namespace) -> int:
    if options.command == "keygen":
        ring = Keyring.rotate(options.keyring) if options.rotate else Keyring.create(options.keyring)
        for number, state, check in ring.entries:
            print(f"{number} {state} {check}")
        return 0
    from . import _parquet

    ring = Keyring.from_file(options.keyring) if options.keyring else Keyring.from_env(options.keyring_env)
    for name, domain in options.token:
        if not domain:
            raise ValueError(f"--token {name} needs a domain: {name}=DOMAIN")
    ties: dict[str, list[str]] = {}
    for name, other in options.bind:
        ties.setdefault(name, []).append(other)
    types = _once("--type", options.type)
    if "" in types.values():
        raise ValueError("--type is COLUMN=TYPE")
    columns = {
        mode: {name: {"domain": domain or name, **({"as_type": types.pop(name)} if name in types else {})} for name, domain in given.items()}
        for mode, given in (("tokens", _once("--token", options.token)), ("sealed", _once("--sealed", options.sealed)))
    }
    if types:
        raise ValueError(f"--type is for columns of --token and --sealed, not {', '.join(types)}")
    recipe = Recipe.of(ring, **columns, bind=ties, keep_metadata=options.keep_metadata)
    start = time.monotonic()

    def progress(done: int, groups: int, rows: int) -> None:
        if not options.quiet:
            rate = rows / max(time.monotonic() - start, 1e-9)
            print(f"row group {done} of {groups}, {rows} rows, {rate:.3g} rows/s", file=sys.stderr, flush=True)

    run = {"seal": _parquet.seal_parquet, "open": _parquet.open_parquet, "rewrap": _parquet.rewrap_parquet}
    work = run[options.command]
    # A target that is there is refused before an hour's work, and one that has come meanwhile after it.
    work(options.source, options.target, recipe, progress=progress, threads=options.threads, exclusive=not options.force)
    return 0


if __name__ == "__main__":
    sys.exit(main())
