"""What `declare -p` and `declare -F` print, as variables."""

import re
import shlex

MAX_TEXT = 200
MAX_WHOLE = 100_000
_DECLARED = re.compile(r"declare -(?P<flags>\S+) (?P<name>[A-Za-z_]\w*)(?:=(?P<value>.*))?", re.DOTALL)
_FUNCTION = re.compile(r"declare -f\S* (?P<name>\S+)")
_ITEM = re.compile(r"\[(?P<key>(?:\"(?:[^\"\\]|\\.)*\"|\$'(?:[^'\\]|\\.)*'|[^\]])*)\]=(?P<value>\"(?:[^\"\\]|\\.)*\"|\$'(?:[^'\\]|\\.)*'|\S*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}
# bash changes these by itself
_SPECIAL = re.compile(r"(?:BASH.*|_|__coherex.*|COHEREX_.*|DIRSTACK|EPOCH.*|FUNCNAME|GROUPS|HIST.*|LINENO|OLDPWD|OPTIND|OPTERR|OPTARG|PIPESTATUS|PPID|PS4|PWD|RANDOM|REPLY|SECONDS|SHELLOPTS|SHLVL|SRANDOM|UID|EUID|COLUMNS|LINES)\Z")


def parse(text):
    """By name: flags and the value as bash would read it again."""
    found, entry = {}, ""
    for line in text.split("\n"):
        # a value with line breaks of its own goes on until the next declaration
        if line.startswith("declare -"):
            _add(found, entry)
            entry = line
        else:
            entry += f"\n{line}"
    _add(found, entry)
    return found


def _add(found, entry):
    entry = entry.rstrip("\n")
    function = _FUNCTION.fullmatch(entry)
    declared = _DECLARED.fullmatch(entry)
    if function is not None:
        found[function.group("name")] = ("f", "")
    elif declared is not None:
        found[declared.group("name")] = (declared.group("flags"), declared.group("value") or "")


def is_guests(name, one, known):
    return _SPECIAL.match(name) is None and known.get(name) != one and name != "read"


def answer(question, variables):
    if question["type"] == "variables":
        return {"items": [summarise(name, *variables[name]) for name in sorted(variables)[:1000]]}
    name = question["name"]
    if name not in variables:
        return {}
    flags, value = variables[name]
    summary = summarise(name, flags, value)
    if "a" not in flags and "A" not in flags:
        return {"variable": {**summary, "text": unquote(value)[:MAX_WHOLE]}}
    offset, limit = max(0, question["offset"]), max(0, min(question["limit"], 1000))
    items = _items(value)
    rows = [[key, item[:1000]] for key, item in items[offset : offset + limit]]
    columns = [{"name": "key", "type": "integer" if "a" in flags else "string"}, {"name": "value", "type": "string"}]
    return {"variable": {**summary, "table": {"columns": columns, "rows": rows, "offset": offset, "total": len(items)}}}


def summarise(name, flags, value):
    is_list = "a" in flags or "A" in flags
    text = " ".join(value.split()) if is_list else unquote(value)
    summary = {"name": name, "type": _type_of(flags), "value": _short(text)}
    if is_list:
        summary["shape"] = [len(_items(value))]
    elif flags != "f":
        summary["size"] = len(text.encode("utf-8", "replace"))
    return summary


def _type_of(flags):
    for flag, name in (("f", "function"), ("A", "map"), ("a", "array"), ("i", "integer"), ("n", "reference")):
        if flag in flags:
            return name
    return "exported" if "x" in flags else "string"


def _short(text):
    text = text.replace("\n", " ")
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def _items(value):
    return [(unquote(found.group("key")), unquote(found.group("value"))) for found in _ITEM.finditer(value)]


def unquote(value):
    if value.startswith("$'") and value.endswith("'"):
        return _ESCAPE.sub(_unescape, value[2:-1])
    try:
        return "".join(shlex.split(value)) if value[:1] == '"' else value
    except ValueError:
        return value


def _unescape(found):
    text = found.group(1)
    if text[0] == "x" and len(text) > 1:
        return chr(int(text[1:], 16))
    return chr(int(text, 8)) if text.isdigit() else _ESCAPED.get(text, text)
