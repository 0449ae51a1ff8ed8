"""What Python adds to an error when it prints one: "Did you mean: 'print'?"."""

import io
import re
import sys

_ADDED = re.compile(r"\. Did you mean: '[^'\n]*'\?$")


def of(error):
    """Empty where there is none, and from Python 3.12 on, whose traceback module adds it by itself."""
    if sys.version_info >= (3, 12) or not isinstance(error, (NameError, AttributeError)):
        return ""
    printed, stderr = io.StringIO(), sys.stderr
    chain = (error.__cause__, error.__context__, error.__suppress_context__)
    # a chain of causes may be longer than anybody wants to wait for
    error.__cause__ = error.__context__ = None
    sys.stderr = printed
    try:
        sys.__excepthook__(type(error), error, None)
    except Exception:  # the repr of the guest's own
        return ""
    finally:
        sys.stderr = stderr
        error.__cause__, error.__context__, error.__suppress_context__ = chain
    found = _ADDED.search(printed.getvalue().rstrip())
    return found.group() if found else ""
