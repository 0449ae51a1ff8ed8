"""The life of a Bash session. One thread waits for everything: the host, bash's reports and the `coherex` command."""

import json
import os
import re
import shlex
import signal
import time

import channel
from coherex_bash import bash_variables
from coherex_bash.bash_output import BashOutput
from coherex_bash.relay import SessionRelay
from coherex_bash.shell import Shell
from coherex_session import complaints
from coherex_session.interrupts import Interrupts

MAX_VARIABLE_BYTES = 100_000
REPEATS, REPEAT_MS = 5, 100
INPUT = f"/tmp/.coherex-input-{os.getpid()}"


def main():
    os.set_inheritable(channel.DESCRIPTOR, False)
    with complaints.told():
        session = Session()
        channel.send({"type": "ready"})
        session.serve()


class Session:
    def __init__(self):
        self._output = BashOutput(Interrupts())
        self._output.capture()
        self._shell = Shell()
        self._relay = SessionRelay(self._output, self._take)
        self._relay.watch(self._shell.report, self._read_report)
        self._reports = b""
        self._has_begun = False
        self._waiting = []
        self._known = {}
        self._count = 0
        self._cell = None
        self._question = None
        self._is_asking = False
        self._was_interrupted = False
        self._repeats = 0
        self._repeat_at = 0.0
        self._has_input = False
        self._can_ask = False
        # the handler alone would not end the wait
        woken, waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(waker)
        self._relay.watch(woken, lambda: os.read(woken, 4096))
        signal.signal(signal.SIGINT, self._interrupt)

    def serve(self):
        while True:
            self._relay.step(REPEAT_MS if self._repeats > 0 else None)
            if self._repeats > 0 and time.monotonic() > self._repeat_at:
                self._repeat()

    def _take(self, message):
        kind = message["type"]
        if kind == "begin":
            environment = {**os.environ, **message["env"], "COHEREX_SOCKET": self._relay.path}
            self._shell.start(environment)
            self._relay.watch(self._shell.pidfd, self._end)
            self._shell.list_variables()
        elif kind == "stdin":
            self._give_line(message)
        elif not self._has_begun or self._cell is not None or self._question is not None:
            self._waiting.append(message)
        elif kind == "cell":
            self._run(message)
        elif kind in ("variables", "variable"):
            self._question = message
            self._shell.list_variables()

    def _run(self, cell):
        self._cell = cell
        self._count += 1
        self._was_interrupted = False
        channel.send({"type": "started", "id": cell["id"]})
        self._output.begin_cell(self._count, cell["outputBytes"])
        self._fill_stdin(cell.get("stdin") or "")
        self._prepare(cell)
        self._shell.run(cell["code"])

    def _prepare(self, cell):
        lines = []
        if cell["isInteractive"] != self._can_ask:
            self._can_ask = cell["isInteractive"]
            lines.append('read() { __coherex_read "$@"; }' if self._can_ask else "unset -f read")
        if "input" in cell:
            text = json.dumps(cell["input"])
            with open(INPUT, "w", encoding="ascii") as file:
                file.write(text)
            lines.append(f"export COHEREX_INPUT_FILE={INPUT}")
            is_short = len(text) <= MAX_VARIABLE_BYTES
            lines.append(f"export COHEREX_INPUT={shlex.quote(text)}" if is_short else "unset COHEREX_INPUT")
        elif self._has_input:
            lines.append("unset COHEREX_INPUT COHEREX_INPUT_FILE")
        self._has_input = "input" in cell
        if lines:
            self._shell.prepare("\n".join(lines))

    def _read_report(self):
        self._reports += os.read(self._shell.report, 65536)
        *whole, self._reports = self._reports.split(b"\0")
        for report in whole:
            kind, _, rest = report.decode("utf-8", "replace").partition("\t")
            if kind == "done" and self._cell is not None:
                self._finish(*rest.split("\t"))
            elif kind == "ask":
                self._ask(*rest.split("\t", 1))
            elif kind == "variables":
                self._answer(rest)

    def _finish(self, status, line):
        id, code = self._cell["id"], int(status)
        was_cut = self._output.end()
        verdict = {"type": "result"}
        if code != 0 or self._was_interrupted:
            verdict = {"type": "error", "error": _describe(code, line, f"Cell {self._count}", self._output.stderr_tail)}
            if self._was_interrupted:
                verdict["interrupted"] = True
        channel.send({**verdict, "id": id})
        channel.send({"type": "cell-done", "id": id, "truncated": was_cut})
        self._cell = None
        self._repeats = 0
        self._go_on()

    def _answer(self, text):
        found = bash_variables.parse(text)
        question, self._question = self._question, None
        if not self._has_begun:
            self._has_begun = True
            self._known = found
        elif question is not None:
            shown = {name: one for name, one in found.items() if bash_variables.is_guests(name, one, self._known)}
            answer = bash_variables.answer(question, shown)
            channel.send({"type": question["type"], "id": question["id"], **answer})
        self._go_on()

    def _go_on(self):
        if self._waiting:
            self._take(self._waiting.pop(0))

    def _ask(self, secret, prompt):
        has_text = os.lseek(self._shell.stdin, 0, os.SEEK_CUR) < os.fstat(self._shell.stdin).st_size
        if has_text or self._cell is None or not self._can_ask:
            self._shell.reply()
            return
        self._output.flush()
        self._is_asking = True
        request = {"type": "stdin-request", "id": self._cell["id"], "prompt": prompt, "secret": secret != ""}
        channel.send(request)

    def _give_line(self, message):
        # whoever asked may have been interrupted since
        if not self._is_asking or self._cell is None or message["id"] != self._cell["id"]:
            return
        self._is_asking = False
        if message.get("text") is not None:
            line = message["text"].removesuffix("\n") + "\n"
            os.pwrite(self._shell.stdin, line.encode("utf-8", "replace"), os.fstat(self._shell.stdin).st_size)
        self._shell.reply()

    def _fill_stdin(self, text):
        stdin, data, at = self._shell.stdin, text.encode("utf-8", "replace"), 0
        os.ftruncate(stdin, 0)
        os.lseek(stdin, 0, os.SEEK_SET)
        while at < len(data):
            at += os.pwrite(stdin, data[at:], at)

    def _interrupt(self, *_):
        if self._cell is not None:
            self._was_interrupted = True
            self._is_asking = False
            self._repeats = REPEATS
            self._repeat()

    def _repeat(self):
        # a child that is just being made may miss it, and bash then takes it for dealt with
        self._repeats = self._repeats - 1 if self._cell is not None else 0
        self._repeat_at = time.monotonic() + REPEAT_MS / 1000
        if self._cell is not None:
            self._shell.interrupt()

    def _end(self):
        """Bash is gone, and the session with it."""
        code = self._shell.wait()
        self._output.end()
        if code < 0 and code != -signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        if code < 0:
            os.kill(os.getpid(), -code)
        os._exit(code & 0xFF)


def _describe(code, line, cell, stderr):
    found = re.search(rf"^{cell}: line (\d+): (.*(?:syntax error|unexpected).*)$", stderr, re.MULTILINE)
    if code in (1, 2) and found is not None:
        return {"kind": "syntax", "message": found.group(2)[:4000], "line": int(found.group(1))}
    message = f"Exited with code {code}"
    if code > 128 and code - 128 in set(signal.Signals):
        message = f"{message} ({signal.Signals(code - 128).name})"
    return {"kind": "runtime", "message": message, "exitCode": code, **({"line": int(line)} if line.isdigit() else {})}
