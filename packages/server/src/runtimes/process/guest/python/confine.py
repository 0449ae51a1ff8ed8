"""Further bounds that the driver puts on itself, and so on the program, before it starts."""

import os
import resource

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_WRITE_FILE = 1 << 1
# remove and make of every kind; refer (2) and truncate (3) by the version of the kernel's interface
_CHANGES = sum(1 << bit for bit in range(4, 13))
_PATH_BENEATH = 1


def lower_limits(open_files, cpu_seconds):
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
    if cpu_seconds:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))


def forbid_writing(allowed):
    """Landlock: from here on only below `allowed` can anything be written, made, renamed or removed."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE_RULESET, None, 0, 1)
    if version < 1:
        raise OSError("read-only runs need Landlock, which this kernel does not have")
    handled = _WRITE_FILE | _CHANGES | (1 << 13 if version >= 2 else 0) | (1 << 14 if version >= 3 else 0)
    attributes = ctypes.create_string_buffer(handled.to_bytes(8, "little"), 8)
    ruleset = libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(8), 0)
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "cannot make a read-only run")
    for path in allowed:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = ctypes.create_string_buffer(handled.to_bytes(8, "little") + parent.to_bytes(4, "little"), 12)
        if libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0) != 0:
            raise OSError(ctypes.get_errno(), "cannot make a read-only run")
        os.close(parent)
    if libc.syscall(_RESTRICT_SELF, ruleset, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot make a read-only run")
    os.close(ruleset)
