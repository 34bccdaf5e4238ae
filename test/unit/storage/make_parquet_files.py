"""Writes Parquet files of every supported type, layout and encoding, and next to each what pyarrow reads from it.

make_parquet_files.py FOLDER NAME[,NAME...] [FILE...]: writes FOLDER/NAME.parquet, and FOLDER/NAME.jsonl for each of them and for
each FILE given. Exits with 77 where there is no pyarrow.

A .jsonl has one line a row: a JSON list of the row's cells, null or the text that PostgreSQL prints; doubles as the 16 hexadecimal
digits of their bits, bytes likewise; times and times with a zone as numbers; "?" in columns of types that Saccade does not read.
"""

import datetime
import decimal
import json
import random
import struct
import sys
from pathlib import Path

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    sys.exit(77)


def cell_text(kind, value):
    if value is None:
        return None
    if pa.types.is_boolean(kind):
        return 't' if value else 'f'
    if pa.types.is_floating(kind):
        return struct.pack('>d', value).hex()
    if pa.types.is_decimal(kind):
        return format(value, 'f')
    if isinstance(value, bytes):
        return value.hex()
    return str(value)


def timestamp_texts(column):
    """Computed with integers: Python's datetime cannot hold all years."""
    per_second = {'s': 1, 'ms': 10**3, 'us': 10**6, 'ns': 10**9}[column.type.unit]
    texts = []
    for value in column.cast(pa.int64()).to_pylist():
        if value is None:
            texts.append(None)
            continue
        seconds, rest = divmod(value, per_second)
        cycles, seconds = divmod(seconds, 146097 * 86400)  # the calendar repeats every 400 years
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
        text = '%04d-%s' % (moment.year + 400 * cycles, moment.strftime('%m-%d %H:%M:%S'))
        fraction = str(rest).rjust(len(str(per_second)) - 1, '0').rstrip('0')
        texts.append(text + ('.' + fraction if fraction else ''))
    return texts


def column_texts(column):
    kind = column.type
    if pa.types.is_dictionary(kind):
        column, kind = column.cast(kind.value_type), kind.value_type
    if pa.types.is_timestamp(kind) and kind.tz is None:
        return timestamp_texts(column)
    if pa.types.is_time64(kind) or pa.types.is_timestamp(kind):
        return [cell_text(pa.int64(), value) for value in column.cast(pa.int64()).to_pylist()]
    if pa.types.is_binary(kind) or pa.types.is_float16(kind):
        return [cell_text(kind, value) for value in column.to_pylist()]
    readable = (pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_float32(kind) or pa.types.is_float64(kind)
                or pa.types.is_decimal(kind) or pa.types.is_date(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind))
    if not readable:
        return ['?'] * len(column)
    return [cell_text(kind, value) for value in column.to_pylist()]


def dump(source, target):
    table = pq.ParquetFile(source, coerce_int96_timestamp_unit='us').read()
    columns = [column_texts(column) for column in table.columns]
    with open(target, 'w', encoding='utf-8') as out:
        for row in range(table.num_rows):
            out.write(json.dumps([column[row] for column in columns]) + '\n')


