"""Tables among values: their shape, and a page of them with the types of its columns. Imports no library by itself."""

import itertools
import sys

import result
from brief import brief

MAX_ROWS = 1000
MAX_COLUMNS = 200
MAX_CELL = 1000


def shape_of(value):
    kind = _library_kind(value)
    if kind is not None:
        return [int(size) for size in value.shape]
    return [len(value)] if isinstance(value, (list, tuple, dict, set, frozenset, str, bytes, bytearray)) else None


def bytes_of(value):
    kind = _library_kind(value)
    if kind == "array":
        return int(value.nbytes)
    if kind == "series":
        return int(value.memory_usage())
    if kind == "frame":
        return int(value.memory_usage().sum())
    return None


def is_frame(value):
    return _library_kind(value) == "frame"


def page(value, offset, limit):
    """None when the value is no table."""
    offset, limit = max(0, offset), max(0, min(limit, MAX_ROWS))
    kind = _library_kind(value)
    if kind == "frame":
        return _frame_page(value, offset, limit)
    if kind == "series":
        name = "value" if value.name is None else str(value.name)
        return _frame_page(value.to_frame(name), offset, limit)
    if kind == "array":
        return _array_page(value, offset, limit)
    if type(value) is dict:
        pairs = itertools.islice(value.items(), offset, offset + limit)
        columns = [("key", "object"), ("value", "object")]
        return _table(columns, [[_cell(key), _cell(item)] for key, item in pairs], offset, len(value))
    if type(value) in (list, tuple) and value:
        return _list_page(value, offset, limit)
    return None


def _frame_page(frame, offset, limit):
    shown = frame.iloc[offset : offset + limit, :MAX_COLUMNS]
    index = [("" if name is None else str(name)) for name in frame.index.names]
    index_types = [str(dtype) for dtype in (frame.index.dtypes if frame.index.nlevels > 1 else [frame.index.dtype])]
    columns = [
        *zip(index, index_types),
        *((str(name), str(dtype)) for name, dtype in zip(shown.columns, shown.dtypes)),
    ]
    rows = []
    for row in shown.itertuples(index=True, name=None):
        label, values = row[0], row[1:]
        labels = label if isinstance(label, tuple) and frame.index.nlevels > 1 else (label,)
        rows.append([_cell(item) for item in (*labels, *values)])
    return _table(columns, rows, offset, len(frame))


def _array_page(array, offset, limit):
    if array.ndim not in (1, 2):
        return None
    dtype = str(array.dtype)
    shown = array[offset : offset + limit]
    if array.ndim == 1:
        if array.dtype.names:
            columns = [(name, str(array.dtype[name])) for name in array.dtype.names]
            return _table(columns, [[_cell(item) for item in row] for row in shown.tolist()], offset, len(array))
        return _table([("0", dtype)], [[_cell(item)] for item in shown.tolist()], offset, len(array))
    shown = shown[:, :MAX_COLUMNS]
    columns = [(str(number), dtype) for number in range(shown.shape[1])]
    return _table(columns, [[_cell(item) for item in row] for row in shown.tolist()], offset, len(array))


def _list_page(value, offset, limit):
    shown = value[offset : offset + limit]
    if all(type(item) is dict for item in value[:MAX_ROWS]) and all(type(item) is dict for item in shown):
        names = list(dict.fromkeys(str(key) for item in (*value[:20], *shown) for key in item))[:MAX_COLUMNS]
        rows = []
        for item in shown:
            texts = {str(key): field for key, field in item.items()}
            rows.append([_cell(texts.get(name)) for name in names])
        return _table([(name, "object") for name in names], rows, offset, len(value))
    kinds = {type(item).__name__ for item in value[:MAX_ROWS]}
    kind = kinds.pop() if len(kinds) == 1 else "object"
    return _table([("value", kind)], [[_cell(item)] for item in shown], offset, len(value))


def _table(columns, rows, offset, total):
    return {
        "columns": [{"name": name, "type": kind} for name, kind in columns],
        "rows": rows,
        "offset": offset,
        "total": total,
    }


def _cell(value):
    if isinstance(value, (list, tuple, dict, set)):
        return brief(value, MAX_CELL)
    shown = result.to_json(value)
    return shown[:MAX_CELL] + "…" if isinstance(shown, str) and len(shown) > MAX_CELL else shown


def _library_kind(value):
    pandas, numpy = sys.modules.get("pandas"), sys.modules.get("numpy")
    # a module that is still being imported has no classes yet
    frame, series = getattr(pandas, "DataFrame", ()), getattr(pandas, "Series", ())
    if isinstance(value, frame):
        return "frame"
    if isinstance(value, series):
        return "series"
    return "array" if isinstance(value, getattr(numpy, "ndarray", ())) else None
