"""How many parts a value may have that the host is to read: beyond, it would take the message for an attack."""

MAX_PARTS = 1_000_000 - 100
MAX_KEYS = 100_000 - 100


def check(value):
    """Raises ValueError for more than the host reads."""
    parts = 0
    keys = set()
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            keys.update(one)
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
        # a part is what has a comma before it, or brackets
        parts += 2 if isinstance(one, (dict, list)) else 1
        if parts > MAX_PARTS or len(keys) > MAX_KEYS:
            raise ValueError("more parts than the host reads")
