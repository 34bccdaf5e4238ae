#!/usr/bin/env python3
"""Compares what Saccade reads from files, and writes to them, with other readers: run_files.py BINARY CONFIGURATION

Parquet: the files of ../shared/data/parquet (without it, of test/data/parquet) with their _expect.csv or with what DuckDB reads.
CSV: files of many forms with what DuckDB reads. Arrow: files of every type by pyarrow, with pyarrow's values. Parquet files of
the same types.
"""

import csv
import datetime
import decimal
import math
import re
import struct
import sys
import tempfile
from pathlib import Path

import duckdb
import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import saccade_shell  # noqa: E402

ROOT = saccade_shell.ROOT
# Beside the checkout, or beside the one that a work tree belongs to.
SHARED = next((place for above in ROOT.parents if (place := above / 'shared/data/parquet').exists()), None)
OUT_OF_RANGE = {'int96_from_spark': '22008'}  # days that no timestamp has: DuckDB refuses the file as well


def as_float(text):
    return {'Infinity': math.inf, '-Infinity': -math.inf, 'NaN': math.nan}.get(text) or float(text)


def same_double(ours, theirs):
    value = as_float(ours)
    return value == theirs or (math.isnan(value) and math.isnan(theirs))


def same_real(ours, theirs):
    """theirs: a float32 widened; ours: its shortest text."""
    value = as_float(ours)
    if math.isnan(theirs) or math.isinf(theirs):
        return same_double(ours, theirs)
    return struct.pack('f', value) == struct.pack('f', theirs)


def time_text(value):
    return value.isoformat().rstrip('0').rstrip('.') if value.microsecond else value.isoformat()


def same(ours, theirs, real=False):
    if ours is None or theirs is None:
        return ours is None and theirs is None
    try:
        return same_value(ours, theirs, real)
    except (ValueError, decimal.InvalidOperation):
        return False


def same_value(ours, theirs, real):
    if isinstance(theirs, bool):
        return ours == ('t' if theirs else 'f')
    if isinstance(theirs, float):
        return same_real(ours, theirs) if real else same_double(ours, theirs)
    if isinstance(theirs, (int, decimal.Decimal)):
        return decimal.Decimal(ours) == theirs
    if isinstance(theirs, bytes):
        return ours == '\\x' + theirs.hex()
    if isinstance(theirs, datetime.datetime):
        value = datetime.datetime.fromisoformat(re.sub(r'([+-]\d\d)$', r'\1:00', ours))
        return (value.tzinfo is None) == (theirs.tzinfo is None) and value == theirs
    if isinstance(theirs, datetime.date):
        return datetime.date.fromisoformat(ours) == theirs
    if isinstance(theirs, datetime.time):
        return ours == time_text(theirs)
    return ours == str(theirs)


class Comparison:
    """Statements to run in one process, each with what its rows must be."""

    def __init__(self):
        self.statements, self.expected = ["SET verify = on"], [None]

    def rows(self, sql, rows, reals=()):
        self.statements.append(sql)
        self.expected.append((rows, set(reals)))

    def error(self, sql, state):
        self.statements.append(sql)
        self.expected.append(state)

    def run(self, binary, configuration):
        failed = 0
        outputs = saccade_shell.run(binary, configuration, self.statements, timeout=600)
        for sql, expected, output in zip(self.statements, self.expected, outputs):
            problem = judge(expected, output)
            if problem:
                failed += 1
                print(f'{sql}\n  {problem}\n')
        print(f'{len(self.statements) - failed} passed, {failed} failed')
        return failed


