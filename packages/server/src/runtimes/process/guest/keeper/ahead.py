"""A Python session that is loaded before anybody asks for one: the keeper forks itself, and the fork becomes the session.

Loaded in the zygote alone, and so never where a guest's code runs. A keeper that was launched without one starts an interpreter.
"""

import _signal
import ctypes
import gc
import importlib
import os
import re
import sys
import time

import enter
import processes
import sets
import trees

KEEPER = os.path.dirname(os.path.abspath(__file__))
SESSION = os.path.join(os.path.dirname(KEEPER), "session", "python")
GUEST = os.path.join(os.path.dirname(KEEPER), "python")
DRIVER = os.path.join(SESSION, "driver.py")
DATA = ("numpy", "pandas", "matplotlib.pyplot", "warm_data")
MARK_DIGITS = 10
# of a session: input, output, errors and its channel
DESCRIPTORS = 4

# read once, when an interpreter starts or one of these packages is loaded
READ_EARLY = re.compile(r"(MPL|MATPLOTLIB|OPENBLAS_|OMP_|MKL_|NUMEXPR_|NPY_|NUMPY_|PANDAS_|LC_|LD_|MALLOC_|GLIBC_)|(LANG|LANGUAGE)$")


def fits(order, home):
    """Whether the session that is loaded cannot be told from the one that this order would start."""
    argv, env, _ = order
    if (argv[0], argv[-1]) != (sys.orig_argv[0], DRIVER):
        return False
    settings = {name for name in (*env, *_zygote_env) if READ_EARLY.match(name)}
    if any(env.get(name) != _zygote_env.get(name) for name in settings):
        return False
    places = [home, f"{sets.PLACE}/python/site", *env.get("PYTHONPATH", "").split(os.pathsep)]
    return not any(_modules.is_shadowed_in(os.path.join(home, place)) for place in places if place)


def begin(order):
    global _order
    _order = order
    raise processes.Beginning


def become():
    """In the fork: what an exec would have done, then the session until it ends."""
    argv, env, _ = _order
    _signal.set_wakeup_fd(-1)
    _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
    # the keeper's poll and sockets close themselves, while no other descriptor has their numbers
    gc.collect()
    os.closerange(DESCRIPTORS, 0x7FFFFFFF)
    _show(argv, env[trees.MARK])
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    enter.reseed()
    for name in _keeper_names:
        sys.modules.pop(name, None)
    sys.path.remove(KEEPER)
    _session.main(_modules)


def _load():
    """The session's modules have some names in common with the keeper's."""
    import terminal
    import watch

    here = {name: module for name, module in sys.modules.items() if _is_keepers(module)}
    for name in here:
        del sys.modules[name]
    sys.path[:0] = [SESSION, GUEST]
    from coherex_session import loaded_ahead, session

    # what every session uses sooner or later
    for name in ("cell_errors", "magics", "plain", "variables"):
        importlib.import_module(f"coherex_session.{name}")
    usual = set(sys.modules)
    for name in DATA:
        try:
            importlib.import_module(name)
        except ImportError:
            break
    sys.modules.pop("warm_data", None)
    import own_modules

    own_modules.hide(own_modules.names())
    sys.path.remove(SESSION)
    enter.find_numpy_state()
    known = loaded_ahead.LoadedAhead.keep(usual)
    sys.modules.update(here)
    return session, known, [*here, __name__]


def _is_keepers(module):
    return os.path.dirname(getattr(module, "__file__", None) or "") == KEEPER


def _show(argv, mark):
    """Where /proc shows the command of a process, and the environment it began with, by which the keeper knows whose an orphan is."""
    command = "\0".join(argv).encode("utf-8", "replace")
    size = _command_end - _command_start
    ctypes.memmove(_command_start, command.ljust(size, b"\0")[: size - 1] + b"\0", size)
    ctypes.memmove(_mark_place, mark.rjust(MARK_DIGITS, "0").encode("ascii"), MARK_DIGITS)


def _command_place():
    with open("/proc/self/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
    return int(fields[45]), int(fields[46])


_order = ()
_zygote_env = dict(os.environ)
_getenv = ctypes.PyDLL(None).getenv
_getenv.restype = ctypes.c_void_p
_mark_place = _getenv(trees.MARK.encode("ascii"))
_command_start, _command_end = _command_place()
_session, _modules, _keeper_names = _load()
