#!/usr/bin/env python3
"""What only a running shell shows: an interrupt, a memory limit that is too small, a rank that is killed. run_failures.py BINARY"""

import os
import pty
import shutil
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import saccade_shell  # noqa: E402

LINEITEM = "'data/tpch/sf0.01/lineitem.parquet'"
# Trillions of rows pass the second join: it ends only when something ends it.
ENDLESS = (f'SELECT count(*) FROM {LINEITEM} a JOIN {LINEITEM} b ON a.l_linestatus = b.l_linestatus '
           f'JOIN {LINEITEM} c ON b.l_returnflag = c.l_returnflag WHERE a.l_quantity + b.l_quantity > c.l_quantity')
PATIENCE = 120  # seconds until a shell that doesn't answer counts as hanging


class Shell:
    """A shell whose output is read while it runs."""

    def __init__(self, binary, configuration, more=()):
        line = saccade_shell.command(binary, configuration, more)
        self.process = subprocess.Popen(line, cwd=saccade_shell.ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        start_new_session=True)
        self.text = ''
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        while chunk := os.read(self.process.stdout.fileno(), 65536):
            self.text += chunk.decode(errors='replace')

    def say(self, text, end=False):
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()
        if end:
            self.process.stdin.close()

    def wait_for(self, text):
        deadline = time.monotonic() + PATIENCE
        while text not in self.text and self.reader.is_alive() and time.monotonic() < deadline:
            time.sleep(0.05)
        return text in self.text

    def end(self):
        """The exit code; None where the shell had to be killed."""
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return None
        finally:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()
            self.reader.join()


def processes_of(parent, name):
    """Processes below `parent` that run the program `name`."""
    children = {}
    for path in Path('/proc').glob('[0-9]*/stat'):
        try:
            text = path.read_text()
        except OSError:
            continue
        own = int(text.split()[0])
        program = text[text.index('(') + 1:text.rindex(')')]
        children.setdefault(int(text[text.rindex(')') + 2:].split()[1]), []).append((own, program))
    found, todo = [], [parent]
    while todo:
        for own, program in children.get(todo.pop(), []):
            todo.append(own)
            if program == name:
                found.append(own)
    return sorted(found)


def test_interrupt(binary, configuration):
    """Ctrl-C at a terminal ends the statement; the shell answers the next one."""
    line = [str(binary), *saccade_shell.CONFIGURATIONS[configuration][0]]
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(saccade_shell.ROOT)
        os.execve(line[0], line, {**os.environ, 'TERM': 'dumb'})
    text = ''

    def say(words):
        os.write(terminal, words.encode())

    def wait_for(words, patience=PATIENCE):
        nonlocal text
        deadline = time.monotonic() + patience
        while words not in text and time.monotonic() < deadline:
            if select.select([terminal], [], [], 0.1)[0]:
                try:
                    text += os.read(terminal, 65536).decode(errors='replace')
                except OSError:
                    break
        return words in text

    try:
        say('SELECT 41 + 1 AS before;\n')
        if not wait_for(' 42'):
            return f'no answer before the interrupt: {text}'
        say(ENDLESS + ';\n')
        wait_for('l_quantity;', 5)
        time.sleep(1)
        say('\x03')
        if not wait_for('57014'):
            return f'expected 57014: {text}'
        say('SELECT 70 + 7 AS after;\n')
        if not wait_for(' 77'):
            return f'no answer after the interrupt: {text}'
        return None
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)


def test_interrupted_script(binary, configuration):
    """An interrupt ends a script, with its error."""
    shell = Shell(binary, configuration)
    shell.say(f'SELECT 1 AS before;\n{ENDLESS};\nSELECT 2 AS after;\n', end=True)
    if not shell.wait_for('before\n1\n'):
        return f'no answer before the interrupt: {shell.text}'
    time.sleep(1)
    for process in processes_of(os.getpid(), Path(binary).name):
        os.kill(process, signal.SIGINT)
    code = shell.end()
    if code in (None, 0) or 'ERROR:  57014' not in shell.text or 'count\n' in shell.text:
        return f'expected 57014 and an end, got code {code}: {shell.text}'
    return None


def test_memory_limit(binary, configuration):
    statements = [f'CREATE TABLE lines AS SELECT * FROM {LINEITEM}',
                  f'SELECT l_orderkey, l_comment, count(*) FROM {LINEITEM} GROUP BY l_orderkey, l_comment ORDER BY 2, 1 LIMIT 1',
                  'SELECT 1 AS one']
    outputs = saccade_shell.run(binary, configuration, statements, ['--memory-limit', '4MB'], timeout=PATIENCE)
    if [output.sqlstate for output in outputs] != ['53200', '53200', None] or outputs[2].rows != [['1']]:
        return f'expected 53200 twice and an answer, got {outputs}'
    return None


def test_killed_rank(binary, configuration):
    shell = Shell(binary, configuration)
    shell.say(f'SELECT 1 AS before;\n{ENDLESS};\n', end=True)
    if not shell.wait_for('before\n1\n'):
        return f'no answer before the kill: {shell.text}'
    time.sleep(1)
    ranks = processes_of(shell.process.pid, Path(binary).name)
    if len(ranks) != 2:
        return f'expected two ranks, found {ranks}'
    os.kill(ranks[1], signal.SIGKILL)
    code = shell.end()
    if code in (None, 0) or 'count\n' in shell.text:
        return f'expected an error and an end, got code {code}: {shell.text}'
    return None


def main():
    binary = sys.argv[1]
    tests = [(test, name) for test in (test_interrupt, test_interrupted_script) for name in ('cpu-2', 'ranks-2')]
    tests += [(test_memory_limit, name) for name in ('cpu-2', 'ranks-2', 'shim')]
    if shutil.which('mpirun'):
        tests.append((test_killed_rank, 'mpi-2'))
    failed = 0
    for test, configuration in tests:
        problem = test(binary, configuration)
        failed += problem is not None
        print(f'{test.__name__} {configuration}: {"ok" if problem is None else "FAILED: " + problem}', flush=True)
    print(f'{len(tests) - failed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
