"""Our modules beside those of a program, which may have any of their names."""

import os
import sys

DIRECTORY = os.path.dirname(os.path.abspath(__file__))
# a program imports the first, matplotlib the second
PUBLIC = ("coherex", "coherex_matplotlib")


def names():
    files = (name.removesuffix(".py") for name in os.listdir(DIRECTORY) if name.endswith(".py"))
    return [name for name in files if name not in PUBLIC]


def hide(names):
    """Whoever of us needs one holds it already."""
    for name in names:
        sys.modules.pop(name, None)
    sys.path[:] = [*(path for path in sys.path if path != DIRECTORY), DIRECTORY]
