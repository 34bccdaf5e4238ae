#!/usr/bin/env python3
"""Runs files of SQL tests in the format of sqllogictest: run_slt.py BINARY CONFIGURATION FILE...

  statement ok            the statement succeeds
  statement error 22012   it fails with this SQLSTATE (and, after it, a regular expression that its message holds)
  query ITR [rowsort]     it returns one column for each letter and the rows after ----: columns between tabs, NULL, (empty)
  skipif NAME             the next record is left out under this configuration; onlyif NAME: under every other
  # comment

${DATA} stands for the folder of the tests' Parquet files. Every file starts with SET verify = on.
"""

import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import saccade_shell  # noqa: E402


@dataclass
class Record:
    line: int
    directive: list
    sql: str = ''
    expected: list = field(default_factory=list)
    sort: bool = False


def read_records(text, configuration):
    lines = text.split('\n')
    i, skip = 0, False
    while i < len(lines):
        words = lines[i].split()
        i += 1
        if not words or words[0].startswith('#'):
            continue
        if words[0] in ('skipif', 'onlyif'):
            skip = skip or (words[1] == configuration) == (words[0] == 'skipif')
            continue
        if words[0] not in ('statement', 'query'):
            raise SystemExit(f'line {i}: expected statement, query, skipif or onlyif, found {words[0]}')
        record = Record(line=i, directive=words, sort='rowsort' in words)
        sql = []
        while i < len(lines) and lines[i].strip() and lines[i] != '----':
            sql.append(lines[i])
            i += 1
        if i < len(lines) and lines[i] == '----':
            i += 1
            while i < len(lines) and lines[i] != '':
                record.expected.append(lines[i])
                i += 1
        record.sql = '\n'.join(sql)
        if not skip:
            yield record
        skip = False


def show(value):
    return 'NULL' if value is None else '(empty)' if value == '' else value


def judge(record, output):
    """None where the output is as expected, else what is wrong."""
    kind = record.directive[0]
    failed = output.sqlstate is not None
    if kind == 'statement' and record.directive[1] == 'error':
        if not failed:
            return f'expected SQLSTATE {record.directive[2]}, but it succeeded:\n{output.text}'
        pattern = ' '.join(record.directive[3:])
        if output.sqlstate != record.directive[2] or not re.search(pattern, output.message):
            return f'expected SQLSTATE {" ".join(record.directive[2:])}, got {output.sqlstate} {output.message}'
        return None
    if failed:
        return f'failed: {output.sqlstate} {output.message}\n{output.text}'
    if kind == 'statement':
        return None
    rows = ['\t'.join(show(value) for value in row) for row in output.rows]
    widths = {len(row) for row in output.rows} | {len(output.header)}
    expected = record.expected
    if record.sort:
        rows, expected = sorted(rows), sorted(expected)
    if widths != {len(record.directive[1])}:
        return f'expected {len(record.directive[1])} columns, got {sorted(widths)}:\n{output.text}'
    if rows != expected:
        return 'wrong rows; expected:\n' + '\n'.join(expected) + '\ngot:\n' + '\n'.join(rows)
    return None


def main():
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    binary, configuration, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    reason = saccade_shell.why_skipped(configuration)
    if reason:
        print(f'skipped: {reason}')
        return saccade_shell.SKIPPED
    data = os.environ.get('SACCADE_TEST_DATA', 'build/release/test_data')
    passed = failed = 0
    for file in files:
        records = list(read_records(Path(file).read_text(), configuration))
        statements = ['SET verify = on'] + [record.sql.replace('${DATA}', data) for record in records]
        outputs = saccade_shell.run(binary, configuration, statements)
        if outputs[0].sqlstate is not None:
            print(f'{file}: SET verify = on failed: {outputs[0].message}')
            failed += 1
        for record, output in zip(records, outputs[1:]):
            problem = judge(record, output)
            passed += problem is None
            failed += problem is not None
            if problem and output.sqlstate != 'not run':
                print(f'{file}:{record.line}: {record.sql}\n  {problem}\n')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
