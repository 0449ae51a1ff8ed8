"""What could follow in a line, from the variables of a session. Attributes and keys are the guest's code: bounded in time."""

import builtins
import inspect
import keyword
import re
import types

from coherex_session.shell import OWN_NAMES
from coherex_session.variables import in_time

MAX_ITEMS = 300
_NAME = r"[^\W\d]\w*"
# what stands before a dot may be a value that has no name: nothing is known of it
_PATH = re.compile(rf"(?<![\w.)\]'\"])((?:{_NAME}\.)*)(\w*)$")
_KEY = re.compile(rf"(?<![\w.)\]])({_NAME}(?:\.{_NAME})*)\[(['\"])([^'\"\\\[\]]*)$")
_MISSING = object()


def find(namespace, code):
    """The answer about a text up to its end: what is typed of a name, and the names that begin so."""
    line = code.rpartition("\n")[2]
    key = _KEY.search(line)
    if key is not None:
        prefix = key[3]
        items = in_time(lambda: _keys(_look_up(namespace, key[1].split("."))), 0.5) or []
    else:
        path = _PATH.search(line)
        if path is None:
            return {"prefix": "", "items": []}
        names, prefix = [name for name in path[1].split(".") if name], path[2]
        items = in_time(lambda: _attributes(_look_up(namespace, names)) if names else _names(namespace), 0.5) or []
    fitting = [item for item in items if item["name"].startswith(prefix) and _is_open(item["name"], prefix)]
    return {"prefix": prefix, "items": fitting[:MAX_ITEMS]}


def _is_open(name, prefix):
    return not name.startswith("_") or prefix.startswith("_")


def _look_up(namespace, names):
    value = namespace.get(names[0], _MISSING)
    if value is _MISSING:
        value = getattr(builtins, names[0], _MISSING)
    for name in names[1:]:
        value = getattr(value, name, _MISSING)
    return value


def _names(namespace):
    own = [_item(name, value) for name, value in sorted(namespace.items()) if name not in OWN_NAMES]
    words = [{"name": word, "kind": "keyword"} for word in keyword.kwlist]
    given = [_item(name, value) for name, value in sorted(vars(builtins).items()) if name not in namespace]
    return own + words + given


def _attributes(value):
    if value is _MISSING:
        return []
    return [_item(name, inspect.getattr_static(value, name, None), True) for name in dir(value) if isinstance(name, str)]


def _keys(value):
    keys = getattr(value, "columns", _MISSING) if not isinstance(value, dict) else value
    if keys is _MISSING or callable(keys):
        return []
    names = [key for key in list(keys)[: 10 * MAX_ITEMS] if isinstance(key, str) and "\n" not in key]
    return [{"name": name, "kind": "field"} for name in names]


def _item(name, value, is_attribute=False):
    if isinstance(value, types.ModuleType):
        kind = "module"
    elif isinstance(value, type):
        kind = "class"
    elif isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, classmethod, staticmethod)):
        kind = "method" if is_attribute else "function"
    else:
        kind = "property" if is_attribute else "variable"
    return {"name": name[:200], "kind": kind}
