"""Modules that were loaded before the program came: a file of the program with the same name goes first, as if they were not."""

import os
import sys

names: set = set()


def forget_shadowed(directory):
    if not names:
        return
    own = {os.path.splitext(entry.name)[0] for entry in os.scandir(directory) if entry.is_dir() or entry.name.endswith(".py")}
    for name in names:
        if name.partition(".")[0] in own:
            sys.modules.pop(name, None)
