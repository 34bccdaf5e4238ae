"""Runs statements through the saccade shell in one process, and tells apart what each of them printed.

Between two statements stands one that prints a known line, so that each statement's output, rows or error, is known whatever
happens to the others. Standard error is joined with standard output inside of the process that writes both, so their order holds.
"""

import ctypes
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Where a GPU can't run an operator, the answer is tested all the same.
SHIM = ['--device', 'gpu-shim', '--gpu-fallback', 'on']
GPU = ['--device', 'gpu', '--gpu-fallback', 'on']

# What every SQL test runs on, by name: options of the shell, and how many processes mpirun starts.
CONFIGURATIONS = {
    'cpu-1': (['--threads', '1'], 0),
    'cpu-2': (['--threads', '2'], 0),
    'shim': ([*SHIM], 0),
    'gpu': ([*GPU], 0),
    'ranks-2': (['--ranks', '2', '--threads', '1'], 0),
    'ranks-3': (['--ranks', '3', '--threads', '1'], 0),
    'shim-ranks-2': ([*SHIM, '--ranks', '2'], 0),
    'gpu-ranks-2': ([*GPU, '--ranks', '2'], 0),
    'mpi-2': (['--threads', '1'], 2),
    'gpu-mpi-2': ([*GPU, '--threads', '1'], 2),
}
SKIPPED = 77  # the exit code that ctest takes for "skipped"


@dataclass
class Output:
    """What one statement printed: rows of text (None for NULL) under their header, or an error."""
    header: list = field(default_factory=list)
    rows: list = field(default_factory=list)
    sqlstate: str = None
    message: str = None
    text: str = ''


def has_gpu():
    try:
        driver = ctypes.CDLL('libcuda.so.1')
        count = ctypes.c_int(0)
        return driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0
    except OSError:
        return False


def why_skipped(configuration):
    """A reason why this configuration can't run on this machine, or None."""
    options, processes = CONFIGURATIONS[configuration]
    if processes and not shutil.which('mpirun'):
        return 'mpirun is not installed (scripts/setup --tests)'
    if 'gpu' in options and not has_gpu():
        return 'no GPU here'
    return None


def command(binary, configuration, more=()):
    options, processes = CONFIGURATIONS[configuration]
    line = ['sh', '-c', 'exec "$0" "$@" 2>&1', str(binary), '--format', 'csv', *options, *more]
    if processes:
        launcher = ['mpirun', '-np', str(processes), '--oversubscribe', '--bind-to', 'none',
                    '--mca', 'btl_vader_single_copy_mechanism', 'none']
        line = launcher + (['--allow-run-as-root'] if os.getuid() == 0 else []) + line
    return line


def parse_csv(text):
    """Rows of CSV; an empty field is None where it stands without quotes. (Python's csv module can't tell the two apart.)"""
    rows, row, i = [], [], 0
    while i < len(text):
        if text[i] == '"':
            end = i + 1
            while not (text[end] == '"' and text[end + 1:end + 2] != '"'):
                end += 2 if text[end] == '"' else 1
            row.append(text[i + 1:end].replace('""', '"'))
            i = end + 1
        else:
            end = re.compile('[,\n]|$').search(text, i).start()
            row.append(text[i:end] or None)
            i = end
        if text[i:i + 1] == ',':
            i += 1
            if i == len(text) or text[i] == '\n':
                row.append(None)
        if text[i:i + 1] in ('\n', ''):
            rows.append(row)
            row = []
            i += 1
    return rows


def interpret(text):
    error = re.search(r'^ERROR:  (\w{5}): (.*?)$', text, re.MULTILINE | re.DOTALL)
    if error:
        return Output(sqlstate=error.group(1), message=error.group(2), text=text)
    try:
        rows = parse_csv(text)
    except IndexError:
        return Output(sqlstate='?', message='output is no CSV', text=text)
    return Output(header=rows[0] if rows else [], rows=rows[1:], text=text)


def run(binary, configuration, statements, more=(), timeout=600):
    """The Output of each statement. After a crash or a timeout: an Output with sqlstate 'crash' for the statement that was
    running, and 'not run' for the later ones."""
    script = ''.join(f'{statement.strip().rstrip(";")}\n;\nSELECT 1 AS saccade_mark_{number};\n'
                     for number, statement in enumerate(statements))
    environment = {**os.environ, 'OMPI_MCA_rmaps_base_oversubscribe': '1'}
    line = command(binary, configuration, more)
    process = subprocess.Popen(line, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    how = None
    try:
        text, _ = process.communicate(script.encode(), timeout=timeout)
    except subprocess.TimeoutExpired:
        how = f'no answer within {timeout} s'
        os.killpg(process.pid, 9)
        text, _ = process.communicate()
    text = text.decode(errors='replace')
    outputs = []
    for number in range(len(statements)):
        part, mark, rest = text.partition(f'saccade_mark_{number}\n1\n')
        if not mark:
            outputs.append(Output(sqlstate='crash', message=how or f'the shell ended with code {process.returncode}', text=part))
            break
        outputs.append(interpret(part))
        text = rest
    outputs += [Output(sqlstate='not run', message='an earlier statement ended the shell')] * (len(statements) - len(outputs))
    return outputs
