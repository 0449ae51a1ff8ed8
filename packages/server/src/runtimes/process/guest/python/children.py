"""Runs a program of another language as a child process, and passes its calls on to the host."""

import json
import os
import select
import signal
import socket
import subprocess

import channel
import shape

SOCKET = "/tmp/.coherex"


class Relay:
    """Lets other processes of the sandbox use the channel: frames in, answers back to whoever asked."""

    def __init__(self, output):
        self.verdict = None
        self._output = output
        self._poll = select.poll()
        self._poll.register(channel.DESCRIPTOR, select.POLLIN)
        self._clients = {}
        self._asked = {}
        self._last_id = 0
        self._listener = None

    def listen(self):
        """For many short-lived clients: the `coherex` command of a shell."""
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(SOCKET)
        self._listener.listen(16)
        self._poll.register(self._listener, select.POLLIN)

    def add(self, client):
        self._clients[client.fileno()] = (client, bytearray())
        self._poll.register(client, select.POLLIN)

    def run_until_exit(self, pidfd):
        self._poll.register(pidfd, select.POLLIN)
        while True:
            events = dict(self._poll.poll())
            self._handle(events, pidfd)
            if pidfd in events:
                break
        # what the child sent before it ended is still in the sockets
        for descriptor, (client, _) in list(self._clients.items()):
            client.setblocking(False)
            while descriptor in self._clients and self._read(descriptor):
                pass

    def _handle(self, events, pidfd):
        for descriptor in events:
            if descriptor == channel.DESCRIPTOR:
                self._answer()
            elif self._listener is not None and descriptor == self._listener.fileno():
                self.add(self._listener.accept()[0])
            elif descriptor in self._clients and descriptor != pidfd:
                self._read(descriptor)

    def _answer(self):
        message = channel.receive()
        if message is None:
            os._exit(0)
        descriptor, id = self._asked.pop(message.get("id"), (None, None))
        if descriptor in self._clients:
            message["id"] = id
            self._send(descriptor, json.dumps(message).encode("utf-8"))

    def _send(self, descriptor, body):
        try:
            self._clients[descriptor][0].sendall(len(body).to_bytes(4, "big") + body)
        except OSError:
            self._drop(descriptor)

    def send_start(self, client, body):
        self._send(client.fileno(), body)

    def _read(self, descriptor):
        client, buffer = self._clients[descriptor]
        try:
            data = client.recv(1 << 18)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._drop(descriptor)
            return False
        buffer += data
        while len(buffer) >= 4:
            size = int.from_bytes(buffer[:4], "big")
            if size > channel.MAX_FRAME_BYTES:
                self._drop(descriptor)
                return False
            if len(buffer) < 4 + size:
                break
            body = bytes(buffer[4 : 4 + size])
            del buffer[: 4 + size]
            self._forward(descriptor, json.loads(body))
        return True

    def _forward(self, descriptor, message):
        kind = message.get("type")
        if kind == "call":
            try:
                shape.check(message.get("args"))
            except ValueError as refusal:
                text = f"{message.get('capability')}.{message.get('method')}: the arguments {refusal}"
                answer = {"type": "answer", "id": message.get("id"), "error": {"code": "LIMIT_EXCEEDED", "message": text}}
                self._send(descriptor, json.dumps(answer).encode("utf-8"))
                return
            self._output.flush()
            self._last_id += 1
            self._asked[self._last_id] = (descriptor, message.get("id"))
            channel.send({**message, "id": self._last_id})
        elif kind == "output":
            piece = self._output.write if message["stream"] in ("stdout", "stderr") else self._output.line
            piece(message["stream"], message["text"])
        elif kind == "display":
            self._output.display(message["data"])
            # whoever prints on another way waits, so that what follows comes after
            if message.get("answer"):
                self._send(descriptor, b"{}")
        elif kind in ("result", "error"):
            self.verdict = message

    def _drop(self, descriptor):
        client, _ = self._clients.pop(descriptor)
        self._poll.unregister(client)
        client.close()


def as_argument(entry):
    """A name that begins like an option is one to most programs, which then never look at the file."""
    return f"./{entry}" if entry.startswith("-") else entry


def run_node(program, body, home, output, environment, node):
    ours, theirs = socket.socketpair()
    environment = {**environment, "COHEREX_FD": str(theirs.fileno())}
    child = subprocess.Popen([*node, program["entry"], *program.get("args", [])], cwd=home, env=environment, pass_fds=[theirs.fileno()])
    theirs.close()
    relay = Relay(output)
    relay.add(ours)
    relay.send_start(ours, body)
    relay.run_until_exit(os.pidfd_open(child.pid))
    code = child.wait()
    output.flush()
    if code == 0:
        return relay.verdict or {"type": "result"}, 0
    if relay.verdict is not None and relay.verdict["type"] == "error":
        return relay.verdict, exit_code(code)
    return {"type": "error", "error": {"kind": _kind_of(code, output), "message": exit_text(code)}}, exit_code(code)


def _kind_of(code, output):
    # V8 ends its process when its own heap is full
    return "memory" if code == -signal.SIGABRT and "heap out of memory" in output.stderr_tail else "runtime"


def exit_text(code):
    if code >= 0:
        return f"Exited with code {code}"
    return f"Ended by {signal.Signals(-code).name}"


def exit_code(code):
    return code if code >= 0 else 128 - code
