#!/usr/bin/env python3
"""Statements of extreme size: run_limits.py BINARY. Each ends with the answer or with a clear error, and the shell goes on."""

import subprocess
import sys
import tempfile

# Nothing of this takes long; a hang ends here.
TIMEOUT = 300


def repeated(part, separator, count):
    return separator.join([part] * count)


CASES = [
    # (name, statement, the answer's only cell or None, the codes allowed)
    ('100,000 terms', 'SELECT ' + repeated('1', '+', 100_000), '100000', {'54001'}),
    ('1,000 terms', 'SELECT ' + repeated('1', '+', 900), '900', set()),
    ('10,000 parentheses', 'SELECT ' + '(' * 10_000 + '1' + ')' * 10_000, '1', {'54001'}),
    ('500 parentheses', 'SELECT ' + '(' * 500 + '1' + ')' * 500, '1', set()),
    ('100,000 conditions', 'SELECT 1 WHERE ' + repeated('1 = 1', ' AND ', 100_000), '1', {'54001'}),
    ('100,000 values in IN', 'SELECT 1 WHERE 7 IN (' + ', '.join(map(str, range(100_000))) + ')', '1', {'54001'}),
    ('a text of 1 MB', "SELECT CASE WHEN '" + 'x' * 1_000_000 + "' = 'x' THEN 1 ELSE 2 END", '2', set()),
    ('a comment of 1 MB', 'SELECT 1 /* ' + 'x' * 1_000_000 + ' */', '1', set()),
    ('a name of 1 MB', 'SELECT ' + 'x' * 1_000_000, None, {'42703'}),
    ('a list of 1 MB', 'SELECT ' + ', '.join(['1'] * 330_000), None, {'54011'}),
    ('10,000 NOT', 'SELECT ' + 'NOT ' * 10_000 + 'true', None, {'54001'}),
    ('10,000 minus', 'SELECT ' + '- ' * 10_000 + '1', '1', {'54001'}),
    ('10,000 CASE', 'SELECT ' + 'CASE WHEN true THEN ' * 10_000 + '1' + ' END' * 10_000, '1', {'54001'}),
    ('10,000 casts', 'SELECT 1' + '::integer' * 10_000, '1', {'54001'}),
    ('10,000 UNION ALL', 'SELECT count(*) FROM (' + repeated('SELECT 1 AS a', ' UNION ALL ', 10_001) + ') t', '10001', {'54001'}),
    ('10,000 joins', 'SELECT 1 FROM ' + ', '.join(f'one t{i}' for i in range(10_000)), None, {'54001'}),
    ('20,000 rows of VALUES', 'INSERT INTO one VALUES ' + ', '.join(f'({i})' for i in range(20_000)), None, set()),
    ('half a statement', 'SELECT (((((', None, {'42601'}),
    ('a zero byte', 'SELECT 1 \0 + 1', None, {'22021', '42601'}),
    ('invalid UTF-8', b"SELECT '\xff\xfe'", None, {'22021'}),
]


def run(binary, statement):
    raw = statement if isinstance(statement, bytes) else statement.encode()
    with tempfile.NamedTemporaryFile(suffix='.sql') as file:
        file.write(b'CREATE TABLE one AS SELECT 1 AS a;\n' + raw + b';\nSELECT 40 + 2 AS still;\n')
        file.flush()
        with open(file.name, 'rb') as script:
            done = subprocess.run([binary, '--format', 'csv'], stdin=script, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  timeout=TIMEOUT, check=False)
    return done.stdout.decode(errors='replace'), done.stderr.decode(errors='replace'), done.returncode


def check(binary, name, statement, answer, codes):
    out, errors, code = run(binary, statement)
    lines = out.split('\n')
    if lines[-3:] != ['still', '42', '']:
        return f'the shell did not go on (exit code {code}): {errors[-300:]}'
    if 'ERROR' in errors:
        got = errors.split('ERROR:')[1].strip().split(':')[0]
        return None if got in codes else f'{got} is none of {sorted(codes)}: {errors[:300]}'
    if answer is not None and answer not in lines[:-3]:
        return f'no answer {answer}: {out[:200]!r}'
    return 'it succeeded' if answer is None and codes else None


def main():
    failures = 0
    for name, statement, answer, codes in CASES:
        try:
            failure = check(sys.argv[1], name, statement, answer, codes)
        except subprocess.TimeoutExpired:
            failure = f'no answer within {TIMEOUT} s'
        if failure:
            failures += 1
            print(f'{name}: {failure}')
    print(f'{len(CASES) - failures} of {len(CASES)} passed')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
