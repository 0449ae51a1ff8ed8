"""Modules that were loaded before the session began. Each is there when it is imported, and not before, as if it were loaded then."""

import importlib.machinery
import os
import sys


class LoadedAhead:
    @classmethod
    def keep(cls, usual):
        """Takes away all modules that are not `usual`."""
        return cls({name: sys.modules.pop(name) for name in set(sys.modules) - usual})

    def __init__(self, modules):
        self._modules = modules
        # the standard library comes one by one, and the others as one: they look for each other
        self._together = {name for name in modules if _first(name) not in sys.stdlib_module_names}
        self._packages = {_first(name) for name in self._together}
        self._places = [*sys.path]
        self._changes = {}

    def offer(self, changes):
        """Before every other way to import. Each of `changes` is called with its module when that is there."""
        self._changes = changes
        sys.meta_path.insert(0, self)

    def is_shadowed_in(self, directory):
        """Whether a folder has a module with the name of a package."""
        return not self._packages.isdisjoint(_names_in(directory))

    def find_spec(self, name, path=None, target=None):
        module = self._modules.get(name)
        if module is None or not self._is_found(name):
            return None
        for each in self._together if name in self._together else ():
            if each != name and each not in sys.modules:
                sys.modules[each] = self._modules[each]
                self._change(each)
        return importlib.machinery.ModuleSpec(name, _Loader(module, self._change))

    def _change(self, name):
        change = self._changes.get(name)
        if change is not None:
            change(self._modules[name])

    def _is_found(self, name):
        """Whether a search would find this one: its package is ours, or no place before those that it is from has another."""
        parent, _, _ = name.rpartition(".")
        if parent:
            known = sys.modules.get(parent)
            return known is self._modules.get(parent, known)
        for place in sys.path:
            if place in self._places:
                # the standard library is first among them
                if place == self._places[-1] or name in sys.stdlib_module_names:
                    return True
            elif name in _names_in(place or os.getcwd()):
                return False
        return True


class _Loader:
    def __init__(self, module, on_loaded):
        self._module, self._spec, self._on_loaded = module, module.__spec__, on_loaded

    def create_module(self, _):
        return self._module

    def exec_module(self, module):
        name, module.__spec__ = module.__spec__.name, self._spec
        self._on_loaded(name)


def _first(name):
    return name.partition(".")[0]


def _names_in(directory):
    try:
        with os.scandir(directory) as entries:
            return {entry.name.partition(".")[0] for entry in entries}
    except OSError:
        return set()
