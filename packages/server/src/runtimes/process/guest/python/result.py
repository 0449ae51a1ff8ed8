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
            return [to_json(row, depth + 1) for row in head.to_dict(orient="records")]
        if isinstance(value, pandas.Series):
            return {str(key): to_json(item, depth + 1) for key, item in value.head(MAX_ROWS).items()}
        if isinstance(value, pandas.Index):
            return [to_json(item, depth + 1) for item in value[:MAX_ROWS]]
    if numpy is not None:
        if isinstance(value, numpy.ndarray):
            return to_json(value.tolist(), depth + 1)
        if isinstance(value, numpy.longdouble):
            return to_json(float(value), depth + 1)
        if isinstance(value, numpy.generic) and not isinstance(value.item(), numpy.generic):
            return to_json(value.item(), depth + 1)
    return repr(value)
