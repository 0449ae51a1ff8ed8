"""Values as MIME bundles, by the protocol that notebooks established: _repr_html_ and its family."""

import base64
import io
import json
import os
import sys

import output as output_module
import result
import tables

REPRS = {
    "text/html": "_repr_html_",
    "text/markdown": "_repr_markdown_",
    "text/latex": "_repr_latex_",
    "image/svg+xml": "_repr_svg_",
    "image/png": "_repr_png_",
    "image/jpeg": "_repr_jpeg_",
    "application/json": "_repr_json_",
    "application/javascript": "_repr_javascript_",
    "application/pdf": "_repr_pdf_",
}

# what a method of a type may answer; an answer of another type is none, as in a notebook
TEXT = ("text/html", "text/markdown", "text/latex", "image/svg+xml", "application/javascript")
BYTES = ("image/png", "image/jpeg", "application/pdf")

BACKEND = "module://coherex_matplotlib"

# how a figure becomes an image: what savefig() calls it, and how many times finer than usual
FIGURE_FORMATS = {"png": ("png", 1), "retina": ("png", 2), "png2x": ("png", 2), "svg": ("svg", 1), "jpeg": ("jpeg", 1), "pdf": ("pdf", 1)}
MIMES = {"png": "image/png", "jpeg": "image/jpeg", "pdf": "application/pdf"}
figure_format = "png"

# a table that can be sorted and filtered; HTML beside it is for who cannot
FRAME = "application/vnd.coherex.frame+json"
MAX_FRAME_CELLS = 20_000
MAX_FRAME_CHARACTERS = 100_000

# a longer text is for a file; JSON beside it has the whole value
MAX_TEXT = 10_000
# characters and parts of a value whose text is made
MAX_WALKED = 100_000

_output = None


def install(output: "output_module.Output"):
    global _output
    _output = output


def display(*values, raw=False, display_id=None, **_):
    """Shows each value in its richest forms. With raw=True a value is already a dict of MIME type to data."""
    for value in values:
        _output.display(_encoded(dict(value)) if raw else bundle(value))
    return DisplayHandle(display_id) if display_id else None


class DisplayHandle:
    """What notebooks give for a display that is to change. Here what was shown stays, and the new value comes after it."""

    def __init__(self, display_id):
        self.display_id = display_id if isinstance(display_id, str) else os.urandom(16).hex()

    def display(self, value, **options):
        display(value, **options)

    update = display

    def __repr__(self):
        return f"<DisplayHandle display_id={self.display_id}>"


def replace_in(module):
    """Of IPython.core.display_functions: what a program imports from there is to show as well."""
    module.display = display
    module.publish_display_data = lambda data, metadata=None, **_: display(data, raw=True)


def show_figures(matplotlib):
    """Of the module. The backend is no setting of the environment: a Python that the program starts could not load it."""
    if os.environ.get("MPLBACKEND") == "agg" and hasattr(matplotlib, "rcParams"):
        matplotlib.rcParams["backend"] = BACKEND


CHANGES = {"IPython.core.display_functions": replace_in, "matplotlib": show_figures}


def bundle(value):
    data = _custom_bundle(value)
    for mime, name in REPRS.items():
        if mime not in data and _is_answer(mime, shown := _call(value, name)):
            data[mime] = shown
    data.update(_figure(value))
    data.update(_frame(value))
    if "text/plain" not in data:
        data = {"text/plain": _plain(value), **data}
    return _encoded(data)


def is_rich(value):
    """Whether a value has more to show than its plain text."""
    if isinstance(value, (type, str, int, float, bool, bytes, list, tuple, dict, set)) or value is None:
        return False
    names = ("_repr_mimebundle_", *REPRS.values())
    return any(callable(getattr(type(value), name, None)) for name in names) or is_figure(value)


def result_message(value, text_of=repr):
    """The message that tells the value of the last expression: as JSON, and as Python writes it."""
    if value is None:
        return {"type": "result"}
    try:
        if is_rich(value):
            # its text is in what is shown
            display(value)
            return {"type": "result"} if is_figure(value) else {"type": "result", "value": result.to_json(value)}
        message = {"type": "result", "value": result.to_json(value)}
        if _is_short(value):
            text = text_of(value)
            message["text"] = text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}…"
        return message
    except Exception as error:  # a value that cannot be shown is no failure of the program
        return {"type": "result", "value": f"<{type(value).__name__}: {type(error).__name__} while it was shown>"}


