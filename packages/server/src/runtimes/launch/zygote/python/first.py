"""Makes the first process of a guest's pid namespace, out of a process that was forked before the zygote loaded what programs need.

A copy of that one costs little, and the loaded zygote is then copied once for each guest. A first process runs nothing but this:
it is the guest's user without any right, collects the guest's orphans, and is else where the zygote is.
"""

import os
import signal
import socket
import struct

import kernel

_NUMBER = struct.Struct("i")
_CLONE_PARENT = 0x8000


class Maker:
    """As the zygote sees it. Descriptors are bare numbers: a guest closes them all, and no object may do so again."""

    def __init__(self, seccomp_filter):
        ours, theirs = (end.detach() for end in socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET))
        self._pid = os.fork()
        if self._pid == 0:
            try:
                _serve(theirs, seccomp_filter)
            finally:
                os._exit(1)
        os.close(theirs)
        self._link = ours
        self._own = os.open("/proc/self/ns/pid", os.O_RDONLY)

    def make(self, user):
        """The pid of a first process that has given up its rights; it is a child of the caller."""
        try:
            os.write(self._link, _NUMBER.pack(user))
            answer = os.read(self._link, _NUMBER.size)
        except OSError:
            answer = b""
        # the maker is gone, and without it there are no guests: the host loads another zygote
        if not answer:
            os._exit(1)
        pid = _NUMBER.unpack(answer)[0]
        if pid < 0:
            raise OSError(-pid, f"clone: {os.strerror(-pid)}")
        return pid

    def close(self):
        os.close(self._link)
        os.waitpid(self._pid, 0)

    def clone_behind(self, first, flags):
        """clone() whose child is in the pid namespace that `first`, a pidfd, began."""
        kernel.join(first, kernel.NEWPID)
        pid = -1
        try:
            pid = kernel.clone(flags)
        finally:
            if pid != 0:
                kernel.join(self._own, kernel.NEWPID)
        return pid


def _serve(link, seccomp_filter):
    _close_all_but(link)
    while order := os.read(link, _NUMBER.size):
        confined, tell = os.pipe()
        try:
            # a sibling: the zygote waits for it
            answer = kernel.clone(kernel.NEWPID | _CLONE_PARENT)
        except OSError as error:
            answer = -error.errno
        if answer == 0:
            try:
                _be_first(_NUMBER.unpack(order)[0], tell, seccomp_filter)
            finally:
                os._exit(1)
        os.close(tell)
        # until it has closed its last descriptor
        os.read(confined, 1)
        os.close(confined)
        os.write(link, _NUMBER.pack(answer))


def _be_first(user, tell, seccomp_filter):
    os.setsid()
    _close_all_but(tell)
    # with the default a first process is not reached by its guest's signals; orphans leave no zombies
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    kernel.bound_capabilities()
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    kernel.drop_capabilities()
    kernel.allow_no_new_privileges()
    kernel.filter_system_calls(seccomp_filter)
    os.close(tell)
    while True:
        signal.pause()


def _close_all_but(kept):
    os.closerange(0, kept)
    os.closerange(kept + 1, kernel.NO_FILE)
