#!/usr/bin/env python3
"""Tests `saccade tpch`: its files against those of tpchgen-cli (PyPI), and what it says to wrong options and full disks.

run_tpch.py SACCADE [--scale S]
"""

import argparse
import filecmp
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

TABLES = 'region nation supplier customer part partsupp orders lineitem'.split()
PEER = Path(sys.executable).parent / 'tpchgen-cli'
SKIPPED = 77


def saccade(*arguments, **options):
    return subprocess.run([ARGUMENTS.saccade, 'tpch', *arguments], capture_output=True, text=True, timeout=600, **options)


def check(condition, what):
    if not condition:
        raise SystemExit(f'FAILED: {what}')


def compare_text(folder, peer, threads):
    done = saccade('--scale', ARGUMENTS.scale, '--out', folder, '--format', 'tbl', '--threads', threads)
    check(done.returncode == 0, done.stderr)
    check(done.stderr == '', 'a progress line without a terminal')
    for table in TABLES:
        check(filecmp.cmp(folder / f'{table}.tbl', peer / f'{table}.tbl', shallow=False), f'{table} with {threads} threads')
    check(len(list(folder.iterdir())) == len(TABLES), 'further files')


def compare_rows(folder, peer, file_format):
    """Values and types of Parquet, values of CSV, in their order."""
    done = saccade('--scale', ARGUMENTS.scale, '--out', folder, '--format', file_format)
    check(done.returncode == 0, done.stderr)
    for table in TABLES:
        mine, other = (duckdb.sql(f"SELECT * FROM '{place}/{table}.{file_format}'") for place in (folder, peer))
        check(mine.columns == other.columns, f'columns of {table}.{file_format}')
        check(mine.types == other.types, f'types of {table}.{file_format}')
        [(different,)] = duckdb.sql('SELECT count(*) FROM mine POSITIONAL JOIN other WHERE mine IS DISTINCT FROM other').fetchall()
        check(different == 0, f'{different} rows of {table}.{file_format}')


def test_peer(folder):
    for file_format in ('tbl', 'csv', 'parquet'):
        subprocess.run([PEER, file_format, '-q', '-s', ARGUMENTS.scale, '-o', folder / 'peer'], check=True)
    for threads in ('1', '2', '5'):
        compare_text(folder / f'tbl{threads}', folder / 'peer', threads)
    for file_format in ('csv', 'parquet'):
        compare_rows(folder / file_format, folder / 'peer', file_format)


def test_options(folder):
    out = ['--out', folder / 'never']
    for arguments, code, text in [
        (['--scale', '0', *out], 1, 'ERROR:  22023: "0" is no scale factor'),
        (['--scale', '-1', *out], 1, 'ERROR:  22023'),
        (['--scale', 'nan', *out], 1, 'ERROR:  22023'),
        (['--scale', '1e300', *out], 1, 'ERROR:  22023'),
        (['--scale', '1', '--tables', 'part,parts', *out], 1, 'ERROR:  42P01: TPC-H has no table "parts"'),
        (['--scale', '1', '--format', 'orc', *out], 1, 'ERROR:  22023: "orc" is no format'),
        (['--scale', '1', '--threads', '0', *out], 2, '--threads'),
        (['--scale', '1', '--threads', 'many', *out], 2, '--threads'),
        (['--scale', '1'], 2, '--out is required'),
        (out, 2, '--scale is required'),
        (['--scale', '1', '--out', '/dev/null/x'], 1, 'ERROR:  58030: could not create the folder "/dev/null/x"'),
    ]:
        done = saccade(*arguments)
        check((done.returncode, done.stdout) == (code, '') and text in done.stderr, f'{arguments}: {done}')
    check(not (folder / 'never').exists(), 'a wrong option made a folder')


def test_only_these_tables(folder):
    done = saccade('--scale', '0.001', '--out', folder, '--format', 'csv', '--tables', 'part,region,part')
    check(done.returncode == 0, done.stderr)
    check(sorted(path.name for path in folder.iterdir()) == ['part.csv', 'region.csv'], 'tables that were not asked for')


def test_no_room(folder):
    """The limit of a file's size stands for a full disk: a write that fails half way."""
    for file_format in ('tbl', 'csv', 'parquet'):
        place = folder / file_format
        place.mkdir(parents=True)
        (place / f'lineitem.{file_format}').write_text('an older file')
        limit = 1 << 16
        done = saccade('--scale', '0.1', '--out', place, '--format', file_format, '--tables', 'lineitem',
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        check(done.returncode == 1 and 'ERROR:  58030: could not write' in done.stderr, f'{file_format}: {done}')
        check([path.read_text() for path in place.iterdir()] == ['an older file'], f'{file_format}: left something behind')


def test_interrupt(folder):
    process = subprocess.Popen([ARGUMENTS.saccade, 'tpch', '--scale', '10', '--out', folder, '--format', 'tbl', '--tables', 'lineitem'],
                               stderr=subprocess.PIPE, text=True)
    while not folder.exists() or not list(folder.iterdir()):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, text = process.communicate(timeout=120)
    check(process.returncode == 130 and 'ERROR:  57014' in text, text)
    check(not list(folder.iterdir()), 'Ctrl-C left a file behind')


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        test_options(folder)
        test_only_these_tables(folder / 'tables')
        test_no_room(folder / 'no_room')
        test_interrupt(folder / 'interrupt')
        if not PEER.exists():
            print(f'skipped: {PEER} is missing (scripts/setup --tests)')
            return SKIPPED
        test_peer(folder)
    print('ok')
    return 0


PARSER = argparse.ArgumentParser()
PARSER.add_argument('saccade')
PARSER.add_argument('--scale', default='0.01')
ARGUMENTS = PARSER.parse_args()
sys.exit(main())
