#!/usr/bin/env python3
"""Saccade beside DuckDB, in one run on one machine: the 22 queries of TPC-H, in memory or from Parquet, same data, same threads.

bench/peers.py [--source memory|parquet] [--scale 1] [--threads 2] [--runs 5] [--device cpu] [--queries q01,q03] [--json FILE]

memory: each system makes the eight tables from the Parquet files first. parquet: the tables are views over the files. Each query
runs once to warm up and then `runs` times. Saccade's times are its own (--timing: from the statement's text to the last row
printed), DuckDB's those of execute() and the fetch of an Arrow table in its Python package. Each system runs in a process of its
own, whose peak memory is measured over the load and all queries. Prints a table in Markdown of medians and their ratio, the sums
and the geometric mean; fails where the two give different rows.
"""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import duckdb

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'test'))
sys.path.insert(0, str(ROOT / 'test/oracle'))
from run_oracle import compare, read_tpch_query  # noqa: E402
from saccade_shell import interpret  # noqa: E402

TABLES = ('region', 'nation', 'supplier', 'customer', 'part', 'partsupp', 'orders', 'lineitem')
MARK = "SELECT 'mark' AS mark"


def load_statements(arguments):
    what = 'TABLE' if arguments.source == 'memory' else 'VIEW'
    return [f"CREATE {what} {table} AS SELECT * FROM 'data/tpch/sf{arguments.scale}/{table}.parquet'" for table in TABLES]


def peak_megabytes(command, text):
    """Runs a command with `text` as its input: its output and its peak memory."""
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    output, errors = process.communicate(text)
    peak = re.findall(r'^peak kB: (\d+)$', errors, re.MULTILINE)
    return output, errors, process.returncode, int(peak[-1]) / 1024 if peak else float('nan')


def measured(command):
    """The command under a shell that tells its peak memory at the end."""
    program = ('import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]); '
               'print("peak kB:", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); sys.exit(code)')
    return [sys.executable, '-c', program, *command]


def run_saccade(arguments, queries):
    """Milliseconds of each load, of each run of each query, the outputs of the last runs, peak memory."""
    loads = load_statements(arguments)
    script = loads + [query for query in queries for _ in range(1 + arguments.runs)]
    line = [arguments.binary, '--timing', '--format', 'csv', '--threads', str(arguments.threads), '--device', arguments.device]
    text = ''.join(f'{sql}\n;\n{MARK};\n' for sql in script)
    output, errors, code, peak = peak_megabytes(measured(line), text)
    times = [float(value) for value in re.findall(r'^Time: ([0-9.]+) ms', errors, re.MULTILINE)][::2]
    if code != 0 or 'ERROR' in errors or len(times) != len(script):
        raise SystemExit(f'{" ".join(line)} failed:\n{errors[-4000:]}')
    outputs = output.split('mark\nmark\n')
    load_times, times = times[:len(loads)], times[len(loads):]
    step = 1 + arguments.runs
    runs = [(times[step * i:step * (i + 1)], interpret(outputs[len(loads) + step * (i + 1) - 1])) for i in range(len(queries))]
    return load_times, runs, peak


def duckdb_worker(arguments, queries):
    """In a process of its own: prints loads' and runs' milliseconds as JSON."""
    connection = duckdb.connect()
    connection.execute(f'SET threads = {arguments.threads}')
    loads, results = [], []
    for sql in load_statements(arguments):
        start = time.perf_counter()
        connection.execute(sql)
        loads.append((time.perf_counter() - start) * 1000)
    for query in queries:
        times = []
        for _ in range(1 + arguments.runs):
            start = time.perf_counter()
            connection.execute(query).to_arrow_table()
            times.append((time.perf_counter() - start) * 1000)
        results.append(times)
    print(json.dumps([loads, results]))


def run_duckdb(arguments, queries):
    line = [sys.executable, __file__, '--worker', *arguments.given]
    output, errors, code, peak = peak_megabytes(measured(line), '')
    if code != 0:
        raise SystemExit(f'DuckDB failed:\n{errors}')
    loads, times = json.loads(output)
    connection = duckdb.connect()
    for sql in load_statements(argparse.Namespace(**{**vars(arguments), 'source': 'parquet'})):
        connection.execute(sql)
    return loads, [(runs, connection.execute(query).fetchall()) for runs, query in zip(times, queries)], peak


def machine():
    model = re.search(r'model name\s*: (.*)', Path('/proc/cpuinfo').read_text())
    return f'{model.group(1) if model else "unknown processor"}, {os.cpu_count()} cores'


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument('--source', choices=['memory', 'parquet'], default='memory')
    parser.add_argument('--scale', default='1')
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--device', default='cpu')
    parser.add_argument('--queries', help='comma-separated: q01,q03')
    parser.add_argument('--binary', default=str(ROOT / 'build/release/saccade'))
    parser.add_argument('--json', help='also write the medians there')
    parser.add_argument('--worker', action='store_true', help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    arguments.given = sys.argv[1:]
    return arguments


def print_report(arguments, names, ours, theirs):
    print(f'TPC-H at scale factor {arguments.scale}, source {arguments.source}, {arguments.threads} threads, device {arguments.device}, '
          f'median of {arguments.runs} warm runs; DuckDB {duckdb.__version__}; {machine()}; {time.strftime("%Y-%m-%d")}\n')
    print('| query | Saccade ms | DuckDB ms | Saccade / DuckDB |\n|---|---:|---:|---:|')
    medians, wrong = {}, False
    for name, (our_times, output), (their_times, rows) in zip(names, ours[1], theirs[1]):
        a, b = statistics.median(our_times[1:]), statistics.median(their_times[1:])
        medians[name] = (a, b)
        print(f'| {name.upper()} | {a:.1f} | {b:.1f} | {a / b:.2f} |')
        problem = compare(output, rows)
        if problem:
            wrong = True
            print(f'{name}: wrong rows: {problem}', file=sys.stderr)
    a, b = (sum(pair[i] for pair in medians.values()) for i in (0, 1))
    mean = math.exp(statistics.mean(math.log(x / y) for x, y in medians.values()))
    print(f'| sum | {a:.1f} | {b:.1f} | {a / b:.2f} |')
    print(f'| geometric mean of the ratios | | | {mean:.2f} |')
    print(f'| largest ratio | | | {max(x / y for x, y in medians.values()):.2f} |')
    print(f'| {"load" if arguments.source == "memory" else "views"} | {sum(ours[0]):.0f} | {sum(theirs[0]):.0f} | {sum(ours[0]) / sum(theirs[0]):.2f} |')
    print(f'| peak memory, MB | {ours[2]:.0f} | {theirs[2]:.0f} | {ours[2] / theirs[2]:.2f} |')
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({'medians': medians, 'peak': [ours[2], theirs[2]], 'load': [ours[0], theirs[0]]}))
    return wrong


def main():
    arguments = parse_arguments()
    os.chdir(ROOT)
    names = arguments.queries.split(',') if arguments.queries else [f'q{number:02}' for number in range(1, 23)]
    queries = [read_tpch_query(name, arguments.scale) for name in names]
    if arguments.worker:
        duckdb_worker(arguments, queries)
        return 0
    subprocess.run(['scripts/tpch_data', arguments.scale, *TABLES], check=True, stdout=subprocess.DEVNULL)
    theirs = run_duckdb(arguments, queries)
    ours = run_saccade(arguments, queries)
    return 1 if print_report(arguments, names, ours, theirs) else 0


if __name__ == '__main__':
    sys.exit(main())
