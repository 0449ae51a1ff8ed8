"""The one wait of a Bash session, with the `coherex` command among those it waits for."""

import json
import os
import select
import socket

import channel
import children


class SessionRelay(children.Relay):
    def __init__(self, output, on_message):
        super().__init__(output)
        self.path = f"/tmp/.coherex-{os.getpid()}"
        self._on_message = on_message
        self._watched = {}
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(self.path)
        self._listener.listen(16)
        self._poll.register(self._listener, select.POLLIN)

    def watch(self, descriptor, act):
        self._watched[descriptor] = act
        self._poll.register(descriptor, select.POLLIN)

    def step(self, timeout_ms=None):
        events = dict(self._poll.poll(timeout_ms))
        # reports come before the end of who made them
        for descriptor in sorted(events):
            if descriptor in self._watched:
                self._watched[descriptor]()
        self._handle({one: event for one, event in events.items() if one not in self._watched}, None)

    def _answer(self):
        message = channel.receive()
        if message is None:
            os._exit(0)
        if message["type"] != "answer":
            self._on_message(message)
            return
        descriptor, id = self._asked.pop(message.get("id"), (None, None))
        if descriptor in self._clients:
            self._send(descriptor, json.dumps({**message, "id": id}).encode("utf-8"))

    def _forward(self, descriptor, message):
        # anybody in the sandbox may write to the socket; the channel is for calls
        if isinstance(message, dict) and message.get("type") == "call":
            super()._forward(descriptor, message)
        else:
            self._drop(descriptor)

    def _read(self, descriptor):
        try:
            return super()._read(descriptor)
        except (ValueError, KeyError):
            if descriptor in self._clients:
                self._drop(descriptor)
            return False
