"""Modules that were loaded before the program came: a file of the program with the same name goes first, as if they were not."""

import os
import sys

# what an interpreter has loaded before it looks at a program, so that no file goes before it; and what is ours to offer
UNSHADOWED = {"_collections_abc", "_sitebuiltins", "abc", "codecs", "encodings", "genericpath", "io", "os", "posixpath", "site", "stat", "coherex"}
UNSHADOWED.update(sys.builtin_module_names)

# by the first part of their names: in a fork, a look at each of them would copy the memory they are in
names: dict = {}


def keep(loaded):
    for name in loaded:
        first = name.partition(".")[0]
        if first not in UNSHADOWED:
            names.setdefault(first, []).append(name)


def forget(shadowed):
    """By the first part of their names."""
    for first in shadowed:
        for name in names.pop(first, ()):
            sys.modules.pop(name, None)


def forget_shadowed(directory):
    if not names:
        return
    for entry in os.scandir(directory):
        if entry.is_dir() or entry.name.endswith(".py"):
            forget([os.path.splitext(entry.name)[0]])
