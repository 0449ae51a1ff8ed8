"""Packages of the program beyond those of the machine: a read-only folder with `site` and `bin`."""

import importlib
import io
import os
import sys

import after_import
import display
import own_modules
import preloaded

# sitecustomize.py reads it in every Python that the program starts
VARIABLE = "COHEREX_PYTHON_SET"


def offer(packages):
    """Has imports look there before the system's packages and after the library, and shells find its commands."""
    if packages is None or packages["language"] != "python":
        return
    place = packages["path"]
    if f"{place}/site" in sys.path:
        # loaded before the program came
        return
    os.environ[VARIABLE] = place
    os.environ["PATH"] = f"{place}/bin{os.pathsep}{os.environ.get('PATH', '')}"
    sys.path.insert(_after_library(), f"{place}/site")
    preloaded.forget(name for name in packages["modules"] if name not in sys.stdlib_module_names)


def load(packages, modules):
    """Imports modules of them before the program is there. Raises where it would be told by what they print."""
    offer(packages)
    own_modules.hide(own_modules.names())
    after_import.hook(display.CHANGES)
    before = set(sys.modules)
    streams = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = printed = io.StringIO()
    try:
        for name in modules:
            importlib.import_module(name)
    finally:
        sys.stdout, sys.stderr = streams
    if printed.tell() > 0:
        raise ValueError("they print as they are loaded")
    preloaded.keep(set(sys.modules) - before)


def _after_library():
    found = [at + 1 for at, place in enumerate(sys.path) if place.endswith("/lib-dynload")]
    return found[0] if found else len(sys.path)
