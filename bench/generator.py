#!/usr/bin/env python3
"""TPC-H's generators side by side, in one run on one machine: `CALL tpch(1)` into memory, and tpchgen-cli writing its Parquet files.

bench/generator.py [--scale 1] [--threads 2] [--runs 5] [--binary build/release/saccade] [--out FOLDER]

All eight tables, the two by turns, `runs` times each. Both times are those of the whole process, from its start to its end.
tpchgen-cli writes into a new folder below --out (default: build), which is deleted after each run. Prints a table in Markdown.
"""

import argparse
import datetime
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEER = Path(sys.executable).parent / 'tpchgen-cli'


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def peer_seconds(arguments):
    with tempfile.TemporaryDirectory(dir=arguments.out) as folder:
        return seconds([PEER, 'parquet', '--quiet', '--scale-factor', arguments.scale, '--num-threads', str(arguments.threads),
                        '--output-dir', folder])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--scale', default='1')
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--binary', default=ROOT / 'build/release/saccade')
    parser.add_argument('--out', default=ROOT / 'build')
    arguments = parser.parse_args()
    ours = [arguments.binary, '--threads', str(arguments.threads), '-c', f'CALL tpch({arguments.scale})']
    times = [(seconds(ours), peer_seconds(arguments)) for _ in range(arguments.runs)]
    version = subprocess.run([PEER, '--version'], capture_output=True, text=True, check=True).stdout.strip()
    print(f'TPC-H at scale factor {arguments.scale}, {arguments.threads} threads, {version}, {os.cpu_count()} cores, '
          f'{datetime.date.today()}\n')
    print('| run | Saccade, memory s | tpchgen-cli, Parquet s | Saccade / tpchgen-cli |\n|---|---:|---:|---:|')
    medians = tuple(statistics.median(column) for column in zip(*times))
    for name, (mine, other) in [*enumerate(times, 1), ('median', medians)]:
        print(f'| {name} | {mine:.2f} | {other:.2f} | {mine / other:.2f} |')


if __name__ == '__main__':
    main()
