#!/usr/bin/env python3
"""Makes the files of the SQL and oracle tests: make_data.py FOLDER. The same files at every run."""

import datetime
import decimal
import sys
from pathlib import Path

import numpy
import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet

ROWS = 10_000
NAMES = ['', 'a', 'ab', 'b', 'A', 'Zürich', 'Ærø', '東京', '🦉 owl', 'x_y', '100%', "it's", 'say "hi"', 'back\\slash',
         'comma, here', 'line\nbreak', 'long ' + 'x' * 900, ' lead', 'trail ']


def nulls(random, values, share=0.1):
    return [None if missing else value for value, missing in zip(values, random.random(len(values)) < share)]


def integers(random, low, high, rows, edges=True):
    values = [int(value) for value in random.integers(low, high, rows, dtype=numpy.int64, endpoint=True)]
    if edges:
        values[:4] = [low, high, 0, -1 if low < 0 else 1]
    return values


def decimals(random, digits, scale, rows):
    """Numerics of up to `digits` digits: their sizes spread over all magnitudes, and both extremes."""
    context = decimal.Context(prec=60)
    lengths = random.integers(1, digits, rows, endpoint=True)
    values = []
    for length in lengths:
        text = ''.join(str(digit) for digit in random.integers(0, 9, int(length), endpoint=True))
        value = decimal.Decimal(int(text)).scaleb(-scale, context)
        values.append(value.copy_negate() if value and random.random() < 0.5 else value)
    largest = decimal.Decimal(10**digits - 1).scaleb(-scale, context)
    values[:3] = [largest, largest.copy_negate(), decimal.Decimal(0).scaleb(-scale, context)]
    return values


def dates(random, first, last, rows):
    start = datetime.date.fromisoformat(first)
    days = (datetime.date.fromisoformat(last) - start).days
    return [start + datetime.timedelta(days=int(day)) for day in random.integers(0, days, rows, endpoint=True)]


def numbers(random):
    """One column of every type and kind of value; id is unique, ascending and has gaps."""
    doubles = list(random.normal(0, 1e6, ROWS))
    doubles[:3] = [-0.0, 1e300, 5e-324]
    odd = list(random.choice([1.5, -2.5, 0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan], ROWS))
    kind = pyarrow.decimal128
    return pyarrow.table({
        'id': pyarrow.array([int(value) for value in numpy.cumsum(random.integers(1, 40, ROWS))], pyarrow.int64()),
        'grp': pyarrow.array([int(value) for value in numpy.minimum(random.geometric(0.4, ROWS), 10)], pyarrow.int32()),
        'grp_n': pyarrow.array(nulls(random, integers(random, -3, 3, ROWS, False)), pyarrow.int32()),
        's': pyarrow.array(nulls(random, integers(random, -2**15, 2**15 - 1, ROWS)), pyarrow.int16()),
        'i': pyarrow.array(nulls(random, integers(random, -2**31, 2**31 - 1, ROWS)), pyarrow.int32()),
        'b': pyarrow.array(nulls(random, integers(random, -2**63, 2**63 - 1, ROWS)), pyarrow.int64()),
        'small': pyarrow.array(integers(random, -100, 100, ROWS), pyarrow.int32()),
        'price': pyarrow.array(decimals(random, 8, 2, ROWS), kind(15, 2)),
        'rate': pyarrow.array(nulls(random, decimals(random, 4, 4, ROWS)), kind(4, 4)),
        'n0': pyarrow.array(nulls(random, decimals(random, 9, 0, ROWS)), kind(9, 0)),
        'n10': pyarrow.array(nulls(random, decimals(random, 18, 10, ROWS)), kind(20, 10)),
        'n38': pyarrow.array(nulls(random, decimals(random, 34, 0, ROWS)), kind(38, 0)),
        'd': pyarrow.array(nulls(random, dates(random, '1900-01-01', '2100-12-31', ROWS)), pyarrow.date32()),
        'd2': pyarrow.array(dates(random, '1992-01-01', '1998-12-31', ROWS), pyarrow.date32()),
        'flag': pyarrow.array(nulls(random, [bool(value) for value in random.random(ROWS) < 0.3]), pyarrow.bool_()),
        'x': pyarrow.array(nulls(random, doubles), pyarrow.float64()),
        'y': pyarrow.array(nulls(random, odd), pyarrow.float64()),
        'name': pyarrow.array(nulls(random, [NAMES[int(n)] for n in random.integers(0, len(NAMES), ROWS)]), pyarrow.string()),
        'note': pyarrow.array([f'note {int(n):06d} ' + 'y' * int(n % 50) for n in random.integers(0, 9000, ROWS)], pyarrow.string()),
    })


