"""JSON without the json module, which takes as long to load as Python itself and a megabyte of memory."""

from _json import encode_basestring_ascii as quote
from _json import make_scanner


class _Context:
    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = None
    memo = {}


_scan = make_scanner(_Context)


def decode(text):
    return _scan(text, 0)[0]


def encode(value):
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(encode, value)) + "]"
    return "{" + ",".join(quote(key) + ":" + encode(item) for key, item in value.items()) + "}"
