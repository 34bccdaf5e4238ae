#!/usr/bin/env python3
"""Bad input is normal input: each kind of it ends with the SQLSTATE it should, and the session goes on. run_bad_input.py BINARY

Every statement runs in one and the same session, and after each one the session must still answer; at the end the tables must
hold what they held before. Files that are cut at every length or have bits flipped: test/hostile. Statements of extreme size
beside those here: run_limits.py.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow
import pyarrow.parquet

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import saccade_shell  # noqa: E402

LINEITEM = "'data/tpch/sf0.01/lineitem.parquet'"

# What stands for a right answer instead of an error, where it is not given as rows.
ROWS = 'rows'

SETUP = [
    'CREATE TABLE numbers AS SELECT 1 AS small, 9223372036854775807 AS large',
    "CREATE TABLE words AS SELECT CAST('abc' AS varchar(3)) AS word, DATE '2023-02-28' AS day",
]
# Nothing of what failed has changed them.
KEPT = [
    ('SELECT * FROM numbers', [['1', '9223372036854775807']]),
    ('SELECT * FROM words', [['abc', '2023-02-28']]),
    ("SELECT count(*) FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog')", [['2']]),
]

MALFORMED = [
    ('SELEC 1', '42601'),
    ('SELECT 1 FROM', '42601'),
    ('SELECT (1', '42601'),
    ('SELECT * FROM numbers WHERE', '42601'),
    ('WITH x AS (SELECT 1) ', '42601'),
    ('SELECT 1 +', '42601'),
    ('SELECT \x01 1', '42601'),
    ('SELECT * FROM (VALUES (1), (1, 2)) AS t', '42601'),
    ('SELECT 1 = (SELECT 1, 2)', '42601'),
    ('SELECT 1 IN (SELECT 1, 2)', '42601'),
    ('SELECT small FROM numbers GROUP small', '42601'),
    ('SELECT 1 FROM numbers ORDER BY', '42601'),
    ('INSERT INTO numbers VALUES', '42601'),
]

# What a shell would wait for the end of: each in a run of its own.
UNFINISHED = ["SELECT 'no end", 'SELECT "no end', 'SELECT 1 /* no end', 'SELECT $$no end', 'SELECT 1; garbage']

NAMES_AND_TYPES = [
    ('SELECT * FROM nowhere', '42P01'),
    ('SELECT nothing FROM numbers', '42703'),
    ('SELECT nobody.small FROM numbers', '42P01'),
    ('SELECT small FROM numbers a, numbers b', '42702'),
    ('SELECT no_such_function(1)', '42883'),
    ("SELECT substring(1, 'x', TRUE, 2)", '42883'),
    ('SELECT 1 + TRUE', '42883'),
    ("SELECT DATE '2020-01-01' * 2", '42883'),
    ('SELECT 1 WHERE 1', '42804'),
    ('SELECT CASE WHEN TRUE THEN 1 ELSE DATE \'2020-01-01\' END', '42804'),
    ('SELECT sum(small) FROM numbers WHERE sum(small) > 1', '42803'),
    ('SELECT small, count(*) FROM numbers', '42803'),
    ('SELECT sum(sum(small)) FROM numbers', '42803'),
    ('SELECT 1 ORDER BY 2', '42P10'),
    ('SELECT 1 UNION SELECT 1, 2', '42601'),
    ("SELECT 1 UNION SELECT DATE '2020-01-01'", '42804'),
    ('CREATE TABLE numbers AS SELECT 1', '42P07'),
    ('DROP TABLE nowhere', '42P01'),
    ('SET no_such_setting = 1', '42704'),
    ("SET threads = 'many'", '22023'),
    ('SELECT CAST(1 AS no_such_type)', '42704'),
    ('INSERT INTO nowhere VALUES (1)', '42P01'),
    ('INSERT INTO numbers VALUES (1, 2, 3)', '42601'),
    ('INSERT INTO numbers (small, nothing) VALUES (1, 2)', '42703'),
    ("INSERT INTO words VALUES ('four', NULL)", '22001'),
    ('SELECT * FROM (SELECT 1 AS a, 2 AS a) s ORDER BY a', '42702'),
    ('SELECT numbers.nothing FROM numbers', '42703'),
    ('SELECT small FROM numbers WHERE nothing = 1', '42703'),
    ('SELECT row_number() OVER (ORDER BY nothing) FROM numbers', '42703'),
    ('SELECT (SELECT nothing FROM words) FROM numbers', '42703'),
    ('SELECT lag(small) FROM numbers', '42809'),
    ('SELECT $1', '42P02'),
    ('CREATE VIEW v AS SELECT nothing FROM numbers', '42703'),
    ('CREATE TABLE t (a integer, a integer)', '42701'),
    ('CREATE TABLE t (a no_such_type)', '42704'),
    ('UPDATE numbers SET nothing = 1', '42703'),
    ('UPDATE nowhere SET nothing = 1', '42P01'),
    ('DELETE FROM numbers WHERE nothing', '42703'),
    ("UPDATE words SET word = 'four'", '22001'),
    ('SELECT NOT 1', '42804'),
    ("SELECT sum('x'::text)", '42883'),
    ("SELECT DATE '2020-01-01' + DATE '2020-01-01'", '42883'),
    ("SELECT word + 1 FROM words", '42883'),
    ("SELECT 1 WHERE 'x' AND TRUE", '22P02'),
    ("INSERT INTO numbers VALUES (DATE '2020-01-01', 1)", '42804'),
]

VALUES = [
    ('SELECT 2147483647 + 1', '22003'),
    ('SELECT 32767::smallint + 1::smallint', '22003'),
    ('SELECT large + small FROM numbers', '22003'),
    ('SELECT -(-9223372036854775807 - 1)', '22003'),
    ('SELECT abs((-9223372036854775807 - 1)::bigint)', '22003'),
    ('SELECT 99999999999999999999999999999999999999 + 1', '22003'),
    ('SELECT 9999999999999999999::numeric(19, 0) * 99999999999999999999::numeric(20, 0)', '22003'),
    ('SELECT 12345::numeric(4, 0)', '22003'),
    ('SELECT 70000::smallint', '22003'),
    ('SELECT 1e300::double precision * 1e300::double precision', '22003'),
    ("SELECT '1e400'::double precision", '22003'),
    ("SELECT '99999999999'::integer", '22003'),
    ('SELECT 99999999999999999999::bigint', '22003'),
    ('SELECT 1e30::double precision::integer', '22003'),
    ('SELECT x::smallint FROM (VALUES (1), (40000)) AS t (x)', '22003'),
    ('SELECT sum(x) FROM (VALUES (99999999999999999999999999999999999999), (1)) AS t (x)', '22003'),
    ('SELECT power(10::double precision, 400)', '22003'),
    ('UPDATE numbers SET large = large * 2', '22003'),
    ('INSERT INTO numbers SELECT 2147483647 + small, 1 FROM numbers', '22003'),
    ('SELECT 1 / 0', '22012'),
    ('SELECT 1 % 0', '22012'),
    ('SELECT 1.0 / 0', '22012'),
    ('SELECT 1::double precision / 0', '22012'),
    ('SELECT small / (small - 1) FROM numbers', '22012'),
    ('SELECT x / y FROM (VALUES (1.5, 0.0)) AS t (x, y)', '22012'),
    ('SELECT sum(small) / (count(*) - 1) FROM numbers', '22012'),
    ('SELECT small FROM numbers WHERE 1 / (small - 1) = 1', '22012'),
    ('UPDATE numbers SET small = 1 / (small - 1)', '22012'),
    ('DELETE FROM numbers WHERE 1 / (small - 1) = 1', '22012'),
    ('INSERT INTO numbers SELECT 1 / (small - 1), 1 FROM numbers', '22012'),
    ('CREATE TABLE quotients AS SELECT 1 / (small - 1) AS q FROM numbers', '22012'),
    ('SELECT (SELECT v FROM (VALUES (1), (2)) AS t (v))', '21000'),
    ('SELECT (SELECT v FROM (VALUES (1), (2)) AS t (v) WHERE v >= small) FROM numbers', '21000'),
    ('SELECT small FROM numbers WHERE small = (SELECT v FROM (VALUES (1), (2)) AS t (v))', '21000'),
    ('UPDATE numbers SET small = (SELECT v FROM (VALUES (1), (2)) AS t (v))', '21000'),
    ("SELECT DATE '2023-02-30'", '22008'),
    ("SELECT DATE '2023-13-01'", '22008'),
    ("SELECT DATE '2023-02-29'", '22008'),
    ("SELECT DATE '2023-00-10'", '22008'),
    ("SELECT DATE '0000-01-01'", '22008'),
    ("SELECT DATE ''", '22007'),
    ("SELECT x::date FROM (VALUES ('2023-02-28'), ('2023-02-29')) AS t (x)", '22008'),
    ("INSERT INTO words VALUES ('x', '2023-04-31')", '22008'),
    ('SELECT make_date(2023, 2, 30)', '22008'),
    ("SELECT TIME '24:00:01'", '22008'),
    ("SELECT extract(nonsense FROM DATE '2023-01-01')", '22023'),
    ("SELECT DATE 'tomorrowish'", '22007'),
    ("SELECT TIMESTAMP '2023-01-01 25:00:00'", '22008'),
    ("SELECT DATE '2023-01-01' + 2147483647", '22008'),
    ("SELECT 'abc'::integer", '22P02'),
    ("SELECT 'yes no'::boolean", '22P02'),
    ("SELECT ''::double precision", '22P02'),
    ("SELECT substring('abc' FROM 1 FOR -1)", '22011'),
    ("SELECT 'a' ~ '('", '2201B'),
    ("SELECT 'ab' LIKE 'a\\'", '22025'),
    ('SELECT sqrt(-1::double precision)', '2201F'),
    ('SELECT ln(0::double precision)', '2201E'),
    ("SELECT repeat('abcdefgh', 2000000000)", '54000'),
]

LARGE = [
    ('SELECT ' + '1+' * 99_999 + '1', '54001'),
    ('SELECT ' + '(' * 10_000 + '1' + ')' * 10_000, '54001'),
    ('SELECT count(*) FROM (' + ' UNION ALL '.join(['SELECT 1'] * 10_000) + ') AS t', [['10000']]),
    ('SELECT ' + 'NOT ' * 100_000 + 'TRUE', '54001'),
    ('SELECT ' + '-' .join([' '] * 50_000) + '1', '54001'),
    ('SELECT ' + 'CASE WHEN TRUE THEN ' * 20_000 + '1' + ' END' * 20_000, '54001'),
    ('SELECT ' + '(SELECT ' * 5_000 + '1' + ')' * 5_000, '54001'),
    ("SELECT length('" + 'x' * 1_000_000 + "')", [['1000000']]),
    ('SELECT 1 WHERE 1 IN (' + ', '.join(map(str, range(150_000))) + ')', [['1']]),
    ('SELECT count(*) FROM numbers WHERE ' + ' AND '.join(['small = 1'] * 100_000), '54001'),
    ('SELECT ' + ', '.join(f'{i} AS c{i}' for i in range(60_000)), '54001'),
    ('SELECT 1 -- ' + 'x' * 1_000_000, [['1']]),
    ('SELECT "' + 'x' * 1_000_000 + '" FROM numbers', '42703'),
]

# A limit that none of these statements can keep.
MEMORY = [
    (f'SELECT l_orderkey, l_linenumber, l_comment, l_extendedprice FROM {LINEITEM} ORDER BY l_comment, l_extendedprice', '53200'),
    (f'SELECT l_orderkey, l_linenumber, l_partkey, sum(l_quantity) FROM {LINEITEM} GROUP BY 1, 2, 3', '53200'),
    (f'SELECT count(*) FROM {LINEITEM} a JOIN {LINEITEM} b USING (l_orderkey, l_linenumber, l_comment)', '53200'),
    (f'CREATE TABLE too_large AS SELECT * FROM {LINEITEM}', '53200'),
]


def write_files(folder):
    """Empty and wrong files."""
    for ending in ('parquet', 'csv', 'arrow'):
        (folder / f'empty.{ending}').write_bytes(b'')
        (folder / f'folder.{ending}').mkdir()
        (folder / f'text.{ending}').write_text('this, is neither\na "Parquet nor an Arrow file, but long enough for one\n')
    whole = Path('data/tpch/sf0.01/nation.parquet').read_bytes()
    (folder / 'cut.parquet').write_bytes(whole[:len(whole) // 2])
    latin = pyarrow.array([b'tea', b'caf\xe9'], pyarrow.binary()).view(pyarrow.string())
    pyarrow.parquet.write_table(pyarrow.table({'a': latin}), folder / 'latin.parquet')
    pyarrow.parquet.write_table(pyarrow.table({'a': [1]}), folder / 'mixed1.parquet')
    pyarrow.parquet.write_table(pyarrow.table({'b': ['x']}), folder / 'mixed2.parquet')
    many = '1,2\n' * 200_000
    for name, text in {'short': '1,2\n3\n', 'long': '1,2\n3,4,5\n', 'late_short': many + '1\n', 'late_long': many + '1,2,3\n',
                       'open_quote': '1,"2\n3,4\n', 'late_quote': many + '1,"2\n', 'inner_quote': '1,x"y\n2,z\n',
                       'behind_quote': '1,"x"y\n', 'late_value': many + '1,x\n', 'words': 'abc,2023-02-30\n',
                       'good_words': 'abc,2023-02-28\nlonger,2023-02-28\n'}.items():
        (folder / f'{name}.csv').write_text('a,b\n' + text)
    (folder / 'latin.csv').write_bytes(b'a,b\n1,caf\xe9\n')
    (folder / 'latin_name.csv').write_bytes(b'a,caf\xe9\n1,2\n')
    (folder / 'late_latin.csv').write_bytes(b'a,b\n' + b'1,x\n' * 200_000 + b'1,\xff\n')
    (folder / 'zero_byte.csv').write_bytes(b'a,b\n1,x\0y\n')


def file_statements(folder):
    files = [('missing.parquet', '58P01'), ('missing.csv', '58P01'), ('missing.arrow', '58P01'), ('*.none.parquet', '58P01'),
             ('missing/x.csv', '58P01'), ('folder.parquet', '42809'), ('folder.csv', '42809'), ('folder.arrow', '42809'),
             ('empty.parquet', 'XX001'), ('empty.csv', '22P04'), ('empty.arrow', 'XX001'),
             ('text.parquet', 'XX001'), ('text.csv', '22P04'), ('text.arrow', 'XX001'), ('cut.parquet', 'XX001'),
             ('latin.parquet', '22021'), ('mixed*.parquet', '42804'),
             ('short.csv', '22P04'), ('long.csv', '22P04'), ('late_short.csv', '22P04'), ('late_long.csv', '22P04'),
             ('open_quote.csv', '22P04'), ('late_quote.csv', '22P04'), ('inner_quote.csv', '22P04'), ('behind_quote.csv', '22P04'),
             ('latin.csv', '22021'), ('latin_name.csv', '22021'), ('late_latin.csv', '22021'), ('zero_byte.csv', '22021'),
             ('late_value.csv', '22P02')]
    # Rows of a wrong form are noticed though no column of them is read.
    counted = ['short', 'long', 'late_short', 'late_long', 'open_quote', 'late_quote', 'inner_quote', 'behind_quote']
    return [
        *[(f"SELECT * FROM '{folder}/{name}'", state) for name, state in files],
        *[(f"SELECT count(*) FROM '{folder}/{name}.csv'", '22P04') for name in counted],
        ("SELECT * FROM 'data/tpch/sf0.01/nation.unknown'", '0A000'),
        (f"COPY numbers TO '{folder}/missing/x.csv'", '58P01'),
        (f"COPY numbers TO '{folder}/x.unknown'", '0A000'),
        (f"COPY nowhere TO '{folder}/x.csv'", '42P01'),
        (f"COPY numbers FROM '{folder}/missing.csv'", '58P01'),
        (f"COPY numbers FROM '{folder}/late_short.csv' (HEADER)", '22P04'),
        (f"COPY numbers FROM '{folder}/late_long.csv' (HEADER)", '22P04'),
        (f"COPY numbers FROM '{folder}/late_value.csv' (HEADER)", '22P02'),
        (f"COPY words FROM '{folder}/words.csv' (HEADER)", '22008'),
        (f"COPY words FROM '{folder}/good_words.csv' (HEADER)", '22001'),
        (f"COPY words FROM '{folder}/late_latin.csv' (HEADER)", '22007'),
    ]


def check(binary, statements, more=()):
    """How many of [(statement, SQLSTATE, ROWS or rows)] do not end as they should."""
    statements = [(sql, ROWS) for sql in SETUP] + statements + KEPT
    outputs = saccade_shell.run(binary, 'cpu-2', [sql for sql, _ in statements], more=more, timeout=600)
    failed = 0
    for (sql, wanted), output in zip(statements, outputs):
        found = output.sqlstate or (output.rows if isinstance(wanted, list) else ROWS)
        if found != wanted:
            failed += 1
            print(f'{sql[:100]}: {found} instead of {wanted}: {(output.message or "")[:200]}')
    return failed


def check_unfinished(binary):
    failed = 0
    for sql in UNFINISHED:
        run = subprocess.run([binary, '-c', sql], capture_output=True, text=True, timeout=60)
        if run.returncode != 1 or '42601' not in run.stderr:
            failed += 1
            print(f'{sql}: exit code {run.returncode}, {run.stderr}')
    return failed


def check_copies(run, folder, source, what):
    """COPYs that fail half way: run(statement) must be true for each; an older file stays, and no other is left."""
    failed = 0
    for name in ('new.csv', 'new.parquet', 'new.arrow', 'old.csv', 'old.parquet', 'old.arrow'):
        if name.startswith('old'):
            (folder / name).write_text('an older file')
        if not run(f"COPY ({source}) TO '{folder / name}'"):
            failed += 1
            print(f'COPY to {name} ({what}): another error')
    left = {path.name: path.read_bytes() for path in folder.iterdir()}
    if left != {f'old.{ending}': b'an older file' for ending in ('csv', 'parquet', 'arrow')}:
        failed += 1
        print(f'COPY ({what}) left {sorted((name, len(data)) for name, data in left.items())}')
    return failed


def check_failed_query(binary):
    source = f'SELECT l_comment, 1 / (l_orderkey - 60000) AS q FROM {LINEITEM}'
    with tempfile.TemporaryDirectory() as folder:
        return check_copies(lambda sql: check(binary, [(sql, '22012')]) == 0, Path(folder), source, 'division by zero')


def check_full_disk(binary):
    """53100. Needs the right to mount a small file system."""
    with tempfile.TemporaryDirectory() as folder:
        if os.getuid() != 0 or subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder],
                                              stderr=subprocess.DEVNULL).returncode != 0:
            print('COPY to a full disk: left out, no right to mount a file system')
            return 0
        try:
            return check_copies(lambda sql: check(binary, [(sql, '53100')]) == 0, Path(folder), f'SELECT * FROM {LINEITEM}', 'full disk')
        finally:
            subprocess.run(['umount', folder], check=True)


def check_file_limit(binary):
    """A limit of a file's size makes writing fail half way on any machine: 58030."""
    def run(sql):
        done = subprocess.run([binary, '-c', sql], capture_output=True, text=True, timeout=60,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16)))
        return done.returncode == 1 and 'ERROR:  58030: could not write' in done.stderr

    with tempfile.TemporaryDirectory() as folder:
        return check_copies(run, Path(folder), f'SELECT * FROM {LINEITEM}', "limit of a file's size")


def main():
    binary = str(Path(sys.argv[1]).resolve())
    os.chdir(saccade_shell.ROOT)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        failed = check(binary, MALFORMED + NAMES_AND_TYPES + VALUES + LARGE + file_statements(folder))
        failed += check(binary, MEMORY, more=['--memory-limit', '2MB'])
    failed += check_unfinished(binary) + check_failed_query(binary) + check_full_disk(binary) + check_file_limit(binary)
    print(f'{failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
