"""The packages of the sandbox. They may become others while the session lives, also in the middle of a cell."""

import importlib
import os
import sys
from importlib.machinery import PathFinder

LINK = "/tmp/.coherex/python"
_site = None


def refresh():
    """Has imports look into the set that is there now; tells whether it is another one. Loaded modules stay as they are."""
    global _site
    try:
        site = os.readlink(LINK) + "/site"
    except OSError:
        site = None
    if site == _site:
        return False
    if _site in sys.path:
        sys.path.remove(_site)
    if site is not None and site not in sys.path:
        sys.path.insert(_after_library(), site)
    _site = site
    importlib.invalidate_caches()
    return True


def _after_library():
    found = [at + 1 for at, place in enumerate(sys.path) if place.endswith("/lib-dynload")]
    return found[0] if found else len(sys.path)


class LateFinder:
    """Asked last: what is missing may have been installed since the cell began."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        return PathFinder.find_spec(name) if path is None and refresh() else None
