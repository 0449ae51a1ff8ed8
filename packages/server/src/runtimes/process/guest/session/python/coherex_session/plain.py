"""A value as its text: its repr, with floats in the format that %precision set."""

_float_format = "%r"
MAX_DEPTH = 50


def set_float_format(form):
    global _float_format
    _float_format = form


def to_text(value):
    return repr(value) if _float_format == "%r" else _shown(value, 0)


def _shown(value, depth):
    kind = type(value)
    if depth > MAX_DEPTH:
        return repr(value)
    if kind is float:
        return _float_format % value
    if kind is list:
        return f"[{', '.join(_shown(one, depth + 1) for one in value)}]"
    if kind is tuple:
        return f"({', '.join(_shown(one, depth + 1) for one in value)}{',' if len(value) == 1 else ''})"
    if kind is set and value:
        return f"{{{', '.join(_shown(one, depth + 1) for one in value)}}}"
    if kind is dict:
        return f"{{{', '.join(f'{_shown(key, depth + 1)}: {_shown(one, depth + 1)}' for key, one in value.items())}}}"
    return repr(value)