def judge(expected, output):
    if expected is None or isinstance(expected, str):
        return None if output.sqlstate == expected else f'expected {expected}, got {output.sqlstate} {output.message}'
    if output.sqlstate is not None:
        return f'{output.sqlstate} {output.message}'
    rows, reals = expected
    if len(rows) != len(output.rows):
        return f'{len(output.rows)} rows, expected {len(rows)}'
    for number, (ours, theirs) in enumerate(zip(output.rows, rows)):
        if len(ours) != len(theirs):
            return f'row {number}: {len(ours)} columns, expected {len(theirs)}'
        for column, (a, b) in enumerate(zip(ours, theirs)):
            if not same(a, b, column in reals):
                return f'row {number}, column {column} ({output.header[column]}): {a!r}, expected {b!r}'
    return None


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def compare_parquet(comparison):
    folder = SHARED or ROOT / 'test/data/parquet'
    if SHARED is None:
        print(f'../shared/data/parquet is not there: taking {folder}, without the files _expect.csv')
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    paths = sorted(folder.glob('*.parquet'))
    for path in paths:
        if path.stem in OUT_OF_RANGE:
            refused_by_both(comparison, connection, path)
        else:
            compare_parquet_file(comparison, connection, path)
    print(f'{len(paths)} Parquet files in {folder}')


def refused_by_both(comparison, connection, path):
    try:
        connection.execute(f"SELECT * FROM '{path}'").fetchall()
    except duckdb.Error:
        comparison.error(f"SELECT * FROM '{path}'", OUT_OF_RANGE[path.stem])
        return
    raise SystemExit(f'DuckDB reads {path} now: compare its rows')


def compare_parquet_file(comparison, connection, path):
    """All flat columns with DuckDB's rows, and with the file's own expected ones where there are some."""
    relation = connection.sql(f"SELECT * FROM '{path}'")
    kinds = {name: kind.id for name, kind in zip(relation.columns, relation.types)}
    flat = [name for name, kind in kinds.items() if kind not in ('list', 'struct', 'map')]
    for name in kinds.keys() - set(flat):
        comparison.error(f"SELECT {quoted(name)} FROM '{path}'", '0A000')
    if not flat:
        comparison.rows(f"SELECT count(*) FROM '{path}'", [(len(relation.fetchall()),)])
        return
    columns = ', '.join(quoted(name) for name in flat) if len(flat) < len(kinds) else '*'
    reals = [i for i, name in enumerate(flat) if kinds[name] == 'float']
    comparison.rows(f"SELECT {columns} FROM '{path}'", connection.execute(f"SELECT {columns} FROM '{path}'").fetchall(), reals)
    expect = path.with_name(path.stem + '_expect.csv')
    if expect.exists():
        if len(flat) < len(kinds):
            raise SystemExit(f'{expect} has columns that are nested in {path}')
        comparison.rows(f"SELECT * FROM '{path}'", expected_rows(expect, flat, relation))


def expected_rows(path, columns, relation):
    """The file's texts; an empty one is null, as its columns have no empty texts."""
    integers = {name for name, kind in zip(relation.columns, relation.types) if kind.id in ('integer', 'bigint')}
    with path.open(newline='') as file:
        lines = list(csv.reader(file))[1:]
    if any(len(line) != len(columns) for line in lines):
        raise SystemExit(f'{path} has other columns than its Parquet file')
    return [[None if text == '' else int(text) if name in integers else text for name, text in zip(columns, line)]
            for line in lines]


CSV_FILES = {
    'plain': 'a,b,c\n1,x,2.5\n-2,y,1e3\n,,\n',
    'quoted': 'a,b\n1,"x, y"\n2,"say ""hi"""\n3,"two\nlines"\n',
    'crlf': 'a,b\r\n1,x\r\n2,y\r\n',
    'no_newline': 'a,b\n1,x\n2,y',
    'dates': 'd,t\n2024-02-29,2024-02-29 12:34:56\n1999-12-31,1999-12-31 00:00:00.25\n',
    'booleans': 'f,n\ntrue,1\nfalse,2\n',
    'semicolons': 'a;b;c\n1;2;x\n3;4;y\n',
    'tabs': 'a\tb\n1\tx\n2\ty z\n',
    'bars': 'a|b\n1|x\n2|y\n',
    'wide': ','.join(f'c{i}' for i in range(200)) + '\n' + '\n'.join(','.join(str(i * j) for i in range(200)) for j in range(50)) + '\n',
    'large_numbers': 'a,b\n9223372036854775807,1\n-9223372036854775808,2\n',
    'unicode': 'k,v\n1,Zürich\n2,東京\n3,🦉\n',
    'long': 'k,v\n' + ''.join(f'{i},{"z" * (i % 3000)}\n' for i in range(1, 400)),
}


