#!/usr/bin/env python3
"""Compares answers to random queries over windows, set operations and aggregates with DuckDB's: the same queries at every run.

run_random.py BINARY CONFIGURATION [--seed N] [--count N] [--print]

The tables are small and full of repeats and NULLs; every query is ordered totally, or its rows are compared as a bag. --print
writes the statements, and nothing else.
"""

import argparse
import random
import sys
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import run_oracle  # noqa: E402
import saccade_shell  # noqa: E402

COLUMNS = {'id': 'int', 'g': 'int', 'k': 'int', 'x': 'int', 'n': 'numeric', 'f': 'float', 't': 'text', 'd': 'date'}
TABLES = ('r1', 'r2', 'r3')


def literal(value, kind):
    if value is None:
        return f'CAST(NULL AS {kind})'
    if kind in ('text', 'date', 'double precision'):
        return f"CAST('{value}' AS {kind})"
    return f'CAST({value} AS {kind})'


def rows_of(generator, count):
    rows = []
    for number in range(count):
        def maybe(value, share=0.2):
            return None if generator.random() < share else value
        rows.append((number, maybe(generator.randint(1, 3)), maybe(generator.randint(-4, 4)), maybe(generator.randint(-50, 50)),
                     maybe(f'{generator.randint(-900, 900) / 100:.2f}'), maybe(generator.choice([0.5, -1.25, 3.0, 1e6, -2.5])),
                     maybe(generator.choice(['a', 'b', 'ab', '', 'zz'])), maybe(f'2024-0{generator.randint(1, 3)}-{generator.randint(1, 28):02d}')))
    return rows


def make_table(name, rows):
    kinds = ('integer', 'integer', 'integer', 'bigint', 'numeric(10,2)', 'double precision', 'text', 'date')
    selects = [f"SELECT {', '.join(f'{literal(v, k)} AS {c}' for v, k, c in zip(row, kinds, COLUMNS))}" for row in rows]
    if not selects:
        empty = ', '.join(f'{literal(None, kind)} AS {column}' for kind, column in zip(kinds, COLUMNS))
        return f'CREATE TABLE {name} AS SELECT * FROM (SELECT {empty}) AS e WHERE id IS NOT NULL'
    return f"CREATE TABLE {name} AS {' UNION ALL '.join(selects)}"


class Queries:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, *choices):
        return self.random.choice(choices)

    def sort_key(self, column):
        return f"{column} {self.pick('ASC', 'DESC')} NULLS {self.pick('FIRST', 'LAST')}"

    def bound(self, mode, key, side):
        offset = {'ROWS': lambda: str(self.random.randint(0, 4)), 'GROUPS': lambda: str(self.random.randint(0, 2))}.get(mode)
        if mode == 'RANGE':
            offset = {'k': lambda: str(self.random.randint(0, 3)), 'x': lambda: str(self.random.randint(0, 30)),
                      'n': lambda: self.pick('0.5', '2.25', '10'), 'd': lambda: self.pick("INTERVAL '10 days'", "INTERVAL '1 month'"),
                      'f': lambda: self.pick('0.5', '2.0')}.get(key)
        choices = ['CURRENT ROW', f"UNBOUNDED {'PRECEDING' if side == 'start' else 'FOLLOWING'}"]
        if offset:
            choices += [f'{offset()} PRECEDING', f'{offset()} FOLLOWING'] * 2
        return self.random.choice(choices)

    def frame(self, mode, key):
        order = ['UNBOUNDED PRECEDING', 'PRECEDING', 'CURRENT ROW', 'FOLLOWING', 'UNBOUNDED FOLLOWING']

        def rank(bound):
            return max(i for i, name in enumerate(order) if bound.endswith(name))
        while True:
            start, end = self.bound(mode, key, 'start'), self.bound(mode, key, 'end')
            if rank(start) <= rank(end):
                break
        exclude = self.pick('', '', ' EXCLUDE CURRENT ROW', ' EXCLUDE GROUP', ' EXCLUDE TIES')
        return f'{mode} BETWEEN {start} AND {end}{exclude}'

    def window(self, total):
        """`total`: the order must tell all rows apart."""
        partition = self.pick('', 'PARTITION BY g', 'PARTITION BY g, t', 'PARTITION BY t')
        key = self.pick('k', 'x', 'n', 'd', 'f', 't')
        order = '' if not total and self.random.random() < 0.15 else f'ORDER BY {self.sort_key(key)}'
        if order and (total or self.random.random() < 0.3):
            order += ', id'
            key = None
        modes = ['ROWS'] if total else ['RANGE'] + (['GROUPS'] if order else [])
        frame = self.frame(self.pick(*modes), key if order else None) if self.random.random() < 0.8 else ''
        return ' '.join(part for part in (partition, order, frame) if part)

    def window_function(self):
        if self.random.random() < 0.3:
            name = self.pick('rank()', 'dense_rank()', 'percent_rank()', 'cume_dist()')
            return f"{name} OVER ({self.pick('', 'PARTITION BY g ')}ORDER BY {self.sort_key(self.pick('k', 't', 'd', 'f'))})"
        if self.random.random() < 0.4:
            column = self.pick('x', 'n', 't', 'd', 'f')
            name = self.pick(f'first_value({column})', f'last_value({column})', f'nth_value({column}, 2)', f'lag({column})',
                             f'lead({column}, 2)', f'lag({column}, 1, {column})', 'row_number()', 'ntile(3)')
            return f'{name} OVER ({self.window(True)})'
        column = self.pick('x', 'n', 'f', 'k')
        name = self.pick(f'sum({column})', f'count({column})', 'count(*)', f'min({column})', f'max({column})', f'avg({column})',
                         "min(t)", 'max(d)', 'bool_or(k > 0)')
        if self.random.random() < 0.3:
            name += f" FILTER (WHERE {self.pick('k > 0', 'x IS NOT NULL', 'g = 1')})"
        return f'{name} OVER ({self.window(self.random.random() < 0.5)})'

    def windows(self):
        functions = ', '.join(f'{self.window_function()} AS c{i}' for i in range(self.random.randint(1, 4)))
        return f'SELECT id, {functions} FROM {self.pick(*TABLES)} ORDER BY id'

    def branch(self, columns):
        where = self.pick('', '', ' WHERE k > 0', ' WHERE g = 2', ' WHERE t IS NULL')
        return f"SELECT {', '.join(columns)} FROM {self.pick(*TABLES)}{where}"

    def set_operation(self):
        columns = self.random.sample(['g', 'k', 't', 'f', 'd', 'n'], self.random.randint(1, 2))
        text = self.branch(columns)
        for _ in range(self.random.randint(1, 3)):
            operation = self.pick('UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT', 'INTERSECT ALL', 'EXCEPT ALL')
            right = self.branch(columns)
            text = f'({text}) {operation} ({right})' if self.random.random() < 0.7 else f'({right}) {operation} ({text})'
        return text

    def aggregate(self):
        calls = []
        for _ in range(self.random.randint(1, 4)):
            column = self.pick('k', 'x', 'n', 't', 'd')
            name = self.pick(f'count(DISTINCT {column})', f"sum(DISTINCT {self.pick('k', 'x', 'n')})", f'count({column})', 'count(*)',
                             f'min({column})', f'max(DISTINCT {column})', f"avg(DISTINCT {self.pick('k', 'x')})", 'bool_and(k > 0)')
            if self.random.random() < 0.3:
                name += f" FILTER (WHERE {self.pick('k > 0', 'g = 1', 'x IS NULL', 'id < 0')})"
            calls.append(f'{name} AS c{len(calls)}')
        keys = self.pick('', 'g', 't', 'g, t')
        select = f"SELECT {keys}{', ' if keys else ''}{', '.join(calls)} FROM {self.pick(*TABLES)}"
        return select + (f' GROUP BY {keys}' if keys else '')

    def query(self):
        return self.pick(self.windows, self.windows, self.set_operation, self.aggregate)()


