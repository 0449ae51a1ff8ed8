"""What went wrong in a cell, told in cells and lines."""

import errno
import os
import re
import traceback

import asked_host
import suggestion

GUEST_DIRECTORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
MAX_MESSAGE = 4000
MAX_STACK = 16000


def describe(error, path, home):
    """`path` is the name of the cell that ran."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return _describe_syntax(error, home)
    shown = traceback.TracebackException.from_exception(error)
    _leave_out_driver(shown)
    described = {
        "kind": _kind(error),
        "message": _message(error, shown)[:MAX_MESSAGE],
        "stack": _own_paths("".join(shown.format()), home)[-MAX_STACK:],
    }
    return {**described, **_position(error.__traceback__, path)}


def _describe_syntax(error, home):
    described = {"kind": "syntax", "message": f"{type(error).__name__}: {error.msg}"}
    if error.lineno:
        described["line"] = error.lineno
    if error.offset and error.offset > 0:
        described["column"] = error.offset
    return {**described, "stack": _own_paths("".join(traceback.format_exception_only(error)), home)}


def _message(error, shown):
    if isinstance(error, SyntaxError):
        # of a file and not of the cell; the lines that Python puts before it are in the stack
        return f"{type(error).__name__}: {error}"
    return "".join(shown.format_exception_only()).strip() + suggestion.of(error) + asked_host.of(error)


def _kind(error):
    if isinstance(error, MemoryError):
        return "memory"
    if isinstance(error, OSError) and error.errno == errno.EPERM:
        return "denied"
    return "runtime"


def _leave_out_driver(shown):
    # one by one: a chain of causes may be longer than calls may be deep
    left, seen = [shown], set()
    while left:
        one = left.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        kept = [frame for frame in one.stack if not frame.filename.startswith(f"{GUEST_DIRECTORY}/")]
        one.stack = traceback.StackSummary.from_list(kept)
        left += [one.__cause__, one.__context__]


def _position(trace, path):
    """The innermost place in the cell itself."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            found = trace
        trace = trace.tb_next
    if found is None:
        return {}
    positions = list(found.tb_frame.f_code.co_positions())
    at = found.tb_lasti // 2
    column = positions[at][2] if at < len(positions) else None
    if column is None:
        return {"line": found.tb_lineno}
    # the compiler counts bytes, people count characters
    import linecache

    line = linecache.getline(path, found.tb_lineno).encode("utf-8", "replace")
    return {"line": found.tb_lineno, "column": len(line[:column].decode("utf-8", "ignore")) + 1}


def _own_paths(text, home):
    return re.sub(r'File "(Cell \d+)", line', r"\1, line", text).replace(f"{home}/", "")
