#!/usr/bin/env python3
"""Compares Saccade's answers to random queries with joins with DuckDB's: run_joins.py BINARY CONFIGURATION [--seed N] [--count N]

Tables of 0 to some thousand rows with NULLs, repeated keys, keys of several types and dense unique keys are joined by random
trees of inner, left, right, full and cross joins, with random conditions in ON and WHERE, and with EXISTS and IN. The same seed
makes the same tables and queries. A query that fails is printed with its number.
"""

import argparse
import os
import random
import sys
import tempfile
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import saccade_shell  # noqa: E402
from run_oracle import compare  # noqa: E402

# name: rows, number of different keys, share of NULLs
TABLES = {
    'no_rows': (0, 5, 0), 'one_row': (1, 5, 0), 'few': (7, 5, 0.2), 'small': (40, 12, 0.1), 'solid': (60, 30, 0),
    'nulls': (25, 3, 0.7), 'large': (3000, 900, 0.05), 'repeats': (2500, 40, 0.1),
}
COLUMNS = ('id', 'k', 'b', 't', 'd', 'w')  # unique bigint, integer, bigint, text, date, wide numeric
COMPARABLE = [('id', 'k', 'b'), ('t',), ('d',), ('w',)]
ALL_KINDS = ['JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN', 'CROSS JOIN']


def make_tables(connection, folder, rng):
    for name, (rows, keys, nulls) in TABLES.items():
        connection.execute(f'CREATE TABLE {name} (id BIGINT, k INTEGER, b BIGINT, t VARCHAR, d DATE, w DECIMAL(30, 2))')

        def value(made):
            return None if rng.random() < nulls else made
        for i in range(rows):
            key = rng.randrange(keys)
            connection.execute(f'INSERT INTO {name} VALUES (?, ?, ?, ?, ?, ?)', [
                i, value(key), value(rng.randrange(-keys, keys) * 10 ** rng.choice([0, 0, 12])), value(f'text {rng.randrange(keys)}'),
                value(f'2020-01-{1 + rng.randrange(min(keys, 28)):02}'), value(f'{rng.randrange(keys)}{"0" * rng.choice([0, 20])}.5')])
        connection.execute(f"COPY {name} TO '{folder / (name + '.parquet')}' (FORMAT parquet)")


