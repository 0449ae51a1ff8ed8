"""Values in few characters, without making the long text first."""

MAX_TEXT = 200
MAX_ITEMS = 20
MAX_DEPTH = 3

_BRACKETS = {list: ("[", "]"), tuple: ("(", ")"), set: ("{", "}"), frozenset: ("frozenset({", "})")}


def brief(value, limit=MAX_TEXT, depth=0):
    """One line of at most `limit` characters."""
    text = _show(value, limit, depth)
    text = " ".join(text.split()) if "\n" in text else text
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _show(value, limit, depth):
    # subclasses have a repr of their own, and the right to it
    kind = type(value)
    if kind is str or kind is bytes or kind is bytearray:
        return repr(value[: limit + 1])
    if kind is int and value.bit_length() > 4 * limit:
        return f"an integer of {value.bit_length()} bits"
    if kind in _BRACKETS:
        return _show_items(value, limit, depth, kind)
    if kind is dict:
        return _show_dict(value, limit, depth)
    return repr(value)


def _show_items(value, limit, depth, kind):
    opening, closing = _BRACKETS[kind]
    if not value:
        return repr(value)
    if depth >= MAX_DEPTH:
        return f"{opening}…{closing}"
    shown = _gather((brief(item, limit, depth + 1) for item in value), len(value), limit)
    return f"{opening}{shown}{',' if kind is tuple and len(value) == 1 else ''}{closing}"


def _show_dict(value, limit, depth):
    if not value:
        return "{}"
    if depth >= MAX_DEPTH:
        return "{…}"
    pairs = (f"{brief(key, limit, depth + 1)}: {brief(item, limit, depth + 1)}" for key, item in value.items())
    return f"{{{_gather(pairs, len(value), limit)}}}"


def _gather(pieces, count, limit):
    shown, size = [], 0
    for piece in pieces:
        shown.append(piece)
        size += len(piece) + 2
        if len(shown) == MAX_ITEMS or size > limit:
            break
    if len(shown) < count:
        shown.append("…")
    return ", ".join(shown)
