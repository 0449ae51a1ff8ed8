"""The bash process: how it is started, told and heard."""

import os
import signal
import subprocess

PRELUDE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "prelude.sh")
# descriptors of bash as the prelude names them
SETUP, CELL, REPLY, STDIN, REPORT, ERRORS = 58, 59, 60, 61, 62, 63
CELL_NAME = f"/dev/fd/{CELL}"


class Shell:
    def __init__(self):
        self.setup, self.cell, self.stdin = (os.memfd_create(name) for name in ("setup", "cell", "stdin"))
        self._orders_out, self._orders = os.pipe()
        self._reply_out, self._reply = os.pipe()
        self.report, self._report_in = os.pipe()
        self._process = None
        self.pidfd = None

    def start(self, environment):
        theirs = {
            SETUP: self.setup,
            CELL: self.cell,
            REPLY: self._reply_out,
            STDIN: self.stdin,
            REPORT: self._report_in,
            ERRORS: os.dup(2),
        }

        def arrange():
            for number, descriptor in theirs.items():
                os.dup2(descriptor, number, inheritable=True)

        # interactive, so that an interrupt or an unset variable ends the cell and not the shell
        self._process = subprocess.Popen(
            ["/bin/bash", "--noprofile", "--noediting", "--rcfile", PRELUDE, "-i"],
            stdin=self._orders_out,
            # it would complain that it has no terminal
            stderr=subprocess.DEVNULL,
            env=environment,
            preexec_fn=arrange,
            # whatever else is open is closed by the exec
            close_fds=False,
            process_group=0,
        )
        os.close(theirs[ERRORS])
        self.pidfd = os.pidfd_open(self._process.pid)

    def run(self, code):
        _fill(self.cell, code.encode("utf-8", "replace"))
        self._order(f". {CELL_NAME} <&{STDIN}\n{_quietly('__coherex_done $?')}")

    def prepare(self, text):
        """Runs text of ours before a cell."""
        _fill(self.setup, text.encode("utf-8", "replace"))
        self._order(_quietly(f". /dev/fd/{SETUP}"))

    def list_variables(self):
        self._order(_quietly("__coherex_variables $?"))

    def reply(self):
        os.write(self._reply, b"\n")

    def interrupt(self):
        """The foreground and bash itself; background jobs of a shell without a terminal ignore it."""
        try:
            os.killpg(self._process.pid, signal.SIGINT)
        except ProcessLookupError:
            pass

    def wait(self):
        return self._process.wait()

    def _order(self, text):
        data = text.encode("ascii")
        while data:
            data = data[os.write(self._orders, data) :]


def _quietly(command):
    # before && a failure is none: no trap runs and `set -e` ends nothing
    return f"{{ {command} && :; }} 2>/dev/null\n"


def _fill(file, data):
    os.ftruncate(file, 0)
    at = 0
    while at < len(data):
        at += os.pwrite(file, data[at:], at)
