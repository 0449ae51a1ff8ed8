"""Bytes between the host and descriptors in here: many streams on one channel, each direction with a window of its own."""

import errno
import os

from loop import READ, WRITE

WINDOW_BYTES = 256 * 1024
PIECE_BYTES = 64 * 1024
# streams that begin in here have numbers the host never gives out
FIRST_OWN = 1 << 31


class Streams:
    def __init__(self, loop, channel):
        self.loop = loop
        self.channel = channel
        self.open = {}
        self._last_own = FIRST_OWN
        self._announced = set()
        channel.on_drained = self.proceed

    def own_number(self):
        self._last_own += 1
        return self._last_own

    def proceed(self):
        for stream in list(self.open.values()):
            stream.proceed()

    def take(self, number, data):
        stream = self.open.get(number)
        # closed in here while the host was still sending
        if stream is not None:
            stream.take(data)

    def credit(self, number, size):
        stream = self.open.get(number)
        if stream is not None:
            stream.credit += size
            stream.proceed()

    def end(self, number):
        stream = self.open.get(number)
        if stream is not None:
            stream.end()

    def reset(self, number):
        stream = self.open.get(number)
        if stream is not None:
            stream.close()

    def announce(self, numbers):
        self._announced.update(numbers)

    def begin(self, stream):
        self.open[stream.number] = stream
        self._announced.discard(stream.number)

    def refuse(self, numbers):
        """The host hears of the end of each stream it announced, even if that never began."""
        for number in self._announced.intersection(numbers):
            self._announced.discard(number)
            self.channel.tell({"type": "closed", "stream": number})


class Stream:
    """What all streams share: a number, what may still be sent, and exactly one `closed` at the end."""

    def __init__(self, streams, number):
        self.streams = streams
        self.number = number
        self.credit = WINDOW_BYTES
        self._owed = 0
        streams.begin(self)

    def grant(self, size, at_once):
        self._owed += size
        if self._owed >= PIECE_BYTES or (at_once and self._owed > 0):
            self.streams.channel.tell({"type": "credit", "stream": self.number, "bytes": self._owed})
            self._owed = 0

    def close(self):
        if self.streams.open.pop(self.number, None) is not None:
            self.release()
            self.streams.channel.tell({"type": "closed", "stream": self.number})


class Pipe(Stream):
    """A stream to and from descriptors that can be polled: pipes, sockets, terminals."""

    def __init__(self, streams, number, reader=None, writer=None, end_writer=None, ends_together=False):
        """With `ends_together` nobody is left to write to once there is nothing more to read."""
        super().__init__(streams, number)
        self._ends_together = ends_together
        self._reader = reader
        self._writer = writer
        self._end_writer = end_writer
        self._reads = reader is not None
        self._writes = writer is not None
        self._pending = []
        self._is_ending = False
        for descriptor in {reader, writer} - {None}:
            os.set_blocking(descriptor, False)
        self.proceed()

    @property
    def descriptor(self):
        """None once it is closed."""
        return self._reader

    def proceed(self):
        reads = self._reads and self.credit > 0 and not self.streams.channel.is_full
        masks = {}
        if self._reader is not None:
            masks[self._reader] = READ if reads else 0
        if self._writer is not None:
            masks[self._writer] = masks.get(self._writer, 0) | (WRITE if self._writes and self._pending else 0)
        for descriptor, mask in masks.items():
            self.streams.loop.watch(descriptor, mask, self._act)

    def take(self, data):
        if not self._writes:
            return self.grant(len(data), False)
        self._pending.append(data)
        if len(self._pending) == 1:
            self._flush()
            self._settle()

    def end(self):
        self._is_ending = True
        self._settle()

    def drain(self):
        """Reads what is there, as far as the host has granted."""
        while self._reader is not None and self._reads and self.credit > 0 and not self.streams.channel.is_full:
            if not self._read():
                break
        if self._reader is not None:
            self._settle()

    def _act(self):
        if self._pending:
            self._flush()
        if self._reads and self.credit > 0:
            self._read()
        self._settle()

    def _read(self):
        """One piece; false when there is none now."""
        try:
            data = os.read(self._reader, min(PIECE_BYTES, self.credit))
        except BlockingIOError:
            return False
        except OSError:
            # a terminal whose last process left says so with an error
            data = b""
        if data:
            self.credit -= len(data)
            self.streams.channel.send(self.number, data)
        else:
            self._reads = False
            self.streams.channel.tell({"type": "end", "stream": self.number})
            if self._ends_together:
                self._writes = False
                self._pending.clear()
        return len(data) > 0

    def _flush(self):
        try:
            while self._pending:
                first = self._pending[0]
                written = os.write(self._writer, first)
                self.grant(written, False)
                if written < len(first):
                    self._pending[0] = first[written:]
                else:
                    del self._pending[0]
        except BlockingIOError:
            pass
        except OSError:
            # nobody reads any more: what still comes is dropped
            self._writes = False
            self.grant(sum(map(len, self._pending)), True)
            self._pending.clear()

    def _settle(self):
        if self._is_ending and self._writes and not self._pending:
            self._writes = False
            if self._end_writer is not None:
                self._end_writer()
            elif self._writer != self._reader:
                self.streams.loop.watch(self._writer, 0, None)
                os.close(self._writer)
                self._writer = None
        if not self._reads and not self._writes:
            return self.close()
        self.proceed()

    def release(self):
        for descriptor in {self._reader, self._writer} - {None}:
            self.streams.loop.watch(descriptor, 0, None)
            os.close(descriptor)
        self._reader = self._writer = None


class Source(Stream):
    """A file on its way to the host: as many bytes as it had when it was opened, at the most."""

    def __init__(self, streams, number, descriptor, size):
        super().__init__(streams, number)
        self._descriptor = descriptor
        self._left = size
        self.proceed()

    def proceed(self):
        while self.credit > 0 and self._left > 0 and not self.streams.channel.is_full:
            data = os.read(self._descriptor, min(PIECE_BYTES, self.credit, self._left))
            if not data:
                self._left = 0
                break
            self._left -= len(data)
            self.credit -= len(data)
            self.streams.channel.send(self.number, data)
        if self._left == 0:
            self.streams.channel.tell({"type": "end", "stream": self.number})
            self.close()

    def take(self, data):
        self.grant(len(data), False)

    def end(self):
        pass

    def release(self):
        os.close(self._descriptor)


class Sink(Stream):
    """A file that comes from the host. `done` is called once, with the error that ended it or none."""

    def __init__(self, streams, number, descriptor, done):
        super().__init__(streams, number)
        self._descriptor = descriptor
        self._done = done

    def proceed(self):
        pass

    def take(self, data):
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as error:
            return self._finish(error)
        self.grant(len(data), False)

    def end(self):
        self._finish(None)

    def release(self):
        os.close(self._descriptor)
        # reset by the host before its end: whatever came is not the file
        self._tell(OSError(errno.ECANCELED, "the upload was given up"))

    def _finish(self, error):
        self._tell(error)
        self.close()

    def _tell(self, error):
        done, self._done = self._done, None
        if done is not None:
            done(error)