def dims(random):
    """A dimension: key unique with gaps and negatives, dup_key repeated and with nulls, some text."""
    rows = 700
    keys = [int(key) for key in random.permutation(numpy.arange(-500, 3000, 5))]
    return pyarrow.table({
        'key': pyarrow.array(keys, pyarrow.int32()),
        'dup_key': pyarrow.array(nulls(random, integers(random, 0, 60, rows, False)), pyarrow.int64()),
        'big_key': pyarrow.array([key * 1_000_000_007_000 for key in keys], pyarrow.int64()),
        'code': pyarrow.array([f'c{key % 37}' for key in keys], pyarrow.string()),
        'weight': pyarrow.array(nulls(random, decimals(random, 5, 3, rows)), pyarrow.decimal128(7, 3)),
        'since': pyarrow.array(dates(random, '1960-01-01', '1980-01-01', rows), pyarrow.date32()),
    })


def facts(random):
    """Rows that point to dims: half of them to one key, some to none, some null."""
    rows = ROWS
    keys = [0 if random.random() < 0.5 else int(key) for key in random.integers(-600, 3100, rows)]
    return pyarrow.table({
        'fact_id': pyarrow.array(range(rows), pyarrow.int64()),
        'dim_key': pyarrow.array(nulls(random, keys, 0.05), pyarrow.int64()),
        'other_key': pyarrow.array(nulls(random, integers(random, 0, 80, rows, False), 0.05), pyarrow.int32()),
        'big_key': pyarrow.array([key * 1_000_000_007_000 for key in keys], pyarrow.int64()),
        'code': pyarrow.array(nulls(random, [f'c{int(n)}' for n in random.integers(20, 60, rows)], 0.05), pyarrow.string()),
        'amount': pyarrow.array(decimals(random, 7, 2, rows), pyarrow.decimal128(12, 2)),
        'at': pyarrow.array(dates(random, '1965-06-01', '1975-06-01', rows), pyarrow.date32()),
    })


def extremes():
    """Both ends of each type, zero, and null."""
    large = decimal.Decimal(10**38 - 1)
    tiny = decimal.Context(prec=60)
    return pyarrow.table({
        'id': pyarrow.array([1, 2, 3, 4], pyarrow.int32()),
        's': pyarrow.array([-2**15, 2**15 - 1, 0, None], pyarrow.int16()),
        'i': pyarrow.array([-2**31, 2**31 - 1, 0, None], pyarrow.int32()),
        'b': pyarrow.array([-2**63, 2**63 - 1, 0, None], pyarrow.int64()),
        'n38': pyarrow.array([large.copy_negate(), large, decimal.Decimal(0), None], pyarrow.decimal128(38, 0)),
        'n38_10': pyarrow.array([large.copy_negate().scaleb(-10, tiny), large.scaleb(-10, tiny), decimal.Decimal('0E-10'), None],
                                pyarrow.decimal128(38, 10)),
        'x': pyarrow.array([-1.7976931348623157e308, 1.7976931348623157e308, 0.0, None], pyarrow.float64()),
        'd': pyarrow.array([datetime.date(1, 1, 1), datetime.date(9999, 12, 31), datetime.date(1970, 1, 1), None],
                           pyarrow.date32()),
        'flag': pyarrow.array([False, True, False, None], pyarrow.bool_()),
        't': pyarrow.array(['', '\U0010ffff', 'z' * 5000, None], pyarrow.string()),
    })


