"""Modules that were loaded before the program came: a file of the program with the same name goes first, as if they were not."""

import os
import sys

# by the first part of their names: in a fork, a look at each of them would copy the memory they are in
names: dict = {}


def keep(loaded):
    for name in loaded:
        names.setdefault(name.partition(".")[0], []).append(name)


def forget_shadowed(directory):
    if not names:
        return
    for entry in os.scandir(directory):
        if entry.is_dir() or entry.name.endswith(".py"):
            for name in names.get(os.path.splitext(entry.name)[0], ()):
                sys.modules.pop(name, None)
