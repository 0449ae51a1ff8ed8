"""Values as MIME bundles, by the protocol that notebooks established: _repr_html_ and its family."""

import base64
import io
import json
import sys

import output as output_module

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

_output = None


def install(output: "output_module.Output"):
    global _output
    _output = output


def display(*values, raw=False, **_):
    """Shows each value in its richest forms. With raw=True a value is already a dict of MIME type to data."""
    for value in values:
        _output.display(dict(value) if raw else bundle(value))


def bundle(value):
    data = _custom_bundle(value)
    if data is None:
        data = {mime: shown for mime, name in REPRS.items() if (shown := _call(value, name)) is not None}
        data.update(_figure(value))
    if "text/plain" not in data:
        data = {"text/plain": _plain(value), **data}
    return {mime: _encodable(mime, shown) for mime, shown in data.items() if isinstance(mime, str)}


def is_rich(value):
    """Whether a value has more to show than its plain text."""
    if isinstance(value, (type, str, int, float, bool, bytes, list, tuple, dict, set)) or value is None:
        return False
    names = ("_repr_mimebundle_", *REPRS.values())
    return any(callable(getattr(type(value), name, None)) for name in names) or is_figure(value)


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
        data = data[0]
    return dict(data) if isinstance(data, dict) and data else None


def _call(value, name):
    if isinstance(value, type):
        return None
    try:
        method = getattr(value, name, None)
        # objects that answer to every name have no method of this one
        if not callable(method) or getattr(value, "_coherex_no_such_method_", None) is not None:
            return None
        shown = method()
    except Exception:  # a broken repr must not end the program that shows it
        return None
    return shown[0] if isinstance(shown, tuple) and name != "_repr_mimebundle_" else shown


def _plain(value):
    try:
        return repr(value)
    except Exception as error:
        return f"<{type(value).__name__}: its repr raised {type(error).__name__}>"


def is_figure(value):
    figure = sys.modules.get("matplotlib.figure")
    return figure is not None and isinstance(value, figure.Figure)


def _figure(value):
    if not is_figure(value):
        return {}
    wanted = value.figure.canvas.manager and getattr(value.figure.canvas.manager, "coherex_format", None)
    kind = wanted or "png"
    target = io.BytesIO()
    value.savefig(target, format=kind, bbox_inches="tight")
    if kind == "svg":
        return {"image/svg+xml": target.getvalue().decode("utf-8")}
    return {"image/png": target.getvalue()}


def _encodable(mime, shown):
    if isinstance(shown, (bytes, bytearray)):
        return base64.b64encode(shown).decode("ascii")
    if isinstance(shown, str):
        return shown
    try:
        return json.loads(json.dumps(shown, default=repr, allow_nan=False))
    except (TypeError, ValueError):
        return repr(shown)
