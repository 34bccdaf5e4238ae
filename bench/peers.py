#!/usr/bin/env python3
"""Saccade beside DuckDB, in one run on one machine: Q1, Q3 and Q6 of TPC-H at scale factor 1, in memory, same columns, same threads.

bench/peers.py [--threads 2] [--runs 5] [--device cpu] [--binary build/release/saccade]

Each system loads the tables of bench/queries/load.sql, runs each query once to warm up and then `runs` times. Saccade's times
are its own (--timing, one process, planning and printing of the few rows included), DuckDB's those of execute().fetchall() in
its Python package. Prints a table in Markdown of medians and their ratio; fails where the two give different rows.
"""

import argparse
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
from run_oracle import compare, statement  # noqa: E402
from saccade_shell import interpret  # noqa: E402

QUERIES = ('q1', 'q3', 'q6')


def read_sql(name):
    return (ROOT / f'bench/queries/{name}.sql').read_text()


def load_statements():
    return [statement(part) for part in read_sql('load').split(';') if part.strip()]


def run_saccade(arguments, queries):
    """Times in milliseconds of each run of each query, and the output of its last run."""
    loads = load_statements()
    script = loads + [query for query in queries for _ in range(1 + arguments.runs)]
    line = [arguments.binary, '--timing', '--format', 'csv', '--threads', str(arguments.threads), '--device', arguments.device]
    text = ''.join(f"{sql}\n;\nSELECT 'mark' AS mark;\n" for sql in script)
    run = subprocess.run(line, cwd=ROOT, input=text, capture_output=True, text=True)
    times = [float(value) for value in re.findall(r'^Time: ([0-9.]+) ms', run.stderr, re.MULTILINE)][::2]
    if run.returncode != 0 or 'ERROR' in run.stderr or len(times) != len(script):
        raise SystemExit(f'{" ".join(line)} failed:\n{run.stderr}')
    outputs = run.stdout.split('mark\nmark\n')
    times = times[len(loads):]
    step = 1 + arguments.runs
    return [(times[step * i + 1:step * (i + 1)], interpret(outputs[len(loads) + step * (i + 1) - 1])) for i in range(len(queries))]


def run_duckdb(arguments, queries):
    connection = duckdb.connect()
    connection.execute(f'SET threads = {arguments.threads}')
    for sql in load_statements():
        connection.execute(sql)
    results = []
    for query in queries:
        times = []
        for _ in range(1 + arguments.runs):
            start = time.perf_counter()
            rows = connection.execute(query).fetchall()
            times.append((time.perf_counter() - start) * 1000)
        results.append((times[1:], rows))
    return results


def machine():
    model = re.search(r'model name\s*: (.*)', Path('/proc/cpuinfo').read_text())
    return f'{model.group(1) if model else "unknown processor"}, {os.cpu_count()} cores'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--device', default='cpu')
    parser.add_argument('--binary', default=str(ROOT / 'build/release/saccade'))
    arguments = parser.parse_args()
    os.chdir(ROOT)
    subprocess.run(['scripts/tpch_data', '1', 'customer', 'orders', 'lineitem'], check=True)
    queries = [statement(read_sql(name)) for name in QUERIES]
    ours, theirs = run_saccade(arguments, queries), run_duckdb(arguments, queries)
    print(f'TPC-H at scale factor 1 in memory, {arguments.threads} threads, device {arguments.device}, median of {arguments.runs} '
          f'warm runs; DuckDB {duckdb.__version__}; {machine()}; {time.strftime("%Y-%m-%d")}\n')
    print('| query | Saccade ms | DuckDB ms | times faster |\n|---|---:|---:|---:|')
    wrong = False
    for name, (our_times, output), (their_times, rows) in zip(QUERIES, ours, theirs):
        a, b = statistics.median(our_times), statistics.median(their_times)
        print(f'| {name.upper()} | {a:.1f} | {b:.1f} | {b / a:.1f} |')
        problem = compare(output, rows)
        if problem:
            wrong = True
            print(f'{name}: wrong rows: {problem}', file=sys.stderr)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