def compare_csv(comparison, folder):
    connection = duckdb.connect()
    for name, text in CSV_FILES.items():
        path = folder / f'{name}.csv'
        path.write_bytes(text.encode())
        rows = connection.execute(f"SELECT * FROM read_csv('{path}', header = true)").fetchall()
        comparison.rows(f"SELECT * FROM '{path}'", rows)


# What is found out of the first row: DuckDB's answer.
CSV_HEADERS = {
    'boolean_words': 'name,t\nbob,x\nann,y\n',
    'boolean_above_numbers': 'name,t\nbob,1\nann,2\n',
    'booleans_below': 'name,t\nbob,true\nann,false\n',
    'only_words': 't,f\n',
    'only_words_below': 't,f\nx,y\nz,w\n',
    'index_and_numbers': ',a,b\n0,1,x\n1,2,y\n',
    'index_of_texts': ',a\nx,y\nz,w\n',
    'null_above_dates': ',a\n2024-01-01,x\n2024-01-02,y\n',
    'empty_in_the_middle': 'a,,c\n1,2,3\n4,5,6\n',
    'empty_among_texts': 'a,,c\nx,y,z\nu,v,w\n',
    'empty_at_the_end': 'a,b,\n1,2,\n4,5,\n',
    'two_empty': 'name,f,,\nbob,x,y,1\nann,y,x,2\n',
    'nulls_in_data': 'x,,1\ny,z,2\n',
    'numbers_and_null': '1,,x\n2,3,y\n',
    'only_a_row_with_a_null': 'a,,c\n',
}
CSV_COLUMNS = [('int', 'text', 'p,q\n1,x\n2,y\n'), ('int', 'text', '1,x\n2,y\n'), ('int', 'text', 'one,two\n1,x\n2,y\n'),
               ('text', 'text', 'p,q\n1,x\n2,y\n'), ('text', 'text', 'one,two\na,b\nc,d\n'), ('date', 'int', 'x,y\n2024-01-01,2\n'),
               ('text', 'boolean', 'a,b\nx,true\ny,false\n')]


def compare_csv_headers(comparison, folder):
    connection = duckdb.connect()
    for name, text in CSV_HEADERS.items():
        path = folder / f'{name}.csv'
        path.write_bytes(text.encode())
        comparison.rows(f"SELECT * FROM '{path}'", connection.execute(f"SELECT * FROM read_csv('{path}')").fetchall())
    for number, (first, second, text) in enumerate(CSV_COLUMNS):
        path = folder / f'columns_{number}.csv'
        path.write_bytes(text.encode())
        columns = f"{{'p': '{first}', 'q': '{second}'}}"
        comparison.rows(f"SELECT * FROM read_csv('{path}', columns => 'p {first}, q {second}')",
                        connection.execute(f"SELECT * FROM read_csv('{path}', columns = {columns})").fetchall())


