"""The keeper's end of the pipe to the host. Frames as everywhere; a body is JSON, or 1, a stream's number and its bytes."""

import os

from compact_json import decode, encode
from loop import READ, WRITE

DESCRIPTOR = 3
DATA = 1
MAX_FRAME_BYTES = 1 << 20
# from here on whoever produces waits
FULL_BYTES = 1 << 20


class Channel:
    def __init__(self, loop):
        self._loop = loop
        self._incoming = bytearray()
        self._outgoing = []
        self._held = 0
        self._was_full = False
        self.on_control = None
        self.on_data = None
        self.on_drained = None
        os.set_blocking(DESCRIPTOR, False)
        os.set_inheritable(DESCRIPTOR, False)
        loop.watch(DESCRIPTOR, READ, self._act)

    @property
    def is_full(self):
        return self._held >= FULL_BYTES

    def tell(self, message):
        body = encode(message).encode("ascii")
        self._send(len(body).to_bytes(4, "big") + body)

    def send(self, stream, data):
        self._send((len(data) + 5).to_bytes(4, "big") + bytes([DATA]) + stream.to_bytes(4, "big") + data)

    def _send(self, frame):
        self._outgoing.append(frame)
        self._held += len(frame)
        if len(self._outgoing) == 1:
            self._flush()
        if self.is_full:
            self._was_full = True

    def _flush(self):
        try:
            while self._outgoing:
                first = self._outgoing[0]
                sent = os.write(DESCRIPTOR, first)
                self._held -= sent
                if sent < len(first):
                    self._outgoing[0] = first[sent:]
                else:
                    del self._outgoing[0]
        except BlockingIOError:
            pass
        self._loop.watch(DESCRIPTOR, READ | WRITE if self._outgoing else READ, self._act)

    def _act(self):
        if self._outgoing:
            self._flush()
            if self._was_full and not self.is_full:
                self._was_full = False
                self.on_drained()
        try:
            data = os.read(DESCRIPTOR, 1 << 18)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if not data:
            # the host is gone, and with this process everything in here goes
            os._exit(0)
        self._incoming += data
        self._split()

    def _split(self):
        incoming = self._incoming
        at = 0
        while len(incoming) - at >= 4:
            size = int.from_bytes(incoming[at : at + 4], "big")
            if size > MAX_FRAME_BYTES:
                os._exit(70)
            if len(incoming) - at - 4 < size:
                break
            body = bytes(incoming[at + 4 : at + 4 + size])
            at += 4 + size
            if body[0] == DATA:
                self.on_data(int.from_bytes(body[1:5], "big"), body[5:])
            else:
                self.on_control(decode(body.decode("utf-8", "surrogatepass")))
        del incoming[:at]
