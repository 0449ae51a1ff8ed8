"""The variables of a session as data. Their reprs are the guest's code: bounded in time and size."""

import signal
import sys
import time
import types

import tables
from brief import brief
from coherex_session.shell import OWN_NAMES

MAX_VARIABLES = 1000
MAX_TEXT = 100_000
# for one variable, and for all of a list together
ONE_SECONDS = 0.25
ALL_SECONDS = 3.0


class TooSlow(BaseException):
    """Not an Exception: a repr that catches everything it can still has to stop."""


def list_all(namespace):
    names = [name for name, value in namespace.items() if is_variable(name, value)]
    end = time.monotonic() + ALL_SECONDS
    return [_summarise(name, namespace[name], time.monotonic() < end) for name in sorted(names)[:MAX_VARIABLES]]


def describe(namespace, question):
    """The answer about one variable: its summary, and a page of it or its text."""
    name = question["name"]
    if name not in namespace or name.startswith("__"):
        return {}
    value = namespace[name]
    summary = _summarise(name, value, True)
    table = in_time(lambda: tables.page(value, question["offset"], question["limit"]))
    if table is not None:
        return {"variable": {**summary, "table": table}}
    text = in_time(lambda: _text_of(value), 4 * ONE_SECONDS)
    return {"variable": {**summary, "text": summary["value"] if text is None else text}}


def is_variable(name, value):
    return not name.startswith("_") and name not in OWN_NAMES and not isinstance(value, types.ModuleType)


def _summarise(name, value, has_time):
    kind = type(value)
    summary = {"name": name, "type": str(kind.__name__)[:200], "value": "…"}
    if has_time:
        shown = in_time(lambda: brief(value))
        if shown is not None:
            summary["value"] = shown
        summary.update(in_time(lambda: _measure(value)) or {})
    return summary


def _measure(value):
    measures = {}
    size = tables.bytes_of(value)
    size = sys.getsizeof(value) if size is None else size
    if isinstance(size, int) and 0 <= size < 2**53:
        measures["size"] = size
    shape = tables.shape_of(value)
    if shape is not None:
        measures["shape"] = shape
    return measures


def _text_of(value):
    if isinstance(value, str):
        text = str.__str__(value)[:MAX_TEXT]
    else:
        text = brief(value, MAX_TEXT) if type(value) in (list, tuple, dict, set, frozenset, int) else repr(value)
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…"


def in_time(make, seconds=ONE_SECONDS):
    """What `make` returns; None when it raised or took too long."""
    handler = signal.signal(signal.SIGALRM, _raise_too_slow)
    # again and again: a repr may swallow the first
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        return make()
    except BaseException:  # too slow, broken, or a repr that exits: there is nothing to show
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, left, interval)
        signal.signal(signal.SIGALRM, handler)


def _raise_too_slow(*_):
    raise TooSlow
