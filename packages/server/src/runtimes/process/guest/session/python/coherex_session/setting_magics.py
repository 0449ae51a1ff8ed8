"""Magics that set how values are shown, and those that notebooks from elsewhere begin with."""

import ast
import sys

# loaded when it is asked for: by then a module of the guest may have the name of ours
from coherex import _display as display
from coherex_session import plain
from coherex_session.magic_error import MagicError

DIGITS_OF_NUMPY = 8


def precision(shell, line):
    """%precision 3, %precision %.4g, or nothing for all digits. Its value is the format, as in IPython."""
    line = line.strip()
    if line.isdigit():
        digits, form = int(line), f"%.{line}f"
    elif line == "":
        digits, form = DIGITS_OF_NUMPY, "%r"
    else:
        digits, form = None, line
        try:
            form % 1.5
        except (TypeError, ValueError):
            raise MagicError(f"%precision {line}: that is neither a number of digits nor a format such as %.3f") from None
    plain.set_float_format(form)
    numpy = sys.modules.get("numpy")
    if numpy is not None and digits is not None:
        numpy.set_printoptions(precision=digits)
    return form


def config(shell, line):
    name, _, given = (part.strip() for part in line.partition("="))
    if name not in ("InlineBackend.figure_format", "InlineBackend.figure_formats"):
        print(f"%config {name} has no effect here; InlineBackend.figure_format has" if name else "InlineBackend.figure_format")
        return
    if not given:
        print(f"InlineBackend.figure_format = {display.figure_format!r}")
        return
    try:
        value = eval(given, shell.namespace)
    except (NameError, SyntaxError):
        value = given
    wanted = [value] if isinstance(value, str) else list(value)
    known = [one for one in wanted if one in display.FIGURE_FORMATS]
    if not known:
        raise MagicError(f"%config {name}: figures are shown as {', '.join(sorted(display.FIGURE_FORMATS))}, not as {given}")
    display.figure_format = known[0]


def load_extension(shell, line):
    if line.strip() != "autoreload":
        raise MagicError("%load_ext is refused: extensions of IPython are not loaded here; import what you need")