def every_type():
    """Columns of every flat type that Arrow has and we know, each with a null."""
    d, dt = decimal.Decimal, datetime
    return {
        'boolean': pyarrow.array([True, None, False]),
        'int8': pyarrow.array([-128, None, 127], pyarrow.int8()),
        'int16': pyarrow.array([-2**15, None, 2**15 - 1], pyarrow.int16()),
        'int32': pyarrow.array([-2**31, None, 2**31 - 1], pyarrow.int32()),
        'int64': pyarrow.array([-2**63, None, 2**63 - 1], pyarrow.int64()),
        'uint8': pyarrow.array([0, None, 255], pyarrow.uint8()),
        'uint16': pyarrow.array([0, None, 2**16 - 1], pyarrow.uint16()),
        'uint32': pyarrow.array([0, None, 2**32 - 1], pyarrow.uint32()),
        'uint64': pyarrow.array([0, None, 2**64 - 1], pyarrow.uint64()),
        'real': pyarrow.array([1.1, None, -2.5], pyarrow.float32()),
        'double': pyarrow.array([1.1, None, math.nan]),
        'numeric9': pyarrow.array([d('1.50'), None, d('-0.01')], pyarrow.decimal128(9, 2)),
        'numeric38': pyarrow.array([d(10**37), None, d(-1)], pyarrow.decimal128(38, 0)),
        'date': pyarrow.array([dt.date(1, 1, 1), None, dt.date(9999, 12, 31)]),
        'time_ms': pyarrow.array([dt.time(1, 2, 3, 4000), None, dt.time(23, 59, 59)], pyarrow.time32('ms')),
        'time_us': pyarrow.array([dt.time(1, 2, 3, 4), None, dt.time(0)], pyarrow.time64('us')),
        'timestamp_ms': pyarrow.array([dt.datetime(2024, 2, 29, 1, 2, 3), None, dt.datetime(1900, 1, 1)], pyarrow.timestamp('ms')),
        'timestamp_us': pyarrow.array([dt.datetime(2024, 2, 29, 1, 2, 3, 4), None, dt.datetime(1900, 1, 1)], pyarrow.timestamp('us')),
        'timestamp_ns': pyarrow.array([dt.datetime(2024, 2, 29, 1, 2, 3, 4), None, dt.datetime(1900, 1, 1)], pyarrow.timestamp('ns')),
        'timestamptz': pyarrow.array([dt.datetime(2024, 2, 29, 1, 2, 3, tzinfo=dt.timezone.utc), None,
                                      dt.datetime(1900, 1, 1, tzinfo=dt.timezone.utc)], pyarrow.timestamp('us', 'UTC')),
        'text': pyarrow.array(['', None, 'Zürich']),
        'dictionary': pyarrow.array(['b', None, 'a']).dictionary_encode(),
        'bytes': pyarrow.array([b'\x00\xff', None, b''], pyarrow.binary()),
        'fixed': pyarrow.array([b'abcd', None, b'\x00\x01\x02\x03'], pyarrow.binary(4)),
    }


ONLY_ARROW = {
    'half': lambda: pyarrow.array([0.5, None, -2.0], pyarrow.float16()),
    'large_text': lambda: pyarrow.array(['x' * 1000, None, ''], pyarrow.large_string()),
    'text_view': lambda: pyarrow.array(['longer than twelve bytes', None, 'short'], pyarrow.string_view()),
    'large_bytes': lambda: pyarrow.array([b'x', None, b''], pyarrow.large_binary()),
    'date64': lambda: pyarrow.array([datetime.date(2024, 2, 29), None, datetime.date(1969, 12, 31)], pyarrow.date64()),
    'numbers_by_index': lambda: pyarrow.array([7, None, -7], pyarrow.int64()).dictionary_encode(),
}


def write_stream(table, path):
    with pyarrow.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table, 2)


def compare_types(comparison, folder):
    """Each column by itself, so that one type that fails does not hide the others."""
    both = every_type()
    arrow = both | {name: make() for name, make in ONLY_ARROW.items()}
    table, parquet = pyarrow.table(arrow), pyarrow.table(both)
    pyarrow.feather.write_feather(table, folder / 'types.arrow', compression='uncompressed')
    pyarrow.feather.write_feather(table, folder / 'types.feather', compression='zstd', chunksize=2)
    write_stream(table, folder / 'stream.arrow')
    pyarrow.parquet.write_table(parquet, folder / 'types.parquet', row_group_size=2)
    pyarrow.parquet.write_table(parquet, folder / 'types_v2.parquet', version='2.6', data_page_version='2.0',
                                use_dictionary=False, compression='brotli')
    for file, columns in [('types.arrow', arrow), ('types.feather', arrow), ('stream.arrow', arrow), ('types.parquet', both),
                          ('types_v2.parquet', both)]:
        for name, array in columns.items():
            values = [(value,) for value in array.to_pylist()]
            comparison.rows(f"SELECT {name} FROM '{folder / file}'", values, [0] if name in ('real', 'half') else [])
    comparison.error(f"SELECT * FROM '{write_nested(folder)}'", '0A000')


