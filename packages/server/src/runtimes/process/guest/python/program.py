"""Runs a Python program in this process: as __main__, its last expression as the result, errors in its own lines."""

import ast
import atexit
import builtins
import errno
import io
import linecache
import os
import sys
import threading
import traceback
import types

import after_import
import asked_host
import display
import environment
import exit_code
import leave
import own_modules
import preloaded
import suggestion

# inspect.CO_COROUTINE, without the import
CO_COROUTINE = 0x80
OWN_DIRECTORY = os.path.dirname(os.path.abspath(__file__))
OWN_MODULES = own_modules.names()


def run(code, entry, home, arguments=()):
    """Returns the message that tells how it went, and the exit code."""
    path = os.path.join(home, entry)
    # as Python does with a file
    code = code.removeprefix("\ufeff")
    _prepare_main(path, code)
    sys.argv.extend(arguments)
    told = _run_main(code, path, home)
    try:
        leave.let_go()
    except BaseException:  # how it went is known by then
        pass
    return told


def _run_main(code, path, home):
    try:
        value = _execute(code, path, sys.modules["__main__"].__dict__)
        _finish()
    except SystemExit as stop:
        _finish_quietly()
        return _exit_message(stop)
    except BaseException as error:  # whatever the program raised is its outcome
        _finish_quietly()
        return {"type": "error", "error": _describe(error, path, home)}, 1
    return display.result_message(value), 0


def _prepare_main(path, code):
    module = types.ModuleType("__main__")
    module.__file__ = path
    module.__builtins__ = builtins
    builtins.display = display.display
    sys.modules["__main__"] = module
    sys.argv = [path]
    own_modules.hide(OWN_MODULES)
    places = [os.path.dirname(path), *environment.module_places()]
    sys.path[:0] = places
    for place in filter(os.path.isdir, places):
        preloaded.forget_shadowed(place)
    # lines as the compiler counts them, each with an end
    linecache.cache[path] = (len(code), None, io.StringIO(f"{code}\n", newline=None).readlines(), path)
    after_import.hook(display.CHANGES)


def _execute(code, path, names):
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    tree = _parse(code, path, flags)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    parts = [compile(tree, path, "exec", flags, dont_inherit=True)]
    if last is not None:
        parts.append(compile(ast.Expression(last.value), path, "eval", flags, dont_inherit=True))
    if any(part.co_flags & CO_COROUTINE for part in parts):
        # slow to import, and few programs await
        import asyncio

        return asyncio.run(_run_awaiting(parts, names))
    return [eval(part, names) for part in parts][-1]


async def _run_awaiting(parts, names):
    """All of them in one loop: a task belongs to the one it was made in."""
    value = None
    for part in parts:
        value = eval(part, names)
        if part.co_flags & CO_COROUTINE:
            value = await value
    return value


def _parse(code, path, flags):
    try:
        # the mark of UTF-8 that some editors write: Python takes it at the start of a file, and not in a text
        return compile(code.removeprefix("\ufeff"), path, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
    except (ValueError, MemoryError, RecursionError) as error:
        # NUL bytes, lone surrogates and nesting beyond the parser's stack are mistakes in the text as well
        raise SyntaxError(f"cannot be parsed: {error or type(error).__name__}", (path, None, None, None)) from None


def _finish():
    # as the interpreter does at its end: wait for threads, then exit handlers
    threading._shutdown()
    # before the exit handlers: matplotlib's throws figures away
    display.show_open_figures()
    atexit._run_exitfuncs()


def _finish_quietly():
    try:
        _finish()
    except BaseException:  # the program's first error is the one to tell
        pass


def _exit_message(stop):
    code = exit_code.tell(stop)
    if code == 0:
        return {"type": "result"}, 0
    return {"type": "error", "error": {"kind": "runtime", "message": f"Exited with code {code}"}}, code


def _describe(error, path, home):
    if isinstance(error, SyntaxError) and error.filename == path:
        lines = traceback.format_exception_only(type(error), error)
        described = {"kind": "syntax", "message": f"{type(error).__name__}: {error.msg}"}
        if error.lineno:
            described["line"] = error.lineno
        if error.offset:
            described["column"] = error.offset
        return {**described, "stack": _own_paths("".join(lines), home)}
    shown = traceback.TracebackException.from_exception(error)
    _leave_out_driver(shown)
    described = {
        "kind": _kind(error),
        "message": _message(error, shown)[:4000],
        "stack": _own_paths("".join(shown.format()), home)[-16000:],
    }
    return {**described, **_position(error.__traceback__, path, home)}


def _message(error, shown):
    if isinstance(error, SyntaxError):
        # of another file than the entry; the lines that Python puts before it are in the stack
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
        kept = [frame for frame in one.stack if not frame.filename.startswith(OWN_DIRECTORY)]
        one.stack = traceback.StackSummary.from_list(kept)
        left += [one.__cause__, one.__context__]


def _position(trace, path, home):
    """The innermost place in the entry file, or else in any file of the program."""
    found = None
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name == path or (name.startswith(home + "/") and (found is None or found[0] != path)):
            found = (name, trace)
        trace = trace.tb_next
    if found is None:
        return {}
    name, trace = found
    if name != path:
        return {}
    positions = list(trace.tb_frame.f_code.co_positions())
    column = positions[trace.tb_lasti // 2][2] if trace.tb_lasti // 2 < len(positions) else None
    if column is None:
        return {"line": trace.tb_lineno}
    # the compiler counts bytes, people count characters
    line = linecache.getline(name, trace.tb_lineno).encode("utf-8")
    return {"line": trace.tb_lineno, "column": len(line[:column].decode("utf-8", "ignore")) + 1}


def _own_paths(text, home):
    return text.replace(f"{home}/", "")
