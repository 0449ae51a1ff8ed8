"""What the program writes, in order: Python's own streams and whatever reaches descriptors 1 and 2."""

import codecs
import io
import json
import os
import select
import sys
import threading
import time

import channel
import shape

# lines that follow each other faster than this travel together
GATHER_SECONDS = 0.005
GATHER_CHARACTERS = 32 * 1024

STREAMS = {1: "stdout", 2: "stderr"}


class Output:
    def __init__(self, limit_bytes):
        self.left = limit_bytes
        self.truncated = False
        self.stderr_tail = ""
        self._lock = threading.RLock()
        self._gathered = []
        self._gathered_size = 0
        self._sent_at = 0.0
        self._pipes = {}
        self._decoders = {}
        self._wake = None
        self._is_waking = False
        self._poll = select.poll()
        self._in_child = False
        self._texts = []

    def capture(self):
        """Puts pipes behind descriptors 1 and 2, for subprocesses and C code, and empties them in a thread."""
        for descriptor, stream in STREAMS.items():
            reader, writer = os.pipe()
            os.set_blocking(reader, False)
            os.dup2(writer, descriptor, inheritable=True)
            os.close(writer)
            self._pipes[reader] = stream
            self._poll.register(reader, select.POLLIN)
            self._decoders[reader] = codecs.getincrementaldecoder("utf-8")("replace")
        waker, self._wake = os.pipe()
        os.register_at_fork(after_in_child=self._after_fork)
        threading.Thread(target=self._pump, args=(waker,), daemon=True, name="coherex-output").start()

    def replace_streams(self):
        self._texts = [TextStream(self, 1), TextStream(self, 2)]
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__ = self._texts

    def write(self, stream, text):
        if self.truncated:
            return
        with self._lock:
            self._drain()
            self._add(stream, text)
            now = time.monotonic()
            if self._gathered_size > GATHER_CHARACTERS or now - self._sent_at > GATHER_SECONDS:
                self._send()
            else:
                self.wake()

    @property
    def lock(self):
        return self._lock

    def wake(self):
        """Has what was gathered sent in a moment."""
        if not self._is_waking and not self._in_child:
            self._is_waking = True
            os.write(self._wake, b"!")

    def line(self, stream, text):
        """A piece of its own, such as one call of a console."""
        with self._lock:
            self.flush()
            self._add(stream, text)
            self._send()

    def display(self, data):
        if self._in_child:
            # all that gets through from there is text
            self.flush()
            if "text/plain" in data:
                self.write_raw(1, f"{data['text/plain']}\n".encode("utf-8", "replace"))
            return
        try:
            shape.check(data)
        except ValueError as refusal:
            data = {"text/plain": f"[a display was left out: its data {refusal}]"}
        body = json.dumps({"type": "display", "data": data}, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
        with self._lock:
            self.flush()
            if len(body) > self.left:
                self.truncated = True
                self.left = 0
                # the host marks the cut; it has to be told that there was more
                self._gathered = [("stdout", "…")]
                self._send()
                return
            self.left -= len(body)
            channel.send_encoded(body)

    def flush(self):
        with self._lock:
            # a line that has no end yet is output all the same
            for text in self._texts:
                text.flush()
            self._drain()
            self._send()

    def write_raw(self, descriptor, data):
        while data:
            data = data[os.write(descriptor, data) :]

    @property
    def in_child(self):
        return self._in_child

    def _after_fork(self):
        # a forked child must not write to the channel: its output goes through the pipe to this process's pump
        channel.leave()
        self._in_child = True
        self._lock = threading.RLock()
        self._gathered = []

    def _add(self, stream, text):
        # a console call that prints an empty line is output; a stream's write of nothing is not
        if self.truncated or (not text and stream in ("stdout", "stderr")):
            return
        size = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
        if size > self.left:
            # one character more than allowed tells the host that something was cut
            text = text.encode("utf-8", "replace")[: self.left].decode("utf-8", "ignore") + "…"
            self.truncated = True
            size = self.left
        self.left -= size
        self._gathered.append((stream, text))
        if stream == "stderr":
            self.stderr_tail = (self.stderr_tail + text)[-4096:]
        self._gathered_size += size

    def _send(self):
        if not self._gathered or self._in_child:
            return
        gathered, self._gathered, self._gathered_size = self._gathered, [], 0
        start = 0
        for end in range(1, len(gathered) + 1):
            if end == len(gathered) or gathered[end][0] != gathered[start][0]:
                text = "".join(piece for _, piece in gathered[start:end])
                for at in range(0, max(len(text), 1), 1 << 20):
                    channel.send({"type": "output", "stream": gathered[start][0], "text": text[at : at + (1 << 20)]})
                start = end
        self._sent_at = time.monotonic()

    def _drain(self):
        # a forked child has the pipes too, and would take away what it wrote itself
        if self._in_child:
            return
        # one system call when there is nothing, as there nearly always is
        for reader, _ in self._poll.poll(0):
            while self._read(reader, self._pipes[reader]):
                pass

    def _read(self, reader, stream):
        try:
            data = os.read(reader, 65536)
        except BlockingIOError:
            return False
        if data and not self.truncated:
            self._add(stream, self._decoders[reader].decode(data))
            if self._gathered_size > GATHER_CHARACTERS:
                self._send()
        return len(data) == 65536

    def _pump(self, waker):
        poll = select.poll()
        for reader in (*self._pipes, waker):
            poll.register(reader, select.POLLIN)
        while True:
            events = poll.poll()
            if any(reader == waker for reader, _ in events):
                os.read(waker, 4096)
                time.sleep(GATHER_SECONDS)
            with self._lock:
                if any(reader == waker for reader, _ in events):
                    self._is_waking = False
                self.flush()


class TextStream(io.TextIOBase):
    """sys.stdout and sys.stderr: keeps lines together, and a flush or a line end sends them."""

    encoding = "utf-8"
    errors = "replace"
    line_buffering = True

    def __init__(self, output, descriptor):
        self._output = output
        self._descriptor = descriptor
        self._pending = []
        self.name = f"<{STREAMS[descriptor]}>"
        self.mode = "w"
        self.buffer = ByteStream(self)

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        with self._output.lock:
            self._pending.append(text)
            if "\n" in text or "\r" in text or len(self._pending) > 1000:
                self.flush()
            else:
                self._output.wake()
        return len(text)

    def flush(self):
        with self._output.lock:
            pending, self._pending = self._pending, []
            text = "".join(pending)
            if not text:
                return
            if self._output.in_child:
                self._output.write_raw(self._descriptor, text.encode("utf-8", "replace"))
            else:
                self._output.write(STREAMS[self._descriptor], text)

    def fileno(self):
        return self._descriptor

    def isatty(self):
        return False

    def writable(self):
        return True

    def reconfigure(self, **_):
        """Accepted because programs call it; this stream is UTF-8 whatever they ask."""


class ByteStream(io.RawIOBase):
    """sys.stdout.buffer"""

    def __init__(self, text_stream):
        self._text_stream = text_stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def write(self, data):
        self._text_stream.write(self._decoder.decode(bytes(data)))
        self._text_stream.flush()
        return len(data)

    def writable(self):
        return True

    def fileno(self):
        return self._text_stream.fileno()

    def flush(self):
        self._text_stream.flush()
