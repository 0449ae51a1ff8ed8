"""Connections on the sandbox's loopback: to programs that listen in here, and from programs that look for a way out."""

import _socket
import errno
import os

from loop import READ, WRITE
from streams import Pipe

_ADDRESSES = ((_socket.AF_INET, "127.0.0.1"), (_socket.AF_INET6, "::1"))
_FLAGS = _socket.SOCK_STREAM | _socket.SOCK_NONBLOCK | _socket.SOCK_CLOEXEC
MAX_ACCEPTED = 256


class Ports:
    def __init__(self, loop, channel, streams):
        self._loop = loop
        self._channel = channel
        self._streams = streams
        self._listeners = {}
        self._accepted = set()

    def connect(self, port, number, done):
        """Tries both families: many servers listen on one of them only."""
        self._try(port, number, done, list(_ADDRESSES))

    def _try(self, port, number, done, addresses):
        family, address = addresses.pop(0)
        try:
            socket = _socket.socket(family, _FLAGS, 0)
            code = socket.connect_ex((address, port))
        except OSError as error:
            return done(error)

        def settle():
            self._loop.watch(socket.fileno(), 0, None)
            failure = socket.getsockopt(_socket.SOL_SOCKET, _socket.SO_ERROR)
            if failure == 0:
                self._attach(number, socket)
                return done(None)
            socket.close()
            if addresses:
                return self._try(port, number, done, addresses)
            done(OSError(failure, "nobody listens"))

        if code == errno.EINPROGRESS:
            return self._loop.watch(socket.fileno(), WRITE, settle)
        if code == 0:
            self._attach(number, socket)
            return done(None)
        socket.close()
        if addresses:
            return self._try(port, number, done, addresses)
        done(OSError(code, "nobody listens"))

    def listen(self, listener, port):
        socket = _socket.socket(_socket.AF_INET, _FLAGS, 0)
        socket.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
        socket.bind(("127.0.0.1", port))
        socket.listen(64)
        self._listeners[listener] = socket
        self._loop.watch(socket.fileno(), READ, lambda: self._accept(listener, socket))
        return {"port": socket.getsockname()[1]}

    def close(self, listener):
        socket = self._listeners.pop(listener, None)
        if socket is not None:
            self._loop.watch(socket.fileno(), 0, None)
            socket.close()

    def _accept(self, listener, socket):
        try:
            descriptor, _ = socket._accept()
        except OSError:
            return
        self._accepted &= self._streams.open.keys()
        if len(self._accepted) >= MAX_ACCEPTED:
            return os.close(descriptor)
        number = self._streams.own_number()
        self._accepted.add(number)
        self._channel.tell({"type": "incoming", "listener": listener, "stream": number})
        self._attach(number, _socket.socket(fileno=descriptor))

    def _attach(self, number, socket):
        descriptor = socket.detach()
        Pipe(self._streams, number, descriptor, descriptor, lambda: _end_writing(descriptor))


def _end_writing(descriptor):
    socket = _socket.socket(fileno=descriptor)
    try:
        socket.shutdown(_socket.SHUT_WR)
    except OSError:
        # the other end left first
        pass
    finally:
        socket.detach()
