"""An R session: one R that lives on, told cell by cell over two pipes."""

import json
import os
import shutil
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, part) for part in ("session/bash", "session/python", "python")]

import channel
import commands
from coherex_bash.relay import SessionRelay
from coherex_session import complaints
from coherex_session.interrupts import Interrupts
from coherex_session.session_output import SessionOutput

RSCRIPT = ["Rscript", "--vanilla", "--no-echo", f"{ROOT}/r/session.R"]
CELL = f"/tmp/.coherex-cell-{os.getpid()}.R"
INTERRUPTED = {
    "type": "error",
    "error": {"kind": "runtime", "message": "The cell was interrupted"},
    "interrupted": True,
}
REPEAT = 0.5
INPUT = f"/tmp/.coherex-input-{os.getpid()}.json"


def main():
    os.set_inheritable(channel.DESCRIPTOR, False)
    with complaints.told():
        session = Session()
        channel.send({"type": "ready"})
        session.serve()


class Session:
    def __init__(self):
        self._output = SessionOutput(Interrupts())
        self._output.capture()
        self._relay = SessionRelay(self._output, self._take)
        self._pipes = None
        self._process = None
        self._stdin = os.memfd_create("stdin")
        self._buffer = b""
        self._is_ready = False
        self._is_missing = False
        self._current = None
        self._is_asking = False
        self._was_interrupted = False
        self._waiting = []
        self._count = 0
        # the handler alone would not end the wait
        woken, waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(waker)
        self._relay.watch(woken, lambda: os.read(woken, 4096))
        signal.signal(signal.SIGINT, self._interrupt)
        signal.signal(signal.SIGALRM, self._interrupt)

    def serve(self):
        while True:
            self._relay.step()

    def _take(self, message):
        if message["type"] == "begin" and shutil.which(RSCRIPT[0]) is None:
            self._is_missing = True
        elif self._is_missing:
            _refuse(message)
        elif message["type"] == "begin":
            self._begin({**os.environ, **message["env"], "COHEREX_SOCKET": self._relay.path})
        elif message["type"] == "stdin":
            self._give_line(message)
        elif not self._is_ready or self._current is not None:
            self._waiting.append(message)
        elif message["type"] == "cell":
            self._run(message)
        elif message["type"] == "variables":
            self._ask(message, "variables")
        elif message["type"] == "variable":
            self._ask(message, f"variable\t{message['offset']}\t{message['limit']}\t{message['name']}")

    def _begin(self, environment):
        self._pipes, theirs = commands.open_channel("pipes")
        environment["COHEREX_FD"] = ",".join(str(descriptor) for descriptor in theirs)
        # a group of its own, so that an interrupt reaches what a cell started as well
        self._process = subprocess.Popen(RSCRIPT, env=environment, stdin=self._stdin, pass_fds=theirs, process_group=0)
        for descriptor in theirs:
            os.close(descriptor)
        self._relay.watch(self._pipes.fileno(), self._read)

    def _run(self, cell):
        self._count += 1
        self._was_interrupted = False
        channel.send({"type": "started", "id": cell["id"]})
        self._output.begin(cell["outputBytes"])
        with open(CELL, "w", encoding="utf-8", errors="replace") as file:
            file.write(cell["code"])
        if "input" in cell:
            with open(INPUT, "w", encoding="utf-8") as file:
                json.dump(cell["input"], file)
        self._fill_stdin(cell.get("stdin") or "")
        self._ask(cell, f"cell\tCell {self._count}\t{CELL}\t{INPUT if 'input' in cell else ' '}")

    def _ask(self, message, line):
        self._current = message
        self._tell(line)

    def _tell(self, line):
        body = line.encode("utf-8", "replace")
        self._pipes.sendall(len(body).to_bytes(4, "big") + body)

    def _read(self):
        data = self._pipes.recv(1 << 18)
        if not data:
            self._end()
        self._buffer += data
        while len(self._buffer) >= 4:
            size = int.from_bytes(self._buffer[:4], "big")
            if len(self._buffer) < 4 + size:
                break
            body, self._buffer = self._buffer[4 : 4 + size], self._buffer[4 + size :]
            self._hear(json.loads(body))

    def _hear(self, message):
        kind = message["type"]
        if kind == "ready":
            self._is_ready = True
            self._go_on()
        elif kind == "display":
            self._output.display(message["data"])
            self._tell("{}")
        elif kind == "ask":
            self._request_line(message["prompt"])
        elif kind in ("result", "error"):
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._output.flush()
            # R takes no notice while it waits for a command: the command ended, and the cell with it
            verdict = INTERRUPTED if self._was_interrupted else message
            channel.send({**verdict, "id": self._current["id"]})
        elif kind == "cell-done":
            channel.send({"type": kind, "id": self._current["id"], "truncated": self._output.end()})
            self._go_on()
        elif kind in ("variables", "variable"):
            channel.send({**message, "id": self._current["id"]})
            self._go_on()

    def _go_on(self):
        self._current = None
        if self._waiting:
            self._take(self._waiting.pop(0))

    def _request_line(self, prompt):
        if not self._current["isInteractive"]:
            self._tell("")
            return
        self._output.flush()
        self._is_asking = True
        channel.send({"type": "stdin-request", "id": self._current["id"], "prompt": prompt, "secret": False})

    def _give_line(self, message):
        # whoever asked may have been interrupted since
        if self._is_asking and self._current is not None and message["id"] == self._current["id"]:
            self._is_asking = False
            self._tell((message.get("text") or "").removesuffix("\n"))

    def _fill_stdin(self, text):
        data, at = text.encode("utf-8", "replace"), 0
        os.ftruncate(self._stdin, 0)
        os.lseek(self._stdin, 0, os.SEEK_SET)
        while at < len(data):
            at += os.pwrite(self._stdin, data[at:], at)

    def _interrupt(self, *_):
        if self._current is not None and self._current["type"] == "cell":
            self._was_interrupted = True
            os.killpg(self._process.pid, signal.SIGINT)
            # a command that R starts just now would not hear of it
            signal.setitimer(signal.ITIMER_REAL, REPEAT)
            if self._is_asking:
                # R hears of it when it has its line
                self._is_asking = False
                self._tell("")

    def _end(self):
        """R is gone, and the session with it."""
        code = self._process.wait()
        self._output.end()
        os._exit(code & 0xFF if code >= 0 else 128 - code)


def _refuse(message):
    """There is no R here: every cell says so."""
    if message["type"] != "cell":
        return
    id = message["id"]
    error = {"kind": "validation", "message": "R is not on this machine: GET /api/v1/languages says how to get it"}
    channel.send({"type": "started", "id": id})
    channel.send({"type": "error", "id": id, "error": error})
    channel.send({"type": "cell-done", "id": id, "truncated": False})


if __name__ == "__main__":
    main()
