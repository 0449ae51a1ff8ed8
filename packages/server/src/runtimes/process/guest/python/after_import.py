"""A touch to modules that assume a terminal or a notebook."""

import importlib.machinery
import sys


def hook(changes):
    """Calls each function with its module once that is loaded."""
    sys.meta_path.insert(0, _AfterImport(changes))


class _AfterImport:
    def __init__(self, changes):
        self._changes = changes

    def find_spec(self, name, path, target=None):
        change = self._changes.get(name)
        spec = change and importlib.machinery.PathFinder.find_spec(name, path, target)
        if not spec or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            change(module)

        spec.loader.exec_module = exec_module
        return spec
