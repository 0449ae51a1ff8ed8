"""How a SystemExit ends a process."""

import sys

# of a C long, which Python puts it through
LARGEST = 2**63


def tell(stop):
    """The exit code. A reason that is no number is written to stderr."""
    if stop.code is None:
        return 0
    if isinstance(stop.code, int):
        # as much of it as a process can tell
        return stop.code & 0xFF if -LARGEST <= stop.code < LARGEST else 0xFF
    stderr = sys.stderr or sys.__stderr__
    try:
        stderr.write(str(stop.code))
    except Exception:  # its __str__ is the program's
        pass
    stderr.write("\n")
    return 1