def sort_text(row):
    return [(value is None, str(value)) for value in row]


def same_bag(output, expected):
    """The rows of queries without an order: each of DuckDB's rows meets one of ours."""
    if output.sqlstate is not None:
        return f'{output.sqlstate} {output.message}'
    left = [list(row) for row in output.rows]
    for row in expected:
        match = next((i for i, ours in enumerate(left)
                      if len(ours) == len(row) and all(run_oracle.same_value(a, b) for a, b in zip(ours, row))), None)
        if match is None:
            return f'DuckDB has {list(row)}; left of ours: {left[:5]}'
        left.pop(match)
    return f'DuckDB has no {left[0]}' if left else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('binary')
    parser.add_argument('configuration', choices=saccade_shell.CONFIGURATIONS)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=150)
    parser.add_argument('--print', action='store_true')
    arguments = parser.parse_args()
    reason = saccade_shell.why_skipped(arguments.configuration)
    if reason:
        print(f'skipped: {reason}')
        return saccade_shell.SKIPPED
    generator = Queries(arguments.seed)
    setup = [make_table(name, rows_of(generator.random, count)) for name, count in zip(TABLES, (60, 9, 0))]
    queries = [generator.query() for _ in range(arguments.count)]
    # One of 10,000 queries, whose answer arithmetic knows.
    wide = f"SELECT count(*), sum(x) FROM ({' UNION ALL '.join(f'SELECT {number} AS x' for number in range(10_000))}) AS u"
    if arguments.print:
        print(''.join(f'{text};\n' for text in setup + queries))
        return 0
    connection = duckdb.connect()
    for text in setup:
        connection.execute(text)
    outputs = saccade_shell.run(arguments.binary, arguments.configuration, ['SET verify = on'] + setup + queries + [wide], timeout=900)[1:]
    failed = int(outputs[-1].rows != [['10000', '49995000']])
    if failed:
        print(f'a union of 10,000 queries: {outputs[-1].sqlstate} {outputs[-1].rows}')
    for text, output in zip(setup, outputs):
        if output.sqlstate is not None:
            failed += 1
            print(f'{text}: {output.sqlstate} {output.message}')
    for text, output in zip(queries, outputs[len(setup):-1]):
        expected = connection.execute(text).fetchall()
        ordered = text.endswith('ORDER BY id')
        problem = run_oracle.compare(output, expected) if ordered else same_bag(output, expected)
        if problem and output.sqlstate != 'not run':
            print(f'{text}\n  {problem}\n')
        failed += problem is not None
    print(f'{len(outputs) - failed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