def texts():
    """Strings of every kind with patterns for LIKE; what test/sql/text_*.slt expects of them is PostgreSQL's."""
    rows = [(1, 'hello world', 'h%', 3), (2, '', '%', 0), (3, None, 'a', 1), (4, 'Zürich', '_ürich', 2), (5, '東京都', '東_都', 2),
            (6, '🦉 owl', '%owl', 1), (7, 'a,b,,c', '%,%', -1), (8, '  padded  ', ' %', 5), (9, '100%', '100\\%', 4),
            (10, 'x_y', 'x\\_y', -2), (11, "it's", "it'%", 2), (12, 'back\\slash', 'back\\\\%', 6),
            (13, 'AAA bbb CCC', '%bbb%', 100), (14, 'hello world', None, None), (15, 'aaaa', 'a%a', 2)]
    ids, strings, patterns, numbers_of = zip(*rows)
    return pyarrow.table({
        'id': pyarrow.array(ids, pyarrow.int32()),
        's': pyarrow.array(strings, pyarrow.string()),
        'p': pyarrow.array(patterns, pyarrow.string()),
        'n': pyarrow.array(numbers_of, pyarrow.int32()),
    })


def many_texts(random):
    """Strings that are mostly distinct: u unique, v with repeats and nulls, w long."""
    words = [''.join(chr(97 + int(c)) for c in random.integers(0, 26, int(length))) for length in random.integers(0, 9, ROWS)]
    return pyarrow.table({
        'id': pyarrow.array(range(ROWS), pyarrow.int32()),
        'u': pyarrow.array([f'{word}#{i}' for i, word in enumerate(words)], pyarrow.string()),
        'v': pyarrow.array(nulls(random, [word[:3] for word in words]), pyarrow.string()),
        'w': pyarrow.array([word * int(n) for word, n in zip(words, random.integers(0, 40, ROWS))], pyarrow.string()),
    })


