"""System calls that Python has no function for. Each raises OSError when the kernel refuses."""

import ctypes
import os
import platform
import struct

NEWNS, NEWCGROUP, NEWUTS, NEWIPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
NEWUSER, NEWPID, NEWNET = 0x10000000, 0x20000000, 0x40000000

RDONLY, NOSUID, NODEV, NOEXEC = 1, 2, 4, 8
BIND, MOVE, RECURSIVE, PRIVATE = 4096, 8192, 16384, 1 << 18
DETACH = 2
# above every descriptor there can be; the kernel closes a whole range at once
NO_FILE = 0x7FFFFFFF

_SIGCHLD = 17
_NUMBERS = {
    "x86_64": {"clone": 56, "pivot_root": 155, "seccomp": 317},
    "aarch64": {"clone": 220, "pivot_root": 41, "seccomp": 277},
}
_MOUNT_SETATTR = 442
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_PDEATHSIG, _DUMPABLE, _SECCOMP, _CAPBSET_DROP, _NO_NEW_PRIVS = 1, 4, 22, 24, 38
_SIGKILL, _SECCOMP_FILTER = 9, 2
_SET_FILTER, _NEW_LISTENER = 1, 8
_CAPABILITY_VERSION = 0x20080522
_COLLAPSE, _HUGE_PAGE = 25, 2 << 20

# keeps the interpreter's lock: clone() must find and leave it held
_libc = ctypes.PyDLL(None, use_errno=True)
_numbers = _NUMBERS[platform.machine()]


def _check(value, what):
    if value < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return value


def _text(value):
    return None if value is None else os.fsencode(value)


def mount(source, target, kind=None, flags=0, options=None):
    done = _libc.mount(_text(source), _text(target), _text(kind), ctypes.c_ulong(flags), _text(options))
    _check(done, f"mount {target}")


def unmount(target):
    _check(_libc.umount2(_text(target), DETACH), f"umount {target}")


def lock_tree(path):
    """Everything mounted at `path` and below: read-only, without set-uid programs."""
    attributes = ctypes.create_string_buffer(struct.pack("QQQQ", RDONLY | NOSUID, 0, 0, 0), 32)
    done = _libc.syscall(_MOUNT_SETATTR, _AT_FDCWD, _text(path), _AT_RECURSIVE, attributes, ctypes.c_size_t(32))
    _check(done, "mount_setattr")


def enter_root(path):
    """Makes `path` the root; nothing of the old one can be reached any more."""
    os.chdir(path)
    _check(_libc.syscall(_numbers["pivot_root"], b".", b"."), "pivot_root")
    unmount(".")
    os.chdir("/")


def unshare(flags):
    _check(_libc.unshare(ctypes.c_int(flags)), "unshare")


def join(space, flags):
    """Into the namespaces of the process behind a pidfd, or the one that is open; that of processes holds for later children."""
    _check(_libc.setns(ctypes.c_int(space), ctypes.c_int(flags)), "setns")


def clone(flags):
    """fork() into new namespaces in one step; only for a process with one thread.

    Nothing that was registered to run at a fork runs: it is about threads and locks, of which there are none here, and about random
    numbers, which a guest renews itself. In a guest it would copy a fifth of the memory that is copied before its program begins.
    """
    return _check(_libc.syscall(_numbers["clone"], ctypes.c_ulong(flags | _SIGCHLD), None, None, None, None), "clone")


def die_with_parent():
    _check(_libc.prctl(_PDEATHSIG, _SIGKILL, 0, 0, 0), "prctl")


def set_dumpable():
    """A change of user hides a process's own entries in /proc from it."""
    _check(_libc.prctl(_DUMPABLE, 1, 0, 0, 0), "prctl")


def bound_capabilities():
    """Nothing that is started later can have a capability; takes one to do."""
    for capability in range(64):
        if _libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break


def drop_capabilities():
    bound_capabilities()
    header = ctypes.create_string_buffer(struct.pack("Ii", _CAPABILITY_VERSION, 0), 8)
    nothing = ctypes.create_string_buffer(24)
    _check(_libc.capset(header, nothing), "capset")


def allow_no_new_privileges():
    _check(_libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")


def filter_system_calls(program):
    """`program` is a classic BPF program as seccomp takes it."""
    described, _instructions = _described(program)
    _check(_libc.prctl(_SECCOMP, _SECCOMP_FILTER, described, 0, 0), "seccomp")


def filter_and_listen(program):
    """The same, and returns the descriptor on which the kernel asks about calls whose verdict is to be told."""
    described, _instructions = _described(program)
    flags = ctypes.c_ulong(_NEW_LISTENER)
    return _check(_libc.syscall(_numbers["seccomp"], ctypes.c_ulong(_SET_FILTER), flags, described), "seccomp")


def _described(program):
    """As the kernel takes it, and what that points to, which has to live as long."""
    instructions = ctypes.create_string_buffer(program, len(program))
    return ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(instructions)), 16), instructions


def collapse_heap():
    """Puts the heap into large pages where the kernel can: a fork then copies few entries of its page table."""
    with open("/proc/self/maps") as maps:
        lines = [line.split() for line in maps]
    for span, mode, _, _, _, *name in lines:
        if mode != "rw-p" or name not in ([], ["[heap]"]):
            continue
        start, end = (int(edge, 16) for edge in span.split("-"))
        for at in range(-(-start // _HUGE_PAGE) * _HUGE_PAGE, end // _HUGE_PAGE * _HUGE_PAGE, _HUGE_PAGE):
            _libc.madvise(ctypes.c_void_p(at), ctypes.c_size_t(_HUGE_PAGE), _COLLAPSE)