class Query:
    """One random query. Each relation has an alias of its own, a0, a1, ..."""

    def __init__(self, rng, subqueries):
        self.rng = rng
        self.aliases = 0
        self.budget = 3_000_000  # pairs that a nested loop over all relations would look at
        self.subqueries = subqueries

    def table(self):
        fits = [name for name, (rows, _, _) in TABLES.items() if max(rows, 1) <= self.budget]
        name = self.rng.choice(fits)
        self.budget //= max(TABLES[name][0], 1)
        alias = f'a{self.aliases}'
        self.aliases += 1
        return f'{{{name}}} AS {alias}', [alias]

    def column(self, aliases, among=COLUMNS):
        return f'{self.rng.choice(aliases)}.{self.rng.choice(among)}'

    def equality(self, left, right):
        group = self.rng.choice(COMPARABLE + [COMPARABLE[0]])
        return f'{self.column(left, group)} = {self.column(right, group)}'

    def condition(self, left, right):
        both = left + right
        kind = self.rng.randrange(7)
        if kind == 0:
            return f'{self.column(left, ("id", "k", "b"))} {self.rng.choice(["<", ">=", "<>"])} {self.column(right, ("id", "k", "b"))}'
        if kind == 1:
            return f'{self.column(both, ("id", "k"))} {self.rng.choice(["<", ">", "="])} {self.rng.randrange(12)}'
        if kind == 2:
            return f'{self.column(both)} IS {self.rng.choice(["", "NOT "])}NULL'
        if kind == 3:
            return f"({self.column(both, ('t',))} = 'text 1' OR {self.column(both, ('k',))} > {self.rng.randrange(9)})"
        if kind == 4:
            return f'coalesce({self.column(both, ("k",))}, {self.rng.randrange(5)}) = {self.rng.randrange(5)}'
        if kind == 5:
            return f'{self.column(left, ("k",))} IS NOT DISTINCT FROM {self.column(right, ("k",))}'
        return f"{self.column(both, ('t',))} LIKE 'text%{self.rng.randrange(10)}'"

    def on(self, left, right):
        parts = [self.equality(left, right) for _ in range(self.rng.choice([0, 1, 1, 1, 1, 2]))]
        parts += [self.condition(left, right) for _ in range(self.rng.choice([0, 0, 1, 2]))]
        return ' AND '.join(parts) or 'true'

    def tree(self, relations):
        if relations == 1:
            return self.table()
        left_count = self.rng.randrange(1, relations)
        left, left_aliases = self.tree(left_count)
        right, right_aliases = self.tree(relations - left_count)
        kind = self.rng.choice(ALL_KINDS[:4] * 4 + ALL_KINDS)
        if relations - left_count > 1:
            right = f'({right})'
        text = f'{left} {kind} {right}'
        if kind != 'CROSS JOIN':
            text += f' ON {self.on(left_aliases, right_aliases)}'
        return text, left_aliases + right_aliases

    def subquery(self, aliases):
        inner, inner_aliases = self.table()
        negated = self.rng.choice(['', 'NOT '])
        group = self.rng.choice(COMPARABLE[:2])
        if self.rng.random() < 0.5:
            return f'{self.column(aliases, group)} {negated}IN (SELECT {self.column(inner_aliases, group)} FROM {inner})'
        return f'{negated}EXISTS (SELECT 1 FROM {inner} WHERE {self.on(aliases, inner_aliases)})'

    def text(self):
        tree, aliases = self.tree(self.rng.choice([2, 2, 2, 3, 3, 4]))
        where = [self.condition(aliases, aliases) for _ in range(self.rng.choice([0, 0, 1, 2]))]
        if self.subqueries:
            where += [self.subquery(aliases) for _ in range(self.rng.choice([1, 1, 2]))]
        where = f' WHERE {" AND ".join(where)}' if where else ''
        if self.rng.random() < 0.3:
            columns = ', '.join(f'{alias}.id, {alias}.t' for alias in aliases)
            order = ', '.join(str(i + 1) for i in range(2 * len(aliases)))
            return f'SELECT {columns} FROM {tree}{where} ORDER BY {order} LIMIT 500'
        if self.rng.random() < 0.5:
            key = self.column(aliases, ('k', 't', 'd'))
            sums = ', '.join(f'count({alias}.id), sum({alias}.id), max({alias}.t)' for alias in aliases)
            return f'SELECT {key}, count(*), {sums} FROM {tree}{where} GROUP BY {key} ORDER BY 1'
        sums = ', '.join(f'count({alias}.id), sum({alias}.b), min({alias}.w)' for alias in aliases)
        return f'SELECT count(*), {sums} FROM {tree}{where}'


def expected_rows(connection, text):
    """None where DuckDB lacks the query's form or fails."""
    try:
        return connection.execute(text.format(**{name: name for name in TABLES})).fetchall()
    except duckdb.Error:
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('binary')
    parser.add_argument('configuration', choices=saccade_shell.CONFIGURATIONS)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=300)
    parser.add_argument('--subqueries', action='store_true')
    parser.add_argument('--only', type=int, help='the number of the one query to run')
    arguments = parser.parse_args()
    reason = saccade_shell.why_skipped(arguments.configuration)
    if reason:
        print(f'skipped: {reason}')
        return saccade_shell.SKIPPED
    rng = random.Random(arguments.seed)
    os.chdir(saccade_shell.ROOT)
    connection = duckdb.connect()
    connection.execute("SET default_null_order = 'postgres'; SET threads = 2")
    with tempfile.TemporaryDirectory() as folder:
        make_tables(connection, Path(folder), rng)
        files = {name: f"'{folder}/{name}.parquet'" for name in TABLES}
        setup = ['SET verify = on'] + [f'CREATE TABLE {name} AS SELECT * FROM {file}' for name, file in files.items()]
        queries = {}
        for number in range(arguments.count):
            text = Query(rng, arguments.subqueries).text()
            if arguments.only in (None, number):
                queries[number] = text
        expected = {number: expected_rows(connection, text) for number, text in queries.items()}
        queries = {number: text for number, text in queries.items() if expected[number] is not None}
        places = [files, {name: name for name in TABLES}]
        statements = [text.format(**places[number % 2]) for number, text in queries.items()]
        outputs = saccade_shell.run(arguments.binary, arguments.configuration, setup + statements)
    failed = sum(output.sqlstate is not None for output in outputs[:len(setup)])
    for (number, text), output in zip(queries.items(), outputs[len(setup):]):
        problem = compare(output, expected[number])
        failed += problem is not None
        if problem:
            print(f'query {number}: {text}\n  {problem}\n')
    print(f'{len(queries) - failed} passed, {failed} failed, {arguments.count - len(queries)} that DuckDB lacks')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
