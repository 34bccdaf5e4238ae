"""The shell on a terminal: prompts, completion, history, progress, Ctrl-C, Ctrl-D, errors. usage: run_terminal.py saccade"""
import os
import pty
import select
import signal
import sys
import tempfile
import termios
import time

import pyarrow
import pyarrow.parquet

TIMEOUT = 120  # far more than any answer needs
TABLES = ", ".join(f"'folder/rows.parquet' t{i}" for i in range(9))
ENDLESS = f"select count(*) from {TABLES} where {' and '.join(f't0.k = t{i}.k' for i in range(1, 9))};"


class Terminal:
    def __init__(self, program, home):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(program, [program], dict(os.environ, TERM="dumb", HOME=home))
        self.seen = b""

    def type(self, text):
        os.write(self.fd, text.encode())

    def wait_for(self, text):
        """Reads up to and including `text`; returns what came before it."""
        end = time.monotonic() + TIMEOUT
        wanted = text.encode()
        while wanted not in self.seen:
            if time.monotonic() > end or not self.read_more(end):
                raise AssertionError(f"{text!r} did not come, but {self.seen!r}")
        before, self.seen = self.seen.split(wanted, 1)
        # What is typed between a prompt and the editor's own mode of the terminal can be lost, so wait for that mode.
        while text.startswith("saccade") and termios.tcgetattr(self.fd)[3] & termios.ICANON:
            if time.monotonic() > end:
                raise AssertionError("the editor does not take over the terminal")
            time.sleep(0.005)
        return before.decode()

    def read_more(self, end):
        ready, _, _ = select.select([self.fd], [], [], max(0, end - time.monotonic()))
        try:
            chunk = os.read(self.fd, 4096) if ready else b""
        except OSError:  # the program has ended
            return False
        self.seen += chunk
        return bool(chunk)

    def exit_code(self):
        end = time.monotonic() + TIMEOUT
        while self.read_more(end):
            pass
        if time.monotonic() > end:
            os.kill(self.pid, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def statements(terminal):
    terminal.wait_for("saccade=> ")
    terminal.type("select 40\r")
    terminal.wait_for("saccade-> ")
    terminal.type("+ 2 as answer;\r")
    assert "42" in terminal.wait_for("(1 row)")
    terminal.wait_for("saccade=> ")
    terminal.type("select missing;\r")
    terminal.wait_for('ERROR:  42703: column "missing" does not exist')
    terminal.wait_for("LINE 1: select missing;")
    terminal.wait_for("saccade=> ")
    terminal.type("select 'größe';\r")
    terminal.wait_for(" größe\r\n(1 row)")
    terminal.wait_for("saccade=> ")


def commands(terminal):
    terminal.type("\\timing\r")
    terminal.wait_for("Timing is on.")
    terminal.wait_for("saccade=> ")
    terminal.type("select 1;\r")
    terminal.wait_for("Time: ")
    terminal.wait_for("saccade=> ")
    terminal.type("\\nonsense\r")
    terminal.wait_for("ERROR:  42601: invalid command \\nonsense")
    terminal.wait_for("saccade=> ")


def interrupts(terminal):
    terminal.type("select 'dropped'\r")
    terminal.wait_for("saccade-> ")
    terminal.type("\x03")  # drops both lines
    terminal.wait_for("saccade=> ")
    terminal.type("select 'kept';\r")
    terminal.wait_for(" kept\r\n(1 row)")
    terminal.wait_for("saccade=> ")
    terminal.type("\x1b[A\r")  # the arrow up
    terminal.wait_for(" kept\r\n(1 row)")
    terminal.wait_for("saccade=> ")


def completion(terminal):
    terminal.type("sel\t")
    terminal.wait_for("select ")
    terminal.type("7 as x;\r")
    terminal.wait_for(" 7\r\n(1 row)")
    terminal.wait_for("saccade=> ")
    terminal.type("\\timing o\t")  # nothing to add: both are listed, and the line stands again
    terminal.wait_for("off")
    terminal.wait_for("on")
    terminal.wait_for("saccade=> \\timing o")
    terminal.type("f\t\r")
    terminal.wait_for("Timing is off.")
    terminal.wait_for("saccade=> ")
    terminal.type("\\i my\t\r")
    terminal.wait_for("\\i 'my file.sql'")
    terminal.wait_for(" from the file\r\n(1 row)")
    terminal.wait_for("saccade=> ")
    terminal.type("select count(*) from 'fo\trows\t;\r")
    terminal.wait_for("'folder/rows.parquet'")
    terminal.wait_for(" 1000\r\n(1 row)")
    terminal.wait_for("saccade=> ")
    terminal.type("create table some_table as select 1 as some_column;\r")
    terminal.wait_for("saccade=> ")
    terminal.type("select some\t")
    terminal.wait_for("some_column")
    terminal.type("from so\t;\r")
    terminal.wait_for("some_table")
    terminal.wait_for(" 1\r\n(1 row)")
    terminal.wait_for("saccade=> ")


def prompts(terminal):
    for opened, prompt, closed in (("'", "saccade'> ", "'"), ('"a', 'saccade"> ', '"'), ("$$", "saccade$> ", "$$"),
                                   ("/*", "saccade*> ", "*/ 1")):
        terminal.type(f"select {opened}\r")
        terminal.wait_for(prompt)
        terminal.type(f"{closed}\r")
        terminal.wait_for("saccade-> ")
        terminal.type("\x03")
        terminal.wait_for("saccade=> ")


def progress(terminal):
    """A long statement shows how far it is; Ctrl-C ends it, clears that, and the shell goes on."""
    terminal.type(ENDLESS + "\r")
    terminal.wait_for(" s")  # of the time on the progress bar
    terminal.type("\x03")
    terminal.wait_for("ERROR:  57014: canceling statement due to user request")
    terminal.wait_for("saccade=> ")
    terminal.type("select 8 as x;\r")
    terminal.wait_for(" 8\r\n(1 row)")
    terminal.wait_for("saccade=> ")


def long_results(terminal):
    """Ctrl-C while a result is written ends it."""
    terminal.type("select a.k from 'folder/rows.parquet' a join 'folder/rows.parquet' b on a.k = b.k;\r")
    for _ in range(100):
        terminal.wait_for(" 1\r\n")
    terminal.type("\x03")
    terminal.wait_for("ERROR:  57014: canceling statement due to user request")
    terminal.wait_for("saccade=> ")
    terminal.type("select 9 as x;\r")
    terminal.wait_for(" 9\r\n(1 row)")
    terminal.wait_for("saccade=> ")


def make_files(home):
    with open(os.path.join(home, ".saccaderc"), "w") as file:
        file.write("\\pset null (null)\nselect nope;\n")
    with open(os.path.join(home, "my file.sql"), "w") as file:
        file.write("select 'from the file' as x;")
    os.mkdir(os.path.join(home, "folder"))
    pyarrow.parquet.write_table(pyarrow.table({"k": [1] * 1000}), os.path.join(home, "folder", "rows.parquet"))


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as home:
        os.chdir(home)
        make_files(home)
        terminal = Terminal(program, home)
        terminal.wait_for('Null display is "(null)".')  # ~/.saccaderc runs, and goes on after an error
        terminal.wait_for("ERROR:  42703: column")
        statements(terminal)
        commands(terminal)
        completion(terminal)
        prompts(terminal)
        progress(terminal)
        long_results(terminal)
        interrupts(terminal)
        terminal.type("\x04")
        assert terminal.exit_code() == 0
        terminal = Terminal(program, home)  # the history is there again
        terminal.wait_for("saccade=> ")
        terminal.type("\x1b[A\r")
        terminal.wait_for(" kept\r\n(1 row)")
        terminal.wait_for("saccade=> ")
        terminal.type("\\q\r")
        assert terminal.exit_code() == 0


if __name__ == "__main__":
    main()
