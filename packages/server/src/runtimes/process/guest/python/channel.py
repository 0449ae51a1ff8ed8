"""The guest's end of the pipe to the host: the twin of runtimes/protocol/frame.ts."""

import json
import os
import threading

DESCRIPTOR = 3
MAX_FRAME_BYTES = 16 * 1024 * 1024

# one frame at a time: threads of the program print while others call capabilities
_sending = threading.RLock()


def send(message):
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    send_encoded(body.encode("utf-8", "surrogatepass" if body.isascii() else "replace"))


def send_encoded(body):
    if len(body) > MAX_FRAME_BYTES:
        raise ValueError(f"a message of {len(body)} bytes is over the limit of {MAX_FRAME_BYTES}")
    view = memoryview(len(body).to_bytes(4, "big") + body)
    with _sending:
        while view:
            view = view[os.write(DESCRIPTOR, view) :]


def leave():
    """In a forked child: it has the descriptor as well, and nothing to say on it."""
    null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    os.dup2(null, DESCRIPTOR, inheritable=False)
    os.close(null)


def receive():
    """The next message of the host; None when the host is gone."""
    body = receive_encoded()
    return None if body is None else json.loads(body)


def receive_encoded():
    header = _read(4)
    return None if header is None else _read(int.from_bytes(header, "big"))


def _read(size):
    chunks = []
    while size > 0:
        chunk = os.read(DESCRIPTOR, min(size, 1 << 20))
        if not chunk:
            return None
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)
