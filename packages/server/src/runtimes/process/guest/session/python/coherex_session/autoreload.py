"""%autoreload 2: before a cell, modules of the guest whose files changed are loaded anew."""

import importlib
import os
import sys

from coherex_session.magic_error import MagicError

MODES = {"2": True, "3": True, "all": True, "complete": True, "1": True, "explicit": True, "0": False, "off": False}
_seen = {}


def set_mode(shell, line):
    mode = line.split()[0] if line.split() else "now"
    if mode == "now":
        reload_changed(shell)
    elif mode in MODES:
        shell.before_cell = reload_changed if MODES[mode] else None
        _remember(shell)
    else:
        raise MagicError(f"%autoreload {mode}: it is 2 to load changed modules anew before each cell, or 0 not to")


def reload_changed(shell):
    for module, stamp in _own_modules(shell):
        if _seen.setdefault(module.__name__, stamp) == stamp:
            continue
        _seen[module.__name__] = stamp
        before = dict(vars(module))
        try:
            importlib.reload(module)
        except Exception as error:  # a half-typed file; the cell goes on with what was loaded before
            sys.stderr.write(f"[autoreload of {module.__name__} failed: {type(error).__name__}: {error}]\n")
            continue
        _replace_names(shell.namespace, before, vars(module))


def _replace_names(namespace, before, after):
    """What cells took with `from module import name` is the new one as well."""
    replaced = {id(value): after[name] for name, value in before.items() if not name.startswith("__") and name in after}
    for name, value in list(namespace.items()):
        if id(value) in replaced and (callable(value) or isinstance(value, type)):
            namespace[name] = replaced[id(value)]


def _remember(shell):
    _seen.update({module.__name__: stamp for module, stamp in _own_modules(shell)})


def _own_modules(shell):
    """Modules whose files are the guest's, with what tells that a file changed."""
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if name == "__main__" or not isinstance(path, str) or not os.path.abspath(path).startswith(f"{shell.home}/"):
            continue
        try:
            status = os.stat(path)
        except OSError:
            continue
        yield module, (status.st_mtime_ns, status.st_size)
