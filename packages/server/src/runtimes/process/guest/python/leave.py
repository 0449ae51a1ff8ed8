"""What an interpreter does as its process ends. The driver's lives on, to hand over what the program left."""

import gc
import io
import os
import select
import stat
import sys

# a helper has nothing to do but to leave
PATIENCE_MS = 2000
WRITERS = (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom)


def let_go():
    """Of the program's module: what has something left to do, such as a file with unwritten text, does it as it goes."""
    # puts what holds before what is held: a file of text is to be closed before the bytes below it
    gc.collect()
    sys.modules.pop("__main__", None)
    gc.collect()
    # of what somebody else holds, such as a thread that goes on; text first, which goes through the bytes
    writers = [thing for thing in gc.get_objects() if type(thing) in WRITERS]
    for writer in sorted(writers, key=lambda writer: WRITERS.index(type(writer))):
        _write_down(writer)


def _write_down(writer):
    try:
        # what is no file may never take it
        if stat.S_ISREG(os.fstat(writer.fileno()).st_mode):
            writer.flush()
    except Exception:  # closed, or its disk is full, or it is the program's own kind of file
        pass


def end_helpers():
    """The processes that multiprocessing starts beside those of the program: they wait for the end of this one."""
    # the first holds the other's end as well
    _end_helper("multiprocessing.forkserver", "_forkserver", "_forkserver_alive_fd", "_forkserver_pid")
    _end_helper("multiprocessing.resource_tracker", "_resource_tracker", "_fd", "_pid")


def _end_helper(module, owner_name, descriptor_name, pid_name):
    owner = getattr(sys.modules.get(module), owner_name, None)
    descriptor, pid = getattr(owner, descriptor_name, None), getattr(owner, pid_name, None)
    if descriptor is None or pid is None:
        return
    try:
        # it leaves when nobody holds the other end; a process that outlived the program may
        os.close(descriptor)
        ending = select.poll()
        ending.register(os.pidfd_open(pid), select.POLLIN)
        ending.poll(PATIENCE_MS)
        os.waitpid(pid, os.WNOHANG)
    except OSError:
        # gone already
        pass
