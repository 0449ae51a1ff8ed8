"""What the worker needs beside Pyodide. Its names are its own: blocks have the names of __main__."""

import base64
import builtins
import importlib
import io
import json
import os
import sys
import traceback
import types
import warnings

import __main__
from pyodide.code import eval_code_async, find_imports
from pyodide.ffi import can_run_sync, run_sync

REPRS = {
    "text/html": "_repr_html_",
    "text/markdown": "_repr_markdown_",
    "text/latex": "_repr_latex_",
    "image/svg+xml": "_repr_svg_",
    "image/png": "_repr_png_",
    "image/jpeg": "_repr_jpeg_",
    "application/json": "_repr_json_",
}
PLAIN = (type, str, int, float, bool, bytes, list, tuple, dict, set)
MAX_TEXT = 10_000

space = __main__.__dict__
os.environ["MPLBACKEND"] = "agg"
warnings.filterwarnings("ignore", message=".*is non-interactive.*")


def display(*values, raw=False, **_):
    """Shows each value in its richest forms. With raw=True a value is already a dict of MIME type to data."""
    for value in values:
        data = dict(value) if raw else bundle(value)
        emit(json.dumps({mime: encodable(shown) for mime, shown in data.items()}, default=repr))


def bundle(value):
    data = ask(value, "_repr_mimebundle_") or {}
    data = dict(data[0] if isinstance(data, tuple) else data)
    for mime, name in REPRS.items():
        shown = None if mime in data else ask(value, name)
        if shown is not None:
            data[mime] = shown[0] if isinstance(shown, tuple) else shown
    if is_figure(value):
        target = io.BytesIO()
        value.savefig(target, format="png", bbox_inches="tight")
        data["image/png"] = target.getvalue()
    data.setdefault("text/plain", repr(value)[:MAX_TEXT])
    return data


def ask(value, name):
    if isinstance(value, type):
        return None
    try:
        method = getattr(value, name, None)
        return method() if callable(method) else None
    except Exception:  # a broken repr must not end the block that shows it
        return None


def encodable(shown):
    return base64.b64encode(shown).decode("ascii") if isinstance(shown, (bytes, bytearray)) else shown


def is_figure(value):
    figure = sys.modules.get("matplotlib.figure")
    return figure is not None and isinstance(value, figure.Figure)


def is_rich(value):
    if isinstance(value, PLAIN):
        return False
    names = ("_repr_mimebundle_", *REPRS.values())
    return any(callable(getattr(type(value), name, None)) for name in names) or is_figure(value)


def show_figures():
    """What a notebook does at the end of a cell: figures that were made and not shown."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return
    for number in pyplot.get_fignums():
        display(pyplot.figure(number))
    pyplot.close("all")


def ask_person(prompt=""):
    if not can_run_sync():
        raise RuntimeError("This browser cannot wait for input within Python: run the block on the server.")
    text = run_sync(ask_page(str(prompt)))
    if text is None:
        raise EOFError("Nobody answered what the block asked for.")
    print(f"{prompt}{text}")
    return text


builtins.display = display
builtins.input = ask_person


def wanted(code):
    """Modules that the code imports and that are not there."""
    try:
        names = find_imports(code)
    except SyntaxError:
        return "[]"
    return json.dumps([name for name in names if name not in sys.modules and importlib.util.find_spec(name) is None])


async def run(code):
    try:
        value = await eval_code_async(code, space, filename="block.py")
        ended = {} if value is None else told(value)
        show_figures()
        return json.dumps(ended)
    except BaseException as error:
        return json.dumps(explain(error))


def told(value):
    space["_"] = value
    if is_rich(value):
        # a figure is closed with those that were not shown
        if is_figure(value):
            pyplot = sys.modules.get("matplotlib.pyplot")
            if pyplot is not None:
                pyplot.close(value)
        display(value)
        return {}
    ended = {"repr": repr(value)[:MAX_TEXT]}
    try:
        text = json.dumps(value, allow_nan=False)
        if len(text) < 100_000:
            ended["value"] = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        pass
    return ended


def explain(error):
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename == "block.py"]
    is_syntax = isinstance(error, SyntaxError)
    line = error.lineno if is_syntax else frames[-1].lineno if frames else None
    ended = {"error": f"SyntaxError: {error.msg}" if is_syntax else f"{type(error).__name__}: {error}", "line": line}
    if frames:
        text = "".join(traceback.format_exception_only(error)).strip()
        ended["stack"] = "Traceback (most recent call last):\n" + "".join(traceback.format_list(frames)) + text
    if isinstance(error, ModuleNotFoundError):
        ended["missing"] = error.name
    if isinstance(error, MemoryError):
        ended["is_memory"] = True
    return ended


own_names = set(space)


def look(name, offset, limit):
    if name is None:
        return json.dumps([summarise(one) for one in sorted(space) if is_variable(one)][:1000])
    if not is_variable(name):
        return "null"
    value = space[name]
    page = table(value, offset, limit)
    rest = {"text": shown(value, 100_000)} if page is None else {"table": page}
    return json.dumps({**summarise(name), **rest}, default=repr)


def is_variable(name):
    hidden = name.startswith("_") or name in own_names
    return name in space and not hidden and not isinstance(space[name], types.ModuleType)


def summarise(name):
    value = space[name]
    summary = {"name": name, "type": type(value).__name__, "value": " ".join(shown(value, 200).split())}
    size = ask(value, "memory_usage")
    try:
        summary["size"] = int(size.sum()) if size is not None else getattr(value, "nbytes", None) or sys.getsizeof(value)
        shape = getattr(value, "shape", None)
        shape = (len(value),) if shape is None and hasattr(value, "__len__") else shape
        if shape is not None:
            summary["shape"] = [int(one) for one in shape]
    except Exception:  # a size that cannot be told
        pass
    return summary


def shown(value, most):
    try:
        text = repr(value[:most] if isinstance(value, (str, bytes)) else value)
    except Exception as error:
        text = f"<{type(value).__name__}: its repr raised {type(error).__name__}>"
    return text if len(text) <= most else text[: most - 1] + "…"


def table(value, offset, limit):
    columns = getattr(value, "columns", None)
    if columns is not None and hasattr(value, "iloc"):
        page = value.iloc[offset : offset + limit]
        named = [{"name": str(one), "type": str(kind)} for one, kind in zip(columns, value.dtypes)]
        rows = [[cell(one) for one in row] for row in page.itertuples(index=False, name=None)]
        return {"columns": named, "rows": rows, "offset": offset, "total": len(value)}
    if isinstance(value, dict):
        some = list(value.items())[offset : offset + limit]
        names, rows = ["key", "value"], [[cell(key), cell(one)] for key, one in some]
    elif isinstance(value, (list, tuple)) and value:
        some = value[offset : offset + limit]
        if all(isinstance(one, dict) for one in some):
            names = list(dict.fromkeys(str(key) for one in some for key in one))[:200]
            rows = [[cell(one.get(name)) for name in names] for one in some]
        else:
            names, rows = ["value"], [[cell(one)] for one in some]
    else:
        return None
    return {"columns": [{"name": one, "type": ""} for one in names], "rows": rows, "offset": offset, "total": len(value)}


def cell(value):
    if value is None or isinstance(value, (bool, int)) and abs(value) < 2**53:
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    return value[:1000] if isinstance(value, str) else shown(value, 1000)
