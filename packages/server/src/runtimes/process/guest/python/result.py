"""The value of the last expression as JSON."""

import base64
import datetime
import math
import sys

MAX_DEPTH = 100
MAX_ROWS = 1000


def to_json(value, depth=0, above=()):
    """What JSON can hold stays what it is; what it cannot becomes the nearest, in the end the repr."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if depth > MAX_DEPTH:
        return "…"
    if isinstance(value, int):
        # integers that JavaScript would round travel as digits
        return int(value) if abs(value) < 2**53 else str(int(value))
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, (dict, list, tuple, set, frozenset, range)):
        if id(value) in above:
            return "[Circular]"
        above = (*above, id(value))
        if isinstance(value, dict):
            return {key if isinstance(key, str) else str(key): to_json(item, depth + 1, above) for key, item in value.items()}
        return [to_json(item, depth + 1, above) for item in value]
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        # pandas' NaT is a time and not itself
        return value.isoformat() if value == value else None
    return _from_libraries(value, depth)


def _from_libraries(value, depth):
    decimal = sys.modules.get("decimal")
    if decimal is not None and isinstance(value, decimal.Decimal):
        return str(value)
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if pandas is not None:
        if value is pandas.NA:
            return None
        if isinstance(value, pandas.DataFrame):
            head = value.head(MAX_ROWS)
            names = _keys(head.columns)
            rows = head.itertuples(index=False, name=None)
            return [{name: to_json(item, depth + 2) for name, item in zip(names, row)} for row in rows]
        if isinstance(value, pandas.Series):
            head = value.head(MAX_ROWS)
            return {name: to_json(item, depth + 1) for name, item in zip(_keys(head.index), head)}
        # the second is what unique() of a column with a type of pandas gives
        if isinstance(value, (pandas.Index, pandas.api.extensions.ExtensionArray)):
            return [to_json(item, depth + 1) for item in value[:MAX_ROWS]]
    if numpy is not None:
        if isinstance(value, (numpy.ndarray, numpy.datetime64)) and value.dtype.kind == "M" and _is_fine(numpy, value.dtype):
            return _times(numpy.datetime_as_string(value).tolist())
        if isinstance(value, numpy.ndarray):
            return to_json(value.tolist(), depth + 1)
        if isinstance(value, numpy.longdouble):
            return to_json(float(value), depth + 1)
        if isinstance(value, numpy.generic) and not isinstance(value.item(), numpy.generic):
            return to_json(value.item(), depth + 1)
    return repr(value)


def _keys(labels):
    """Labels as keys. One that is there already gets a number, as pandas does with the columns of a file."""
    keys, counts = {}, {}
    for label in labels:
        name = key = str(label)
        while key in keys:
            counts[name] = counts.get(name, 0) + 1
            key = f"{name}.{counts[name]}"
        keys[key] = True
    return list(keys)


def _is_fine(numpy, dtype):
    """Whether a time is finer than Python's: numpy would tell it as a number."""
    return numpy.datetime_data(dtype)[0] in ("ns", "ps", "fs", "as")


def _times(texts):
    if isinstance(texts, list):
        return [_times(text) for text in texts]
    return None if texts == "NaT" else texts.rstrip("0").rstrip(".")