def compare_spans(comparison, folder):
    """Intervals and durations of pyarrow as intervals, and ours as pyarrow reads them."""
    month_day_nano = [(14, -3, 14706789000000), None, (0, 0, -1000), (-1, 30, 0)]
    spans = {'month_day_nano': (pyarrow.array(month_day_nano, pyarrow.month_day_nano_interval()),
                                ['1 year 2 mons -3 days +04:05:06.789', None, '-00:00:00.000001', '-1 mons +30 days'])}
    for unit, value, text in [('s', 90000, '25:00:00'), ('ms', -1500, '-00:00:01.5'), ('us', 1, '00:00:00.000001'),
                              ('ns', 2000, '00:00:00.000002')]:
        spans[f'duration_{unit}'] = pyarrow.array([value, None, 0, None], pyarrow.duration(unit)), [text, None, '00:00:00', None]
    spans['coded'] = spans['duration_s'][0].dictionary_encode(), spans['duration_s'][1]
    table = pyarrow.table({name: array for name, (array, _) in spans.items()})
    pyarrow.feather.write_feather(table, folder / 'spans.arrow', compression='uncompressed')
    write_stream(table, folder / 'spans_stream.arrow')
    for file in ('spans.arrow', 'spans_stream.arrow'):
        for name, (_, texts) in spans.items():
            comparison.rows(f"SELECT {name} FROM '{folder / file}'", [(text,) for text in texts])
    for name, value in [('finer', pyarrow.array([1], pyarrow.duration('ns'))), ('long', pyarrow.array([2**62], pyarrow.duration('s')))]:
        pyarrow.feather.write_feather(pyarrow.table({'x': value}), folder / f'{name}.arrow', compression='uncompressed')
    comparison.error(f"SELECT x FROM '{folder / 'finer.arrow'}'", '0A000')
    comparison.error(f"SELECT x FROM '{folder / 'long.arrow'}'", '22008')


def check_written_spans(binary, configuration, folder):
    """What COPY writes of intervals and uuids, as pyarrow reads it."""
    path = folder / 'written.arrow'
    sql = (f"COPY (SELECT interval '14 mons -3 days 0.5 seconds' AS iv, uuid 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' AS u, "
           f"time '23:59:59.999999' AS ti) TO '{path}'")
    output, = saccade_shell.run(binary, configuration, [sql], timeout=60)
    if output.sqlstate is not None:
        raise SystemExit(f'{sql}: {output.sqlstate} {output.message}')
    table = pyarrow.feather.read_table(path)
    table.validate(full=True)
    row, = table.to_pylist()
    if tuple(row['iv']) != (14, -3, 500000000) or str(row['u']) != 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11':
        raise SystemExit(f'pyarrow reads {row}')


def write_nested(folder):
    path = folder / 'nested.arrow'
    pyarrow.feather.write_feather(pyarrow.table({'k': [1], 'list': [[1, 2]]}), path, compression='uncompressed')
    return path


def main():
    binary, configuration = sys.argv[1:3]
    reason = saccade_shell.why_skipped(configuration)
    if reason:
        print(f'skipped: {reason}')
        return saccade_shell.SKIPPED
    comparison = Comparison()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compare_parquet(comparison)
        compare_csv(comparison, folder)
        compare_csv_headers(comparison, folder)
        compare_types(comparison, folder)
        compare_spans(comparison, folder)
        check_written_spans(binary, configuration, folder)
        return 1 if comparison.run(binary, configuration) else 0


if __name__ == '__main__':
    sys.exit(main())
