#!/usr/bin/env python3
"""Random Parquet files by pyarrow, of every codec, encoding, page size and share of nulls, against what pyarrow wrote:
run_random_parquet.py BINARY CONFIGURATION [--count 40] [--seed 1]

Each file is read whole, and in parts by ranges of its first column, which row groups and pages are skipped by.
"""

import argparse
import datetime
import decimal
import random
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parent))
from run_files import Comparison, saccade_shell  # noqa: E402

CODECS = ('snappy', 'snappy', 'snappy', 'zstd', 'gzip', 'lz4', 'brotli', 'none')
EPOCH = datetime.datetime(1970, 1, 1)


def integers(bits):
    def make(rng, distinct):
        span = rng.choice([span for span in (1, 100, 60_000, 1 << 31) if span < 1 << (bits - 1)] + [1 << bits])
        low = -span // 2 if span == 1 << bits else rng.choice((0, -span // 2))
        return [rng.randrange(low, low + span) for _ in range(distinct)]
    return make


def texts(rng, distinct):
    letters = rng.choice(('ab', 'abcdefghij klmno', 'aäß東🦉'))
    longest = rng.choice((1, 12, 300))
    return [''.join(rng.choices(letters, k=rng.randint(0, longest))) for _ in range(distinct)]


# By name: the type, whether Python's value is a real, and what makes values.
KINDS = {
    'i16': (pa.int16(), False, integers(16)),
    'i32': (pa.int32(), False, integers(32)),
    'i64': (pa.int64(), False, integers(64)),
    'u32': (pa.uint32(), False, lambda rng, distinct: [rng.randrange(1 << 32) for _ in range(distinct)]),
    'bool': (pa.bool_(), False, lambda rng, distinct: [rng.random() < 0.3 for _ in range(distinct)]),
    'real': (pa.float32(), True, lambda rng, distinct: [rng.randrange(-9999, 9999) / 16 for _ in range(distinct)]),
    'double': (pa.float64(), False, lambda rng, distinct: [rng.gauss(0, 1e6) for _ in range(distinct)]),
    'money': (pa.decimal128(12, 2), False,
              lambda rng, distinct: [decimal.Decimal(rng.randrange(-10**11, 10**11)).scaleb(-2) for _ in range(distinct)]),
    'long_number': (pa.decimal128(30, 4), False,
                    lambda rng, distinct: [decimal.Decimal(rng.randrange(-10**28, 10**28)).scaleb(-4) for _ in range(distinct)]),
    'date': (pa.date32(), False,
             lambda rng, distinct: [datetime.date(1992, 1, 1) + datetime.timedelta(days=rng.randrange(2600)) for _ in range(distinct)]),
    'moment': (pa.timestamp('us'), False,
               lambda rng, distinct: [EPOCH + datetime.timedelta(microseconds=rng.randrange(10**15)) for _ in range(distinct)]),
    'milli': (pa.timestamp('ms'), False,
              lambda rng, distinct: [EPOCH + datetime.timedelta(milliseconds=rng.randrange(10**12)) for _ in range(distinct)]),
    'text': (pa.string(), False, texts),
    'word': (pa.string(), False, texts),
    'bytes': (pa.binary(), False, lambda rng, distinct: [rng.randbytes(rng.randint(0, 20)) for _ in range(distinct)]),
}


def make_column(rng, name, rows):
    kind, _, make = KINDS[name]
    distinct = rng.choice((1, 3, 200, max(rows, 1)))
    values = make(rng, distinct)
    column = [rng.choice(values) for _ in range(rows)]
    nulls = rng.choice((0, 0, 0.01, 0.5, 1))
    column = [None if rng.random() < nulls else value for value in column]
    if rng.random() < 0.2:
        column.sort(key=lambda value: (value is None, value))
    may_be_null = nulls > 0 or rng.random() < 0.5
    return pa.field(name, kind, nullable=may_be_null), pa.array(column, kind)


def make_table(rng):
    rows = rng.choice((0, 1, 9, 700, 5000, 5000, 140_000))
    names = rng.sample(sorted(KINDS), rng.randint(1, 6) if rows < 100_000 else 3)
    columns = [(pa.field('id', pa.int64(), nullable=False), pa.array(range(rows), pa.int64()))]
    columns += [make_column(rng, name, rows) for name in names]
    return pa.table([column for _, column in columns], schema=pa.schema([field for field, _ in columns]))


def write(rng, table, path):
    large = table.num_rows >= 100_000
    dictionary = rng.choice((True, True, False, rng.sample(table.column_names, 1)))
    pq.write_table(table, path, compression=rng.choice(CODECS), use_dictionary=dictionary,
                   data_page_version=rng.choice(('1.0', '2.0')), version=rng.choice(('1.0', '2.6')) if 'moment' not in table.column_names else '2.6',
                   data_page_size=rng.choice((200 if not large else 5000, 5000, 1 << 20)),
                   dictionary_pagesize_limit=rng.choice((100, 1 << 20)),
                   row_group_size=table.num_rows if large else rng.choice((1000, 3000, 1 << 20)),
                   write_page_index=large or rng.random() < 0.5, write_statistics=rng.random() < 0.8,
                   write_page_checksum=rng.random() < 0.5, store_decimal_as_integer=rng.random() < 0.5)


def compare(rng, comparison, table, path):
    # What was written is compared, but for values that the format itself changes.
    rows = [tuple(row.values()) for row in pq.read_table(path).to_pylist()]
    reals = [i for i, name in enumerate(table.column_names) if name in KINDS and KINDS[name][1]]
    if len(rows) <= 5000:
        comparison.rows(f"SELECT * FROM '{path}' ORDER BY id", rows, reals)
    for _ in range(3):
        low = rng.randrange(len(rows) + 1)
        high = low + rng.choice((1, 50, 900))
        column = rng.randrange(1, len(table.column_names))
        name = table.column_names[column]
        comparison.rows(f"SELECT id, {name} FROM '{path}' WHERE id >= {low} AND id < {high} ORDER BY id",
                        [(row[0], row[column]) for row in rows[low:high]], [1] if column in reals else [])
        comparison.rows(f"SELECT count(*), count({name}), count(DISTINCT {name}) FROM '{path}' WHERE id >= {low}",
                        [(len(rows[low:]), sum(row[column] is not None for row in rows[low:]),
                          len({row[column] for row in rows[low:]} - {None}))])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('binary')
    parser.add_argument('configuration', choices=saccade_shell.CONFIGURATIONS)
    parser.add_argument('--count', type=int, default=40)
    parser.add_argument('--seed', type=int, default=1)
    arguments = parser.parse_args()
    comparison = Comparison()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.count):
            rng = random.Random(arguments.seed * 100_000 + number)
            table, path = make_table(rng), Path(folder) / f'{number}.parquet'
            write(rng, table, path)
            compare(rng, comparison, table, path)
        return 1 if comparison.run(arguments.binary, arguments.configuration) else 0


if __name__ == '__main__':
    sys.exit(main())