def write_damaged(folder):
    """Files that are no Parquet, or no longer whole."""
    whole = (folder / 'dims.parquet').read_bytes()
    (folder / 'text.parquet').write_text('this is no parquet file\n')
    (folder / 'cut.parquet').write_bytes(whole[:len(whole) // 2])
    (folder / 'empty_file.parquet').write_bytes(b'')
    noise = bytearray(whole)
    noise[40:400] = bytes(b ^ 0x5a for b in noise[40:400])
    (folder / 'noise.parquet').write_bytes(bytes(noise))


def subquery_tables():
    """Small tables with NULLs, repeated values, and values that only one of them has."""
    def table(rows, **types):
        return pyarrow.table({name: pyarrow.array([row[i] for row in rows], kind)
                              for i, (name, kind) in enumerate(types.items())})
    number, text = pyarrow.int32(), pyarrow.string()
    return {
        'subquery_t': table([(1, 10, 1, 'x'), (2, 20, None, 'y'), (3, None, 3, 'x'), (4, 20, 4, None), (5, 30, 0, 'z'),
                             (6, None, None, None)], id=number, a=number, b=number, s=text),
        'subquery_u': table([(1, 10, 100, 'x'), (2, 10, 200, 'y'), (3, 20, None, 'x'), (4, None, 400, 'w'),
                             (5, 40, 500, None), (6, 20, 300, 'x')], id=number, a=number, c=number, s=text),
        'subquery_w': table([(1, 100), (2, 300), (2, 400), (3, None), (7, 100)], u_id=number, c=number),
    }


TEXT_FILES = {
    'people.csv': 'id,name,born,score\n1,Ann,1970-01-31,1.5\n2,"Bo, ""the"" owl",1980-02-29,\n3,,2001-12-01,-2\n',
    'people_2.csv': 'id,name,born,score\r\n4,"two\r\nlines",1999-09-09,0.25',
    'semicolon.csv': 'a;b\n1;2,5\n3;4,5\n',
    'no_header.csv': '1,x\n2,y\n',
    'only_header.csv': 'a,b\n',
    'one_column.csv': 'n\n1\n\n3\n',
    'bom.tsv': '\ufeffk\tv\n1\t\u00e4\n',
    'empty.csv': '',
    'too_few.csv': 'a,b,c\n1,2,3\n4,5\n',
    'too_many.csv': 'a,b\n1,2\n3,4,5\n',
    'not_closed.csv': 'a,b\n1,"x\n2,y\n',
    'quote_within.csv': 'a,b\n1,x"y\n',
    'behind_quote.csv': 'a,b\n1,"x"y\n',
    'late_text.csv': 'n\n' + '1\n' * 30000 + 'x\n',
    'other_columns.csv': 'id,title\n1,x\n',
}


def write_text_files(folder):
    for name, text in TEXT_FILES.items():
        (folder / name).write_bytes(text.encode())
    (folder / 'latin1.csv').write_bytes(b'a,b\n1,Z\xfcrich\n')
    (folder / 'zero_byte.csv').write_bytes(b'a,b\n1,x\x00y\n')


def write_arrow_files(folder, table):
    """The same rows as an IPC file, compressed, as a stream, and as a stream that is cut off."""
    pyarrow.feather.write_feather(table, folder / 'dims.feather', compression='lz4', chunksize=100)
    with pyarrow.ipc.new_file(folder / 'dims.arrow', table.schema) as writer:
        writer.write_table(table, 256)
    with pyarrow.ipc.new_stream(folder / 'dims_stream.arrow', table.schema) as writer:
        writer.write_table(table, 256)
    whole = (folder / 'dims_stream.arrow').read_bytes()
    (folder / 'cut_stream.arrow').write_bytes(whole[:-8])


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    random = numpy.random.default_rng(42)
    dim_table = dims(random)

    def write(name, table, **options):
        pyarrow.parquet.write_table(table, folder / f'{name}.parquet', **options)

    write('numbers', numbers(random), row_group_size=3000, compression='zstd')
    write('dims', dim_table, compression='none')
    write('facts', facts(random), row_group_size=1024, use_dictionary=False, compression='gzip')
    write('no_rows', dim_table.slice(0, 0))
    write('one_row', dim_table.slice(5, 1), compression='snappy')
    write('extremes', extremes(), store_decimal_as_integer=True, data_page_version='2.0')
    write('texts', texts(), use_dictionary=False, row_group_size=6)
    write('texts_coded', texts())
    no_utf8 = pyarrow.table({'t': pyarrow.array([b'fine', b'\xff\xfe'], pyarrow.binary()).view(pyarrow.string())})
    write('no_utf8', no_utf8, use_dictionary=False)
    write('no_utf8_coded', no_utf8)
    write('many_texts', many_texts(random), use_dictionary=False, row_group_size=2500)
    write('all_null', pyarrow.table({
        'k': pyarrow.array([1, 2, 3], pyarrow.int32()),
        'i': pyarrow.nulls(3, pyarrow.int32()),
        'n': pyarrow.nulls(3, pyarrow.decimal128(10, 2)),
        't': pyarrow.nulls(3, pyarrow.string()),
        'd': pyarrow.nulls(3, pyarrow.date32()),
        'x': pyarrow.nulls(3, pyarrow.float64()),
    }))
    write('join_left', pyarrow.table({
        'id': pyarrow.array([1, 2, 3, 4, 5], pyarrow.int32()),
        'k': pyarrow.array([1, 2, 2, None, 9], pyarrow.int64()),
        't': pyarrow.array(['a', 'b', None, 'a', 'z'], pyarrow.string()),
    }))
    write('join_right', pyarrow.table({
        'id': pyarrow.array([10, 11, 12, 13, 14], pyarrow.int32()),
        'k': pyarrow.array([1, 2, 2, None, 7], pyarrow.int32()),
        't': pyarrow.array(['x', 'b', 'c', 'a', 'q'], pyarrow.string()),
        'v': pyarrow.array([100, None, 5, 7, 0], pyarrow.int32()),
    }))
    for name, table in subquery_tables().items():
        write(name, table)
    write('unsupported', pyarrow.table({'k': pyarrow.array([1], pyarrow.int32()), 'list': pyarrow.array([[1, 2]])}))
    write_damaged(folder)
    write_text_files(folder)
    write_arrow_files(folder, dim_table)


if __name__ == '__main__':
    main()
