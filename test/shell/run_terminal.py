"""The shell on a terminal: prompts, statements of several lines, history, Ctrl-C, Ctrl-D, errors. usage: run_terminal.py saccade"""
import os
import pty
import select
import signal
import sys
import tempfile
import termios
import time

TIMEOUT = 60  # far more than any answer needs


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


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as home:
        terminal = Terminal(program, home)
        statements(terminal)
        commands(terminal)
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
