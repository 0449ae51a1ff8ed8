"""The session's end of the channel: one thread reads, whoever waits for an answer is woken."""

import os
import queue
import threading

import channel


class Link:
    def __init__(self, lock):
        # a signal must not cut a message in two
        channel._sending = lock
        self._inbox = queue.SimpleQueue()
        self._waiting = {}
        self._process = os.getpid()
        self.on_message = None
        """Called from the reading thread when a message has come for next()."""

    def start(self):
        os.set_inheritable(channel.DESCRIPTOR, False)
        threading.Thread(target=self._read, daemon=True, name="coherex-link").start()

    def send(self, message):
        channel.send(message)

    def next(self):
        return self._inbox.get()

    @property
    def is_empty(self):
        return self._inbox.empty()

    def ask(self, kind, message):
        """Sends a request and waits for the message of `kind` that has its id."""
        if os.getpid() != self._process:
            raise OSError("a forked process cannot speak to the host")
        slot = threading.Lock()
        slot.acquire()
        waiting = self._waiting[kind, message["id"]] = [slot, None]
        try:
            channel.send(message)
            slot.acquire()
            return waiting[1]
        finally:
            self._waiting.pop((kind, message["id"]), None)

    def _read(self):
        while True:
            try:
                message = channel.receive()
            except (OSError, ValueError):
                message = None
            if message is None:
                # without a host there is nobody to run for
                os._exit(0)
            if message["type"] in ("answer", "stdin"):
                waiting = self._waiting.pop((message["type"], message["id"]), None)
                if waiting is not None:
                    waiting[1] = message
                    waiting[0].release()
                continue
            self._inbox.put(message)
            if self.on_message is not None:
                self.on_message()