def values_of(kind, rows, rng):
    """Random values with the extremes of the type among them."""
    if pa.types.is_boolean(kind):
        return [rng.random() < 0.5 for _ in range(rows)]
    if pa.types.is_integer(kind):
        bits, signed = kind.bit_width, pa.types.is_signed_integer(kind)
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        return ([low, high, 0] + [rng.randint(low, high) for _ in range(rows)])[:rows]
    if pa.types.is_decimal(kind):
        limit = 10**kind.precision - 1
        unscaled = ([-limit, limit, 0, 1, -1] + [rng.randint(-limit, limit) for _ in range(rows)])[:rows]
        with decimal.localcontext() as context:
            context.prec = 50
            return [decimal.Decimal(value).scaleb(-kind.scale) for value in unscaled]
    if pa.types.is_float32(kind):
        return ([0.0, -0.0, float('inf'), float('-inf'), float('nan'), 1.5] + [struct.unpack('f', struct.pack('f', rng.gauss(0, 1e6)))[0]
                for _ in range(rows)])[:rows]
    if pa.types.is_floating(kind):
        return ([0.0, -0.0, float('inf'), float('-inf'), float('nan'), 5e-324] + [rng.gauss(0, 1e9) for _ in range(rows)])[:rows]
    if pa.types.is_date(kind):
        first = datetime.date(1, 1, 1)
        return ([first, datetime.date(9999, 12, 31)] + [first + datetime.timedelta(days=rng.randint(0, 3000000)) for _ in range(rows)])[:rows]
    if pa.types.is_timestamp(kind):
        unit = {'ms': 10**3, 'us': 10**6, 'ns': 10**9}[kind.unit]
        step = 1000 if kind.unit == 'ns' else 1
        return [rng.randint(-9 * 10**9 * unit // step, 9 * 10**9 * unit // step) * step for _ in range(rows)]
    words = ['', 'a', 'z', 'Zebra', '\u00e4\u00f6', '\u65e5\u672c', '\U0001f600', 'tab\tquote"', 'x' * 300]
    return [rng.choice(words) if rng.random() < 0.5 else 'row %d' % rng.randint(0, 400) for _ in range(rows)]


TYPES = {
    'bool': pa.bool_(), 'i8': pa.int8(), 'i16': pa.int16(), 'i32': pa.int32(), 'i64': pa.int64(), 'u8': pa.uint8(), 'u16': pa.uint16(),
    'u32': pa.uint32(), 'u64': pa.uint64(), 'f32': pa.float32(), 'f64': pa.float64(), 'd9': pa.decimal128(9, 2), 'd18': pa.decimal128(18, 0),
    'd19': pa.decimal128(19, 19), 'd38': pa.decimal128(38, 10), 'date': pa.date32(), 'ms': pa.timestamp('ms'), 'us': pa.timestamp('us'),
    'ns': pa.timestamp('ns'), 'text': pa.string(),
}


def make_table(rows, nulls, seed):
    rng = random.Random(seed)
    fields, columns = [], []
    for name, kind in TYPES.items():
        values = values_of(kind, rows, rng)
        if nulls:
            values = [None if rng.random() < 0.3 else value for value in values]
        columns.append(pa.array(values, kind))
        fields.append(pa.field(name, kind, nullable=nulls))
    # Narrow ranges, a constant, nulls only, and nulls at one end only: what encodings are chosen by.
    extra = {
        'small': pa.array([rng.randint(-100, 100) for _ in range(rows)], pa.int64()),
        'medium': pa.array([10**12 + rng.randint(0, 60000) for _ in range(rows)], pa.int64()),
        'constant': pa.array([-7] * rows, pa.int64()),
        'nothing': pa.nulls(rows, pa.int32()),
        'tail': pa.array([i if i > rows // 2 else None for i in range(rows)], pa.int32()),
        'money': pa.array([decimal.Decimal(rng.randint(-9999, 9999)).scaleb(-2) for _ in range(rows)], pa.decimal128(38, 2)),
        'distinct': pa.array(['string number %d' % i for i in range(rows)], pa.string()),
        'no_text': pa.nulls(rows, pa.string()),
    }
    for name, column in extra.items():
        columns.append(column)
        fields.append(pa.field(name, column.type, nullable=column.null_count > 0 or rows == 0))
    return pa.table(columns, schema=pa.schema(fields))


def write_files(folder, names):
    def write(name, table, **options):
        if name in names:
            pq.write_table(table, folder / (name + '.parquet'), **options)

    nullable, required = make_table(1000, True, 1), make_table(1000, False, 2)
    write('nullable', nullable, row_group_size=300)
    write('required', required, row_group_size=128)
    write('plain', nullable, use_dictionary=False, compression='none', data_page_version='2.0', row_group_size=1000)
    write('no_statistics', nullable, write_statistics=False, compression='zstd')
    write('integer_decimals', required, store_decimal_as_integer=True, compression='gzip')
    write('small_pages', nullable, data_page_size=64, write_batch_size=7, dictionary_pagesize_limit=200, compression='snappy')
    encodings = {name: 'DELTA_BINARY_PACKED' for name in ('i8', 'i16', 'i32', 'i64', 'u8', 'date', 'us', 'small')}
    encodings |= {name: 'BYTE_STREAM_SPLIT' for name in ('f32', 'f64', 'd38', 'medium')}
    encodings |= {'text': 'DELTA_BYTE_ARRAY', 'distinct': 'DELTA_LENGTH_BYTE_ARRAY', 'bool': 'RLE'}
    write('encodings', nullable, use_dictionary=False, column_encoding=encodings)
    write('int96', pa.table({'t': nullable['us']}), use_deprecated_int96_timestamps=True)
    write('empty', make_table(0, True, 3))
    write('checksums', nullable, write_page_checksum=True, row_group_size=500, compression='none')
    write('unsupported', pa.table({
        'ok': pa.array([1, 2], pa.int32()),
        'list': pa.array([[1], [2, 3]]),
        'struct': pa.array([{'a': 1, 'b': 2}, {'a': 3, 'b': 4}]),
        'binary': pa.array([b'x', b'y']),
        'time': pa.array([1, 2], pa.time64('us')),
        'zoned': pa.array([1, 2], pa.timestamp('us', 'UTC')),
        'half': pa.array([1, 2], pa.float16()),
        'after': pa.array(['x', 'y']),
    }))
    write('nanoseconds', pa.table({'ns': pa.array([1000, 1001], pa.timestamp('ns'))}))
    broken = pa.Array.from_buffers(pa.string(), 2, [None, pa.py_buffer(struct.pack('iii', 0, 2, 4)), pa.py_buffer(b'ab\xc3\x28')])
    write('bad_utf8', pa.table({'text': broken}))
    write('statistics', pa.table({'x': pa.array([0x12345678, 0x12345680, 0x12345690] * 50, pa.int32()), 'y': pa.array(range(150), pa.int32())}),
          row_group_size=75, compression='none', use_dictionary=False)
    write('part_1', pa.table({'a': pa.array([1, 2], pa.int32()), 'b': ['x', 'y']}))
    write('part_2', pa.table({'a': pa.array([300, None], pa.int32()), 'b': ['w', 'x']}))
    write('part_other', pa.table({'a': pa.array([1], pa.int64()), 'b': ['x']}))


def main():
    folder = Path(sys.argv[1])
    write_files(folder, sys.argv[2].split(','))
    for source in sorted(folder.glob('*.parquet')) + [Path(name) for name in sys.argv[3:]]:
        if source.stem != 'bad_utf8':
            dump(source, folder / (source.stem + '.jsonl'))


main()
