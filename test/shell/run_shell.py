"""The shell as scripts use it: options, exit codes, formats, pipes, files. usage: run_shell.py saccade"""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

import pyarrow
import pyarrow.parquet

SACCADE = os.path.abspath(sys.argv[1])
ROWS = "SELECT * FROM 'rows.parquet' ORDER BY id"
MANY = "SELECT * FROM 'many.parquet'"


def run(*options, text=None, **more):
    """Standard output, standard error and the exit code."""
    done = subprocess.run([SACCADE, *options], input=text, capture_output=True, text=True, timeout=300, **more)
    return done.stdout, done.stderr, done.returncode


def check(options, stdout, stderr='', code=0, text=None):
    found = run(*options, text=text)
    assert found == (stdout, stderr, code), f'{options}: {found!r}'


def exit_codes():
    check(['-t', '-c', 'SELECT 1', '-c', 'SELECT 2; SELECT 3'], ' 1\n\n 2\n\n 3\n\n')
    division = 'ERROR:  22012: division by zero\n'
    check(['-t', '-c', 'SELECT 1; SELECT 1/0; SELECT 2', '-c', 'SELECT 3'], ' 1\n\n', division, 1)
    check(['-t'], ' 1\n\n 2\n\n', division, 1, text='SELECT 1; SELECT 1/0;\nSELECT 2')
    check(['-t'], '', '', 0, text='\n-- nothing\n')
    check(['-c', '\\nonsense', '-c', 'SELECT 1'], '', 'ERROR:  42601: invalid command \\nonsense\nHINT:  Try \\? for help.\n', 1)
    for wrong in (['--format', 'xml'], ['--nonsense'], ['--threads', 'many', '-c', 'SELECT 1'], ['--set', 'threads'],
                  ['--set', 'no_such_setting=1', '-c', 'SELECT 1']):
        stdout, stderr, code = run(*wrong)
        assert stdout == '' and stderr and code == 2, wrong


def environment():
    """SACCADE_NAME gives a setting, an option of the command line comes after it, SET after both."""
    settings = ['-t', '--format', 'csv', '-c', 'SHOW threads; SHOW timezone']
    variables = {**os.environ, 'SACCADE_THREADS': '3', 'SACCADE_TIMEZONE': 'Asia/Tokyo', 'SACCADE_VERIFY': ''}
    assert run(*settings, env=variables) == ('3\nAsia/Tokyo\n', '', 0)
    assert run('--threads', '2', *settings, env=variables) == ('2\nAsia/Tokyo\n', '', 0)
    assert run('-c', 'SET threads = 5', *settings, env=variables)[0].endswith('5\nAsia/Tokyo\n')
    stdout, stderr, code = run(*settings, env={**os.environ, 'SACCADE_THREADS': 'many'})
    assert (stdout, code) == ('', 2) and '22023' in stderr and 'SACCADE_THREADS' in stderr, stderr


def errors():
    stdout, stderr, code = run('-c', "SELECT 'größe',\n\t日本 FROM x.y")
    assert (stdout, code) == ('', 1) and stderr.startswith('ERROR:  '), stderr
    check(['-c', "SELECT '日本', nope"], '',
          "ERROR:  42703: column \"nope\" does not exist\nLINE 1: SELECT '日本', nope\n                       ^\n", 1)
    check(['-c', 'SELECT 1,\n\tnope'], '', 'ERROR:  42703: column "nope" does not exist\nLINE 2:  nope\n         ^\n', 1)
    _, stderr, _ = run('-c', f"SELECT {'1, ' * 200}nope{', 1' * 200}")
    _, line, caret, _ = stderr.split('\n')
    assert len(line) < 100 and line.startswith('LINE 1: ...') and line.endswith('...'), stderr
    assert line[len(caret) - 1:].startswith('nope'), stderr
    _, stderr, _ = run('-c', 'SELECT "\x1b[31mred"')
    assert '\x1b' not in stderr and '\\x1B[31mred' in stderr, stderr


