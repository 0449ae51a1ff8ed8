"""How many parts a value may have that the host is to read: beyond, it would take the message for an attack."""

# the message around a value has a few of its own, and is one deep
MAX_DEPTH = 200 - 1
MAX_PARTS = 1_000_000 - 100
MAX_KEYS = 20_000 - 100
MAX_KEY_WEIGHT = 500_000 - 100
# keys of wide objects are slow to walk
WIDE_FROM = 100
WIDE_WEIGHT = 5
# characters outside of strings
MAX_BARE = 8_000_000 - 1000


def check(value):
    """Raises ValueError, with the end of a sentence about the value, for more than the host reads."""
    parts = 0
    bare = 0
    keys = set()
    key_weight = 0
    depth = 0
    level = [value]
    while level:
        depth += 1
        below = []
        for one in level:
            if isinstance(one, str):
                continue
            if not isinstance(one, (dict, list, tuple)):
                bare += len(repr(one))
                continue
            if depth > MAX_DEPTH:
                raise ValueError(f"are nested more than {MAX_DEPTH} deep")
            # a part is what has a comma before it, or brackets
            parts += max(len(one), 1)
            if parts > MAX_PARTS:
                raise ValueError(f"have more than {MAX_PARTS} parts")
            # brackets, commas and colons
            bare += 2 + 2 * len(one)
            if isinstance(one, dict):
                keys.update(one)
                key_weight += len(one) * (WIDE_WEIGHT if len(one) > WIDE_FROM else 1)
                below.extend(one.values())
            else:
                below.extend(one)
        if len(keys) > MAX_KEYS:
            raise ValueError(f"have more than {MAX_KEYS} different keys")
        if key_weight > MAX_KEY_WEIGHT:
            raise ValueError(f"have more than {MAX_KEY_WEIGHT} keys, wide objects counted {WIDE_WEIGHT} times")
        if bare > MAX_BARE:
            raise ValueError(f"have more than {MAX_BARE} characters outside of strings")
        level = below
