#!/usr/bin/env python3
"""Bad input is normal input: each kind of it ends with the SQLSTATE it should, and the session goes on. run_bad_input.py BINARY

Every statement runs in one and the same session, under a memory limit; after each one the session must still answer. Kinds that
flip bits of files or cut them at every length have a script of their own (run_damaged_files.py).
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import saccade_shell  # noqa: E402

LINEITEM = "'data/tpch/sf0.01/lineitem.parquet'"

# What stands for a right answer instead of an error.
ROWS = 'rows'

SETUP = [
    'CREATE TABLE numbers AS SELECT 1 AS small, 9223372036854775807 AS large',
    'CREATE TABLE words (word varchar(3), day date)',
]

MALFORMED = [
    ('SELEC 1', '42601'),
    ('SELECT 1 FROM', '42601'),
    ('SELECT (1', '42601'),
    ('SELECT * FROM numbers WHERE', '42601'),
    ('WITH x AS (SELECT 1) ', '42601'),
    ('SELECT 1 +', '42601'),
    ('SELECT \x01 1', '42601'),
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
    ('SELECT 1 / 0', '22012'),
    ('SELECT 1 % 0', '22012'),
    ('SELECT 1.0 / 0', '22012'),
    ('SELECT 1::double precision / 0', '22012'),
    ('SELECT small / (small - 1) FROM numbers', '22012'),
    ('SELECT (SELECT v FROM (VALUES (1), (2)) AS t (v))', '21000'),
    ("SELECT DATE '2023-02-30'", '22008'),
    ("SELECT DATE '2023-13-01'", '22008'),
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
    ('SELECT count(*) FROM (' + ' UNION ALL '.join(['SELECT 1'] * 10_000) + ') AS t', ROWS),
    ('SELECT ' + 'NOT ' * 100_000 + 'TRUE', '54001'),
    ('SELECT ' + '-' .join([' '] * 50_000) + '1', '54001'),
    ('SELECT ' + 'CASE WHEN TRUE THEN ' * 20_000 + '1' + ' END' * 20_000, '54001'),
    ('SELECT ' + '(SELECT ' * 5_000 + '1' + ')' * 5_000, '54001'),
    ("SELECT length('" + 'x' * 1_000_000 + "')", ROWS),
    ('SELECT 1 WHERE 1 IN (' + ', '.join(map(str, range(150_000))) + ')', ROWS),
    ('SELECT ' + ', '.join(f'{i} AS c{i}' for i in range(60_000)), '54001'),
    ('SELECT 1 -- ' + 'x' * 1_000_000, ROWS),
    ('SELECT "' + 'x' * 1_000_000 + '" FROM numbers', '42703'),
]

# A limit that none of these statements can keep.
MEMORY = [
    (f'SELECT l_orderkey, l_linenumber, l_comment, l_extendedprice FROM {LINEITEM} ORDER BY l_comment, l_extendedprice', '53200'),
    (f'SELECT l_orderkey, l_linenumber, l_partkey, sum(l_quantity) FROM {LINEITEM} GROUP BY 1, 2, 3', '53200'),
    (f'SELECT count(*) FROM {LINEITEM} a JOIN {LINEITEM} b USING (l_orderkey, l_linenumber, l_comment)', '53200'),
    (f'CREATE TABLE too_large AS SELECT * FROM {LINEITEM}', '53200'),
]


def file_statements(folder):
    """Missing, empty and wrong files."""
    (folder / 'empty.parquet').write_bytes(b'')
    (folder / 'empty.csv').write_bytes(b'')
    (folder / 'text.parquet').write_text('this is no Parquet file, but it is long enough for one')
    whole = Path('data/tpch/sf0.01/nation.parquet').read_bytes()
    (folder / 'cut.parquet').write_bytes(whole[:len(whole) // 2])
    (folder / 'folder.parquet').mkdir()
    (folder / 'short.csv').write_text('a,b\n1,2\n3\n')
    (folder / 'long.csv').write_text('a,b\n1,2\n3,4,5\n')
    (folder / 'quote.csv').write_text('a,b\n1,"2\n3,4\n')
    (folder / 'latin.csv').write_bytes(b'a,b\n1,caf\xe9\n')
    (folder / 'late.csv').write_text('a,b\n' + '1,2\n' * 200_000 + '1,x\n')
    (folder / 'text.arrow').write_text('this is no Arrow file')
    return [
        (f"SELECT * FROM '{folder}/missing.parquet'", '58P01'),
        (f"SELECT * FROM '{folder}/missing.csv'", '58P01'),
        (f"SELECT * FROM '{folder}/*.none.parquet'", '58P01'),
        (f"SELECT * FROM '{folder}/empty.parquet'", 'XX001'),
        (f"SELECT * FROM '{folder}/text.parquet'", 'XX001'),
        (f"SELECT * FROM '{folder}/cut.parquet'", 'XX001'),
        (f"SELECT * FROM '{folder}/folder.parquet'", '42809'),
        (f"SELECT * FROM '{folder}/empty.csv'", '22P04'),
        (f"SELECT * FROM '{folder}/short.csv'", '22P04'),
        (f"SELECT * FROM '{folder}/long.csv'", '22P04'),
        (f"SELECT * FROM '{folder}/quote.csv'", '22P04'),
        (f"SELECT * FROM '{folder}/latin.csv'", '22021'),
        (f"SELECT * FROM '{folder}/late.csv'", '22P02'),
        (f"SELECT * FROM '{folder}/text.arrow'", 'XX001'),
        (f"SELECT * FROM 'data/tpch/sf0.01/nation.unknown'", '0A000'),
        (f"COPY numbers TO '{folder}/missing/x.csv'", '58P01'),
        (f"COPY numbers FROM '{folder}/missing.csv'", '58P01'),
    ]


def check(binary, statements, more=()):
    """How many of [(statement, SQLSTATE or ROWS)] do not end as they should."""
    outputs = saccade_shell.run(binary, 'cpu-2', SETUP + [sql for sql, _ in statements], more=more, timeout=600)
    failed = 0
    for (sql, wanted), output in zip([(sql, ROWS) for sql in SETUP] + statements, outputs):
        found = output.sqlstate or ROWS
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


def check_full_disk(binary):
    """COPY to a disk that is full: 53100, and no file is left. Needs the right to mount a small file system."""
    with tempfile.TemporaryDirectory() as folder:
        if os.getuid() != 0 or subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder],
                                              stderr=subprocess.DEVNULL).returncode != 0:
            print('COPY to a full disk: left out, no right to mount a file system')
            return 0
        try:
            copies = [f"COPY (SELECT * FROM {LINEITEM}) TO '{folder}/x.{ending}'" for ending in ('csv', 'parquet')]
            failed = check(binary, [(sql, '53100') for sql in copies])
            left = os.listdir(folder)
        finally:
            subprocess.run(['umount', folder], check=True)
        if left:
            print(f'COPY to a full disk left {left}')
        return failed + bool(left)


def main():
    binary = sys.argv[1]
    os.chdir(saccade_shell.ROOT)
    with tempfile.TemporaryDirectory() as folder:
        statements = MALFORMED + NAMES_AND_TYPES + VALUES + LARGE + file_statements(Path(folder))
        failed = check(binary, statements)
        failed += check(binary, MEMORY, more=['--memory-limit', '2MB'])
    failed += check_unfinished(binary) + check_full_disk(binary)
    print(f'{failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