def formats():
    check(['--format', 'csv', '-c', ROWS], 'id,t,n\n1,"a,b|""c""",\n2,"",x\n')
    check(['--format', 'csv', '-P', 'null=NULL', '-t', '-c', ROWS], '1,"a,b|""c""",NULL\n2,"",x\n')
    stdout, _, _ = run('--format', 'csv', '-c', "SELECT 'two\nlines' AS a, '\"' AS b")
    assert list(csv.reader(io.StringIO(stdout))) == [['a', 'b'], ['two\nlines', '"']], stdout
    expected = [{'id': 1, 't': 'a,b|"c"', 'n': None}, {'id': 2, 't': '', 'n': 'x'}]
    stdout, _, _ = run('--format', 'json', '-c', ROWS)
    assert json.loads(stdout) == expected, stdout
    stdout, _, _ = run('--format', 'jsonl', '-c', ROWS)
    assert [json.loads(line) for line in stdout.splitlines()] == expected, stdout
    wide = '12345678901234567890123456.789012345678'
    check(['--format', 'jsonl', '-c', f"SELECT {wide} AS a, 'NaN'::double precision AS b, '-Infinity'::double precision AS c, "
           "0.1::double precision AS d, true AS e, DATE '2000-01-31' AS f"],
          f'{{"a":{wide},"b":"NaN","c":"-Infinity","d":0.1,"e":true,"f":"2000-01-31"}}\n')
    check(['--format', 'json', '-c', 'SELECT 1 AS a WHERE false', '-c', 'SET threads = 1'], '[]\n')
    check(['--format', 'markdown', '-c', ROWS], '| id | t | n |\n|---:|---|---|\n| 1 | a,b\\|"c" |  |\n| 2 |  | x |\n')
    check(['--format', 'line', '-c', ROWS], 'id = 1\n t = a,b|"c"\n n = \n\nid = 2\n t = \n n = x\n\n')
    check(['-c', "SELECT '日本' AS wide, 'x' AS y", '-c', "SELECT 'é' AS wide, 'x' AS y"],
          ' wide | y \n------+---\n 日本 | x\n(1 row)\n\n wide | y \n------+---\n é    | x\n(1 row)\n\n')
    check(['-x', '-c', ROWS], '-[ RECORD 1 ]\nid | 1\nt  | a,b|"c"\nn  | \n-[ RECORD 2 ]\nid | 2\nt  | \nn  | x\n\n')
    check(['-c', 'SET threads = 1'], 'SET\n')


def files(folder):
    script, out = os.path.join(folder, 'a b.sql'), os.path.join(folder, 'out.csv')
    with open(script, 'w') as file:
        file.write('SELECT 1 AS a;\n\nSELECT\n nope;\nSELECT 2;\n')
    place = f'saccade:{script}:4: '
    check(['-t', '-f', script, '-c', 'SELECT 3'], ' 1\n\n',
          place + 'ERROR:  42703: column "nope" does not exist\nLINE 2:  nope;\n         ^\n', 1)
    check(['-f', folder], '', f'ERROR:  58P01: could not read "{folder}": Is a directory\n', 1)
    check(['-t', '-c', 'SELECT 1', '-f', '-', '-c', 'SELECT 3'], ' 1\n\n 2\n\n 3\n\n', text='SELECT 2')
    check(['--format', 'csv', '-o', out, '-c', 'SELECT 1 AS a'], '')
    with open(out) as file:
        assert file.read() == 'a\n1\n'
    full = 'ERROR:  53100: could not write to "/dev/full": No space left on device\n'
    check(['-t', '-c', '\\o /dev/full', '-c', 'SELECT 1', '-c', 'SELECT 2'], '', full, 1)
    check(['-t'], ' 2\n\n', full, 1, text='\\o /dev/full\nSELECT 1;\n\\o\nSELECT 2;')
    with open('/dev/full', 'w') as device:
        done = subprocess.run([SACCADE, '-c', 'SELECT 1'], stdout=device, stderr=subprocess.PIPE, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (1, 'ERROR:  53100: could not write to the output: No space left on device\n'), done


def closed_pipes():
    """Whoever stops reading ends the shell without a word."""
    for options in ([], ['--format', 'csv'], ['--format', 'jsonl']):
        shell = subprocess.Popen([SACCADE, *options, '-c', MANY, '-c', 'SELECT 1/0'], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        assert shell.stdout.readline()
        shell.stdout.close()
        stderr = shell.stderr.read()
        assert (shell.wait(timeout=300), stderr) == (141, ''), stderr


def long_statements():
    """A statement of many lines, each with a semicolon in a string, and a line of many statements."""
    lines = ',\n'.join(['\'a;b\''] * 20_000 + ["''"])
    stdout, stderr, code = run('--format', 'csv', text=f'SELECT count(*) AS n FROM \'rows.parquet\' WHERE t IN ({lines});\n')
    assert (stdout, code) == ('n\n1\n', 0), (stdout, stderr, code)
    stdout, stderr, code = run('-t', '--format', 'csv', text='SET threads = 1; ' * 5000 + 'SELECT 7')
    assert (stdout, code) == ('7\n', 0), (stdout, stderr, code)


def make_files():
    rows = pyarrow.table({'id': pyarrow.array([1, 2], pyarrow.int32()), 't': ['a,b|"c"', ''], 'n': [None, 'x']})
    pyarrow.parquet.write_table(rows, 'rows.parquet')
    pyarrow.parquet.write_table(pyarrow.table({'a': range(100_000)}), 'many.parquet')


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_files()
        exit_codes()
        environment()
        errors()
        formats()
        files(folder)
        closed_pipes()
        long_statements()


if __name__ == '__main__':
    main()
