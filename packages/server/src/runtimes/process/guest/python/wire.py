"""Values beyond JSON as they cross the pipe: the twin of runtimes/protocol/value.ts."""

import base64
import datetime
import math

MAX_DEPTH = 200
MAX_SAFE_INTEGER = 2**53 - 1


def to_wire(value, depth=0):
    if depth > MAX_DEPTH:
        raise TypeError("cannot send a value that is nested too deeply or contains itself")
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value) if abs(value) <= MAX_SAFE_INTEGER else {"$": "bigint", "v": str(int(value))}
    if isinstance(value, float):
        return _number(float(value))
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"$": "bytes", "v": base64.b64encode(value).decode("ascii")}
    if isinstance(value, datetime.datetime):
        return {"$": "date", "v": value.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")}
    if isinstance(value, (list, tuple)):
        return [to_wire(item, depth + 1) for item in value]
    if isinstance(value, (set, frozenset)):
        return {"$": "set", "v": [to_wire(item, depth + 1) for item in value]}
    if isinstance(value, dict):
        if all(isinstance(key, str) for key in value):
            plain = {key: to_wire(item, depth + 1) for key, item in value.items()}
            return {"$": "object", "v": plain} if "$" in plain else plain
        return {"$": "map", "v": [[to_wire(key, depth + 1), to_wire(item, depth + 1)] for key, item in value.items()]}
    raise TypeError(f"cannot send a value of type {type(value).__name__}")


def _number(value):
    if math.isnan(value):
        return {"$": "number", "v": "NaN"}
    if math.isinf(value):
        return {"$": "number", "v": "Infinity" if value > 0 else "-Infinity"}
    return value


def from_wire(value):
    if isinstance(value, list):
        return [from_wire(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$" not in value:
        return {key: from_wire(item) for key, item in value.items()}
    tag, inner = value["$"], value.get("v")
    if tag == "undefined":
        return None
    if tag == "bytes":
        return base64.b64decode(inner)
    if tag == "date":
        return datetime.datetime.fromisoformat(inner) if inner else None
    if tag == "bigint":
        return int(inner)
    if tag == "number":
        return float(inner.replace("Infinity", "inf"))
    if tag == "map":
        return {from_wire(key): from_wire(item) for key, item in inner}
    if tag == "set":
        return [from_wire(item) for item in inner]
    if tag == "object":
        return {key: from_wire(item) for key, item in inner.items()}
    raise TypeError(f"cannot read a value with tag {tag!r}")
