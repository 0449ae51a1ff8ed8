"""Magics that run code: %time, %timeit, %run, %%capture."""

import ast
import contextlib
import gc
import io
import os
import re
import sys
import time

# loaded when it is asked for: by then a module of the guest may have the name of ours
from coherex import _display as display
from coherex_session.magic_error import MagicError

TIMEIT_SECONDS = 0.2
TIMEIT_REPEATS = 7
_TIMEIT_OPTION = re.compile(r"-([nr])[ \t]*([0-9]{1,9})(?:[ \t]+|$)")


def time_line(shell, line):
    return _timed(lambda: shell.execute(line, "%time"))


def time_cell(shell, line, body):
    return _timed(lambda: shell.execute(body.text, body.path, body.first_line))


def timeit_line(shell, line):
    times, statement = _timeit_options(line)
    if not statement:
        raise MagicError("Usage: %timeit [-n loops] [-r runs] statement")
    _timeit(_timed_function(shell, "%timeit", shell.parse(statement, "%timeit")), **times)


def timeit_cell(shell, line, body):
    times, setup = _timeit_options(line)
    before = shell.parse(setup, "%%timeit").body
    timed = shell.parse("\n" * (body.first_line - 1) + body.text, body.path)
    _timeit(_timed_function(shell, body.path, timed, before), **times)


def run_file(shell, line):
    """%run file.py arguments: in a namespace of its own, whose names are then the session's."""
    import shlex

    path, *arguments = shlex.split(line) or [""]
    if not path:
        raise MagicError("Usage: %run file.py [arguments]")
    path = os.path.expanduser(path if os.path.exists(os.path.expanduser(path)) else f"{path}.py")
    with open(path, encoding="utf-8") as file:
        code = compile(file.read(), path, "exec")
    names = {"__name__": "__main__", "__file__": path, "__builtins__": shell.namespace["__builtins__"]}
    before, sys.argv = sys.argv, [path, *arguments]
    try:
        exec(code, names)
    except SystemExit as stop:
        if stop.code:
            raise
    finally:
        sys.argv = before
        shell.namespace.update({name: value for name, value in names.items() if not name.startswith("__")})


class Captured:
    """What a captured cell wrote. show() writes it again."""

    def __init__(self):
        self.stdout, self.stderr, self.outputs = "", "", []

    def show(self):
        sys.stdout.write(self.stdout)
        sys.stderr.write(self.stderr)
        for data in self.outputs:
            display.display(data, raw=True)

    __call__ = show

    def __str__(self):
        return self.stdout


class _Collector:
    """In place of the session's output while displays are caught."""

    def __init__(self, into):
        self.display = into.append


def capture(shell, line, body):
    captured, stdout, stderr = Captured(), io.StringIO(), io.StringIO()
    output = display._output
    display.install(_Collector(captured.outputs))
    try:
        with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
            shell.execute(body.text, body.path, body.first_line)
            display.show_open_figures()
    finally:
        display.install(output)
        captured.stdout, captured.stderr = stdout.getvalue(), stderr.getvalue()
        if line:
            shell.namespace[line.split()[0]] = captured


def _timed(run):
    wall, cpu = time.perf_counter(), os.times()
    try:
        return run()
    finally:
        wall, after = time.perf_counter() - wall, os.times()
        user, system = after.user - cpu.user, after.system - cpu.system
        print(f"CPU times: user {_duration(user)}, sys: {_duration(system)}, total: {_duration(user + system)}")
        print(f"Wall time: {_duration(wall)}")


def _timeit_options(line):
    """How often, and what is left of the line."""
    times, names = {}, {"n": "loops", "r": "repeats"}
    while option := _TIMEIT_OPTION.match(line):
        times[names[option.group(1)]] = int(option.group(2))
        line = line[option.end() :]
    if 0 in times.values():
        raise MagicError("What is timed has to run at least once")
    return times, line


def _timed_function(shell, path, timed, before=()):
    """A function of how often that tells how long it took. What the statements assign is its own, as in IPython."""
    made = ast.parse(
        "def timed(_coherex_loops, _coherex_clock):\n"
        "    _coherex_start = _coherex_clock()\n"
        "    for _coherex_at in range(_coherex_loops): pass\n"
        "    return _coherex_clock() - _coherex_start"
    )
    function = made.body[0]
    function.body[1].body = timed.body or [ast.Pass()]
    function.body[:0] = before
    names = {}
    exec(compile(ast.fix_missing_locations(made), path, "exec", dont_inherit=True), shell.namespace, names)
    return names["timed"]


def _timeit(timed, loops=None, repeats=TIMEIT_REPEATS):
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        is_given = loops is not None
        loops = loops or 1
        spent = timed(loops, time.perf_counter)
        while not is_given and spent < TIMEIT_SECONDS:
            loops *= 10 if spent < TIMEIT_SECONDS / 10 else 2
            spent = timed(loops, time.perf_counter)
        runs = [spent, *(timed(loops, time.perf_counter) for _ in range(repeats - 1))]
    finally:
        if was_enabled:
            gc.enable()
    each = [run / loops for run in runs]
    mean = sum(each) / len(each)
    deviation = (sum((one - mean) ** 2 for one in each) / len(each)) ** 0.5
    print(
        f"{_duration(mean)} ± {_duration(deviation)} per loop "
        f"(mean ± std. dev. of {_counted(len(each), 'run')}, {_counted(loops, 'loop')} each)"
    )


def _counted(number, noun):
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _duration(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
