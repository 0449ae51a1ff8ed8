"""Hears of the system calls that guests are denied, and refuses them.

The kernel asks whoever holds a filter's listener about each telling call, and the caller waits for the answer: no guest can hide one.
Descriptors are bare numbers: a guest closes them all, and no object may do so again.
"""

import errno
import fcntl
import os
import select
import socket
import struct

_ID = struct.Struct("I")
# seccomp_notif: id, pid, flags, and of the call its number; its machine, place and arguments follow
_QUESTION, _QUESTION_BYTES = struct.Struct("QIIi"), 80
# seccomp_notif_resp: id, value, error, flags
_ANSWER = struct.Struct("Qqii")
_RECEIVE, _SEND = 0xC0502100, 0xC0182101
# of one guest; whoever was told of so many needs no more, and the zygote has other work
_MOST = 100


class Denials:
    def __init__(self, poll):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.arrivals, self.sender = ours.detach(), theirs.detach()
        self._poll = poll
        # by the guest's id; by listener, the guest's id and how many calls it may still be heard of
        self._listeners, self._heard = {}, {}
        poll.register(self.arrivals, select.POLLIN)

    def arrive(self, living):
        """Takes the listener of a guest; one that has ended meanwhile needs none."""
        link = socket.socket(fileno=self.arrivals)
        try:
            data, listeners, _, _ = socket.recv_fds(link, _ID.size, 1)
        finally:
            link.detach()
        id = _ID.unpack(data)[0]
        for listener in listeners:
            if id not in living:
                os.close(listener)
                continue
            self._listeners[id] = listener
            self._heard[listener] = (id, _MOST)
            self._poll.register(listener, select.POLLIN)

    def hears(self, descriptor):
        return descriptor in self._heard

    def answer(self, listener, event, tell):
        """Refuses one call. It is told before the guest goes on: whatever the guest says later comes later."""
        id, left = self._heard[listener]
        if not event & select.POLLIN:
            # nobody is left whom the filter holds
            return self.forget(id)
        question = bytearray(_QUESTION_BYTES)
        try:
            fcntl.ioctl(listener, _RECEIVE, question, True)
            number, _, _, call = _QUESTION.unpack_from(question)
            tell({"type": "denied", "id": id, "call": call})
            fcntl.ioctl(listener, _SEND, bytearray(_ANSWER.pack(number, 0, -errno.EPERM, 0)), True)
        except OSError:
            # the caller was killed while it waited
            pass
        self._heard[listener] = (id, left - 1)
        if left == 1:
            # the kernel goes on to refuse, with another errno
            self.forget(id)

    def forget(self, id):
        listener = self._listeners.pop(id, None)
        if listener is not None:
            del self._heard[listener]
            self._poll.unregister(listener)
            os.close(listener)


def send(sender, id, listener):
    """By a guest, before its program: hands its listener over. Both descriptors are closed then."""
    link = socket.socket(fileno=sender)
    socket.send_fds(link, [_ID.pack(id)], [listener])
    link.close()
    os.close(listener)
