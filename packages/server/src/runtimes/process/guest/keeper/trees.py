"""Ends a process with all that came from it, so that none of them can start another meanwhile."""

import _signal
import os

MARK = "COHEREX_PROCESS"
_ROUNDS = 50


def kill(root, process, started):
    """`started` are the other roots: what belongs to one of them stays."""
    others = {pid for known, pid in started.items() if known != process}
    # again until none is left: one that was in the middle of a fork when it was stopped leaves a child behind
    for _ in range(_ROUNDS):
        frozen = _freeze(root, process, started, others)
        for pid in frozen | {root}:
            _send(pid, _signal.SIGKILL)
        if not frozen:
            return


def _freeze(root, process, started, others):
    frozen = set()
    for _ in range(_ROUNDS):
        found = _members(root, process, started, others) - frozen
        if not found:
            break
        # stopped first: a program that forks faster than it is killed would never be gone
        for pid in found:
            _send(pid, _signal.SIGSTOP)
        frozen |= found
    return frozen


def _members(root, process, started, others):
    parents, sessions = {}, {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                # the command, in parentheses, may contain anything
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue
        if fields[0] in b"ZX":
            continue  # dead, and only not cleared away yet
        parents[int(name)], sessions[int(name)] = int(fields[1]), int(fields[3])
    return {pid for pid in parents if pid != 1 and _belongs(pid, root, process, started, others, parents, sessions)}


def _belongs(pid, root, process, started, others, parents, sessions):
    step = pid
    while step > 1:
        if step == root or sessions.get(step) == root:
            return True
        if step in others or sessions.get(step) in others:
            return False
        step = parents.get(step, 0)
    # an orphan that left its session goes by the mark it carries; one that hides it goes with whoever is ended
    mark = _mark(pid)
    return mark is None or mark == process or mark not in started


def _mark(pid):
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            for entry in file.read(1 << 16).split(b"\0"):
                name, _, value = entry.partition(b"=")
                if name.decode("ascii", "replace") == MARK and value.isdigit():
                    return int(value)
    except OSError:
        pass
    return None


def _send(pid, number):
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass
