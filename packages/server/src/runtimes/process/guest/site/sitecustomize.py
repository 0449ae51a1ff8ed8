"""Loaded by every Python of a sandbox as it starts: imports look into the sandbox's packages first, then into those a user installed,
the base stack, and what the system has.

A session follows the sandbox's packages while it lives, see coherex_session/sets.py.
"""

import os
import site
import sys

BASE = "/opt/base"
# what the Python that the operator chose has among its packages: the folder of this file lies over them
OWN = "/opt/python"
THIS = "/opt/coherex/site"
# what the system has that needs its own numpy, and would break beside another
HIDDEN = THIS + "/hidden.txt"


def _offer():
    system = site.getsitepackages()
    # a virtual environment has what was put into it, unless it is what the operator chose
    if sys.base_prefix not in site.PREFIXES and not any(map(_is_chosen, system)):
        return
    if os.path.isdir(BASE):
        sys.path.insert(_first(lambda place: place in system), BASE)
        _hide(system)
    if os.path.isdir(OWN):
        site.addsitedir(OWN)
    # what started it was a run, or else it lives in a sandbox with packages
    place = os.environ.get("COHEREX_PYTHON_SET")
    try:
        packages = (place or os.readlink("/tmp/.coherex/python")) + "/site"
    except OSError:
        return
    sys.path.insert(_first(lambda place: place.endswith("/lib-dynload")) + 1, packages)


def _hide(system):
    with open(HIDDEN, encoding="utf-8") as file:
        names = set(file.read().split())
    at = next((at for at, finder in enumerate(sys.meta_path) if getattr(finder, "__name__", "") == "PathFinder"), None)
    if at is None or not names:
        return

    class Finder(sys.meta_path[at]):
        @classmethod
        def find_spec(cls, fullname, path=None, target=None):
            if path is None and fullname in names:
                path = [place for place in sys.path if place not in system]
            return super().find_spec(fullname, path, target)

        @classmethod
        def find_distributions(cls, *context):
            return (one for one in super().find_distributions(*context) if one._path.name not in names)

    sys.meta_path[at] = Finder
    # a .pth file of the system may have made room for one already
    for name in names:
        sys.modules.pop(name, None)


def _is_chosen(place):
    try:
        return os.path.samefile(place, THIS)
    except OSError:
        return False


def _first(is_wanted):
    return next((at for at, place in enumerate(sys.path) if is_wanted(place)), len(sys.path))


_offer()