def _is_short(value):
    """Whether the text of a value takes little memory: of a large one nobody reads all of it."""
    left = MAX_WALKED
    level = [value]
    while level and left > 0:
        below = []
        for one in level:
            left -= 1 + (len(one) if isinstance(one, (str, bytes, bytearray)) else 0)
            if isinstance(one, dict):
                below.extend(one)
                below.extend(one.values())
            elif isinstance(one, (list, tuple, set, frozenset)):
                below.extend(one)
            if left <= 0:
                return False
        if len(below) > left:
            return False
        level = below
    return True


def show_open_figures():
    """What a notebook does at the end of a cell: figures that were made and never shown."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return
    for number in pyplot.get_fignums():
        display(pyplot.figure(number))
    pyplot.close("all")


def _custom_bundle(value):
    data = _call(value, "_repr_mimebundle_")
    if isinstance(data, tuple):
        data = data[0] if data else None
    return dict(data) if isinstance(data, dict) else {}


def _is_answer(mime, shown):
    if mime in TEXT:
        return isinstance(shown, str)
    return isinstance(shown, (bytes, bytearray, str)) if mime in BYTES else shown is not None


def _call(value, name):
    if isinstance(value, type):
        return None
    try:
        method = getattr(value, name, None)
        # objects that answer to every name have no method of this one
        if not callable(method) or getattr(value, "_coherex_no_such_method_", None) is not None:
            return None
        shown = _ask_for_bundle(method) if name == "_repr_mimebundle_" else method()
    except Exception:  # a broken repr must not end the program that shows it
        return None
    return shown[0] if isinstance(shown, tuple) and name != "_repr_mimebundle_" else shown


def _ask_for_bundle(method):
    try:
        # notebooks name both, and some libraries count on it
        return method(include=None, exclude=None)
    except TypeError:
        return method()


def _plain(value):
    try:
        return repr(value)
    except Exception as error:
        return f"<{type(value).__name__}: its repr raised {type(error).__name__}>"


def is_figure(value):
    figure = sys.modules.get("matplotlib.figure")
    return figure is not None and isinstance(value, figure.Figure)


def _figure(value):
    # the background is one of its children: without another, an image of it would be blank
    if not is_figure(value) or len(value.get_children()) < 2:
        return {}
    kind, times = FIGURE_FORMATS[figure_format]
    target = io.BytesIO()
    finer = {"dpi": value.dpi * times} if times > 1 else {}
    value.savefig(target, format=kind, bbox_inches="tight", **finer)
    if kind == "svg":
        return {"image/svg+xml": target.getvalue().decode("utf-8")}
    return {MIMES[kind]: target.getvalue()}


def _frame(value):
    """A data frame as data, with as many of its first rows as fit."""
    if not tables.is_frame(value):
        return {}
    try:
        limit = MAX_FRAME_CELLS // max(1, min(value.shape[1], tables.MAX_COLUMNS))
        table = tables.page(value, 0, max(1, limit))
        # many frames, or a small limit of output, must leave room for the rest
        rows, left = [], min(MAX_FRAME_CHARACTERS, _output.left // 8)
        for row in table["rows"]:
            left -= len(json.dumps(row))
            if left < 0:
                break
            rows.append(row)
        if not rows and table["total"] > 0:
            return {}
        return {FRAME: {"columns": table["columns"], "rows": rows, "total": table["total"]}}
    except Exception:  # a frame that cannot be read as rows is still shown as its HTML
        return {}


def _encoded(data):
    return {mime: _encodable(shown) for mime, shown in data.items() if isinstance(mime, str)}


def _encodable(shown):
    if isinstance(shown, (bytes, bytearray)):
        return base64.b64encode(shown).decode("ascii")
    if isinstance(shown, str):
        return shown
    try:
        return json.loads(json.dumps(shown, default=result.to_json, allow_nan=False))
    except (TypeError, ValueError):
        # NaN, keys that are no text, or a value within itself
        return result.to_json(shown)
    except RecursionError:
        # deeper than the output lets through
        return shown
