"""Carries connections of this sandbox to its host over one socket: the twin of process/streams/*.ts.

What connects to PROXY is answered by the host, where the rules of the network are.
"""

import errno
import os
import selectors
import socket
import struct

PROXY = ("127.0.0.1", 61080)

OPEN, DATA, END, RESET, CREDIT = range(1, 6)
HEADER = struct.Struct(">BIH")
MAX_PAYLOAD = 32_768
WINDOW = 65_536
MAX_STREAMS = 64

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


def listen():
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(PROXY)
    # a full queue would make clients wait a second and more for their next try
    listener.listen(1024)
    return listener


def start(descriptor, listener):
    """Serves `descriptor` until the host closes it, as no child of the caller, who may wait for children of its own."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        os.close(descriptor)
        listener.close()
        return
    try:
        if os.fork() == 0:
            os.setsid()
            _close_all_but(descriptor, listener.fileno())
            Streams(socket.socket(fileno=descriptor), listener).run()
    finally:
        os._exit(0)


def _close_all_but(*kept):
    first = 0
    for descriptor in sorted(kept):
        os.closerange(first, descriptor)
        first = descriptor + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))


class Connection:
    """A TCP connection and the stream it is."""

    def __init__(self, id, tcp):
        self.id = id
        self.tcp = tcp
        self.credit = WINDOW
        self.outgoing = bytearray()
        self.taken = 0
        self.has_read_all = False
        self.host_has_ended = False
        self.has_shut_down = False


class Streams:
    def __init__(self, link, listener):
        self._link = link
        self._listener = listener
        self._connections = {}
        self._last_id = 0
        self._incoming = bytearray()
        self._outbox = bytearray()
        self._selector = selectors.DefaultSelector()
        self._interest = {}
        link.setblocking(False)
        self._watch(link, READ)
        listener.setblocking(False)
        self._watch(listener, READ)

    def run(self):
        while True:
            for key, events in self._selector.select():
                if key.fileobj is self._link:
                    if events & READ and not self._read_link():
                        return
                    if events & WRITE:
                        self._write_link()
                elif key.fileobj is self._listener:
                    self._accept()
                elif self._connections.get(key.data.id) is key.data:
                    self._serve(key.data, events)

    def _serve(self, connection, events):
        try:
            if events & WRITE:
                self._write(connection)
            if events & READ:
                self._read(connection)
        except OSError:
            self._drop(connection)
            return
        self._settle(connection)

    def _accept(self):
        try:
            tcp, _ = self._listener.accept()
        except OSError as error:
            # until a connection gives its descriptor back
            if error.errno in (errno.EMFILE, errno.ENFILE):
                self._watch(self._listener, 0)
            return
        tcp.setblocking(False)
        tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._last_id += 1
        connection = self._connections[self._last_id] = Connection(self._last_id, tcp)
        self._send(OPEN, connection.id)
        self._settle(connection)
        if len(self._connections) >= MAX_STREAMS:
            self._watch(self._listener, 0)

    def _read(self, connection):
        try:
            data = connection.tcp.recv(min(MAX_PAYLOAD, connection.credit))
        except BlockingIOError:
            return
        if data:
            connection.credit -= len(data)
            self._send(DATA, connection.id, data)
        else:
            connection.has_read_all = True
            self._send(END, connection.id)

    def _write(self, connection):
        if connection.outgoing:
            try:
                sent = connection.tcp.send(connection.outgoing)
            except BlockingIOError:
                return
            del connection.outgoing[:sent]
            connection.taken += sent
            if connection.taken >= WINDOW // 4 and not connection.host_has_ended:
                self._send(CREDIT, connection.id, connection.taken.to_bytes(4, "big"))
                connection.taken = 0
        if not connection.outgoing and connection.host_has_ended and not connection.has_shut_down:
            connection.has_shut_down = True
            connection.tcp.shutdown(socket.SHUT_WR)

    def _settle(self, connection):
        """Waits for what the connection can do next, or ends it."""
        if connection.has_read_all and connection.has_shut_down:
            self._forget(connection)
            return
        events = 0
        if connection.outgoing:
            events |= WRITE
        if not connection.has_read_all and connection.credit > 0:
            events |= READ
        self._watch(connection.tcp, events, connection)

    def _drop(self, connection):
        self._send(RESET, connection.id)
        self._forget(connection)

    def _forget(self, connection):
        if self._connections.pop(connection.id, None) is None:
            return
        self._watch(connection.tcp, 0)
        connection.tcp.close()
        self._watch(self._listener, READ)

    def _watch(self, target, events, data=None):
        # a socket that waits for nothing is not watched at all: epoll would tell its end over and over
        known = self._interest.get(target, 0)
        if events == known:
            return
        if events == 0:
            self._selector.unregister(target)
            del self._interest[target]
            return
        (self._selector.modify if known else self._selector.register)(target, events, data)
        self._interest[target] = events

    def _send(self, type, id, payload=b""):
        self._outbox += HEADER.pack(type, id, len(payload))
        self._outbox += payload
        self._write_link()

    def _write_link(self):
        try:
            while self._outbox:
                sent = self._link.send(memoryview(self._outbox)[:262_144])
                del self._outbox[:sent]
        except BlockingIOError:
            pass
        except OSError:
            # the host is gone; reading tells
            self._outbox.clear()
        self._watch(self._link, READ | WRITE if self._outbox else READ)

    def _read_link(self):
        try:
            data = self._link.recv(262_144)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not data:
            return False
        self._incoming += data
        start = 0
        while len(self._incoming) - start >= HEADER.size:
            type, id, size = HEADER.unpack_from(self._incoming, start)
            end = start + HEADER.size + size
            if len(self._incoming) < end:
                break
            self._take(type, id, bytes(self._incoming[start + HEADER.size : end]))
            start = end
        del self._incoming[:start]
        return True

    def _take(self, type, id, payload):
        connection = self._connections.get(id)
        if connection is None:
            return
        if type == RESET:
            self._forget(connection)
            return
        if type == DATA:
            connection.outgoing += payload
        elif type == END:
            connection.host_has_ended = True
        elif type == CREDIT:
            connection.credit += int.from_bytes(payload, "big")
        try:
            self._write(connection)
        except OSError:
            self._drop(connection)
            return
        self._settle(connection)
