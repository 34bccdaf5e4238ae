#!/usr/bin/env python3
"""Compares Saccade's answers with DuckDB's over the same Parquet files.

run_oracle.py BINARY CONFIGURATION parquet|memory [--scale 0.01|1|10] [--folder FOLDER] [NAME...]

parquet: the queries name files, or views over them. memory: the tables are made by CREATE TABLE AS first. Queries: queries/*.sql,
where {table} stands for a table, and the 22 of TPC-H (test/tpch/queries); at scale factors 1 and 10 only those. FOLDER: of TPC-H's
Parquet files, data/tpch/sf<scale> by default. What follows "-- for DuckDB:" in a file is DuckDB's own text where the two dialects
differ. DuckDB sorts nulls as PostgreSQL does here.
"""

import argparse
import datetime
import decimal
import math
import os
import re
import sys
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import saccade_shell  # noqa: E402

ROOT = saccade_shell.ROOT
TPCH_TABLES = ('customer', 'orders', 'lineitem', 'part', 'partsupp', 'supplier', 'nation', 'region')
OWN_TABLES = ('numbers', 'dims', 'facts', 'no_rows', 'one_row', 'extremes', 'all_null', 'many_texts')
TOLERANCE = 1e-10  # relative; of floating sums, and of what DuckDB computes in doubles (avg, numeric division)
LAST_DIGIT = 1e-15  # absolute: numeric division ends at 16 digits after the point


def read_tpch_query(name, scale):
    """The text of one of TPC-H's queries. Of Q11, the standard divides the share by the scale factor; at 10 its order has ties."""
    text = (ROOT / f'test/tpch/queries/{name}.sql').read_text()
    if scale == '10':
        text = text.replace('ORDER BY value DESC', 'ORDER BY value DESC, ps_partkey')
    return statement(text.replace('0.0001000000', f'{0.0001 / float(scale):.10f}'))


def read_queries(scale, names):
    queries = {}
    for number in range(1, 23):
        text = read_tpch_query(f'q{number:02}', scale)
        queries[f'q{number:02}'] = (text, text)
    if scale == '0.01':
        for path in sorted((ROOT / 'test/oracle/queries').glob('*.sql')):
            ours, _, theirs = path.read_text().partition('-- for DuckDB:\n')
            queries[path.stem] = (ours, theirs or ours)
    return {name: text for name, text in queries.items() if not names or name in names}


def fill(text, places):
    return re.sub(r'\{(\w+)\}', lambda match: places[match.group(1)], text)


def statement(text):
    return re.sub(r'^--.*\n', '', text, flags=re.MULTILINE).strip().rstrip(';')


def same_float(ours, theirs):
    if math.isnan(theirs) or math.isinf(theirs) or ours in ('NaN', 'Infinity', '-Infinity'):
        return float(ours) == theirs or (math.isnan(theirs) and ours == 'NaN')
    value = float(ours)
    return abs(value - theirs) <= LAST_DIGIT + TOLERANCE * max(abs(value), abs(theirs))


def same_value(ours, theirs):
    if theirs is None or ours is None:
        return ours is None and theirs is None
    try:
        if isinstance(theirs, bool):
            return ours == ('t' if theirs else 'f')
        if isinstance(theirs, int):
            return int(ours) == theirs
        if isinstance(theirs, float):
            return same_float(ours, theirs)
        if isinstance(theirs, decimal.Decimal):
            return decimal.Decimal(ours) == theirs
        if isinstance(theirs, datetime.datetime):
            return datetime.datetime.fromisoformat(ours) == theirs
        if isinstance(theirs, datetime.date):
            return datetime.date.fromisoformat(ours) == theirs
    except (ValueError, decimal.InvalidOperation):
        return False
    return ours == str(theirs)


def compare(output, rows):
    """None where the rows are the same, else the first difference."""
    if output.sqlstate is not None:
        return f'{output.sqlstate} {output.message}'
    for number, (ours, theirs) in enumerate(zip(output.rows, rows)):
        if len(ours) != len(theirs):
            return f'row {number}: {len(ours)} columns, DuckDB has {len(theirs)}'
        for column, (a, b) in enumerate(zip(ours, theirs)):
            if not same_value(a, b):
                return f'row {number}, column {column} ({output.header[column]}): {a!r}, DuckDB has {b!r}\n  ours   {ours}\n  DuckDB {list(theirs)}'
    if len(output.rows) != len(rows):
        return f'{len(output.rows)} rows, DuckDB has {len(rows)}'
    return None


def load_statements(source, files):
    what = 'TABLE' if source == 'memory' else 'VIEW'
    return [f'CREATE {what} {name} AS SELECT * FROM {file}' for name, file in files.items()
            if source == 'memory' or name in TPCH_TABLES]


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument('binary')
    parser.add_argument('configuration', choices=saccade_shell.CONFIGURATIONS)
    parser.add_argument('source', choices=['parquet', 'memory'])
    parser.add_argument('--scale', choices=['0.01', '1', '10'], default='0.01')
    parser.add_argument('--folder')
    parser.add_argument('--timeout', type=int, default=900)
    parser.add_argument('names', nargs='*')
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    reason = saccade_shell.why_skipped(arguments.configuration)
    if reason:
        print(f'skipped: {reason}')
        return saccade_shell.SKIPPED
    data = os.environ.get('SACCADE_TEST_DATA', 'build/release/test_data')
    folder = arguments.folder or f'data/tpch/sf{arguments.scale}'
    files = {name: f"'{folder}/{name}.parquet'" for name in TPCH_TABLES}
    if arguments.scale == '0.01':
        files |= {name: f"'{data}/{name}.parquet'" for name in OWN_TABLES}
    queries = read_queries(arguments.scale, arguments.names)
    os.chdir(ROOT)
    connection = duckdb.connect()
    connection.execute("SET default_null_order = 'postgres'; SET threads = 2")
    for text in load_statements('parquet', files):
        connection.execute(text)
    expected = {name: connection.execute(fill(theirs, files)).fetchall() for name, (_, theirs) in queries.items()}

    setup = ['SET verify = on'] + load_statements(arguments.source, files)
    places = files if arguments.source == 'parquet' else {name: name for name in files}
    statements = setup + [statement(fill(ours, places)) for ours, _ in queries.values()]
    outputs = saccade_shell.run(arguments.binary, arguments.configuration, statements, timeout=arguments.timeout)
    failed = 0
    for text, output in zip(setup, outputs):
        if output.sqlstate is not None:
            failed += 1
            print(f'{text}: {output.sqlstate} {output.message}')
    for name, output in zip(queries, outputs[len(setup):]):
        problem = compare(output, expected[name])
        failed += problem is not None
        if problem and output.sqlstate != 'not run':
            print(f'{name}: {problem}\n')
    print(f'{len(setup) + len(queries) - failed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
