"""The module that a program begins with, loaded before the program is there: files of the program are there already."""

import importlib.util
import io
import os
import sys
import types
import weakref

import coherex
import preloaded

NAME = "tool"


def load(path, home):
    """Raises where the module could tell that its program is not there, or would hold on to something of now."""
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv = [os.path.join(home, path)]
    sys.path.insert(0, home)
    preloaded.forget_shadowed(home)
    # what asks for its input, or for what it may use, is told by the way it is asked
    given = coherex.__dict__.pop("input")
    coherex._is_asked = False
    streams = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = sys.stdout = sys.stderr = stand_in = io.StringIO()
    try:
        spec = importlib.util.spec_from_file_location(NAME, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[NAME] = module
        spec.loader.exec_module(module)
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
        coherex.input = given
        sys.path.remove(home)
    if coherex._is_asked:
        raise ValueError("it asks for what only its program has")
    has_printed, kept = stand_in.tell() > 0, weakref.ref(stand_in)
    del stand_in
    if has_printed or kept() is not None:
        raise ValueError("it prints, or keeps a stream to print to")
