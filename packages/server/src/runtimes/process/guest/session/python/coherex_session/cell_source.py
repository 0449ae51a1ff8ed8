"""From the text of a cell to Python: magics, shell lines and questions become calls of get_ipython()."""

import re

_CELL_MAGIC = re.compile(r"\s*%%([A-Za-z_]\w*)[ \t]*([^\n]*)(?:\n|$)")
_LINE = re.compile(
    r"^(?P<indent>[ \t]*)(?:"
    r"%(?P<magic>[A-Za-z_]\w*)[ \t]*(?P<rest>.*)"
    r"|!!(?P<listed>.*)"
    r"|!(?P<system>.*)"
    r"|\?{1,2}[ \t]*(?P<before>[\w.]+)[ \t]*"
    r"|(?P<help>%{0,2}[A-Za-z_][\w.]*(?:\[[^\]]*\])?)(?P<marks>\?{1,2})[ \t]*"
    r"|(?P<target>[A-Za-z_][\w.,\[\]'\" ]*?)[ \t]*=[ \t]*(?:!(?P<output>.*)|%(?P<named>[A-Za-z_]\w*)[ \t]*(?P<given>.*))"
    r")$",
    re.DOTALL,
)
_TOKEN = re.compile(
    r"#[^\n]*|'''|\"\"\"|'(?:[^'\\\n]|\\.)*'?|\"(?:[^\"\\\n]|\\.)*\"?|[()\[\]{}]|\\\n|\n|[^#'\"()\[\]{}\\\n]+|.", re.DOTALL
)
_TRIPLE_END = {quote: re.compile(rf"(?:[^\\]|\\.)*?{quote}", re.DOTALL) for quote in ("'''", '"""')}


def split_cell_magic(code):
    """The magic of a cell that begins with %%name, the rest of its line, the body, and the body's first line."""
    found = _CELL_MAGIC.match(code)
    if found is None:
        return None
    return found.group(1), found.group(2).strip(), code[found.end() :], code.count("\n", 0, found.end()) + 1


def to_python(code):
    """The same lines with everything that is not Python turned into it."""
    lines = []
    for line in _logical_lines(code):
        text = line.rstrip("\n")
        # a command goes over several lines with a backslash, as in a shell
        found = _LINE.match(re.sub(r"\\\n[ \t]*", " ", text))
        call = found and _call_for(found)
        if call is None:
            lines.append(line)
        else:
            lines.append(found.group("indent") + call + "\n" * line.count("\n"))
    return "".join(lines)


def _call_for(found):
    part = found.groupdict()
    if part["magic"] is not None:
        return _magic(part["magic"], part["rest"])
    if part["listed"] is not None:
        return f"get_ipython().getoutput({part['listed'].strip()!r})"
    if part["system"] is not None:
        return f"get_ipython().system({part['system'].strip()!r})"
    if part["before"] is not None:
        return _magic("pinfo", part["before"])
    if part["help"] is not None:
        return _magic("pinfo2" if part["marks"] == "??" else "pinfo", part["help"])
    if part["output"] is not None:
        return f"{part['target']} = get_ipython().getoutput({part['output'].strip()!r})"
    return f"{part['target']} = {_magic(part['named'], part['given'])}"


def _magic(name, rest):
    return f"get_ipython().run_line_magic({name!r}, {rest.strip()!r})"


def _logical_lines(code):
    """Lines, those inside brackets, long strings and after a backslash together with the line they belong to."""
    start = at = depth = 0
    while at < len(code):
        token = _TOKEN.match(code, at)
        text = token.group()
        at = token.end()
        if at == start + len(text) and _is_foreign(code, start):
            # quotes and brackets mean nothing to Python in a line that is not Python
            end = _end_of_foreign(code, start)
            yield code[start:end]
            start = at = end
            continue
        if text in _TRIPLE_END:
            closing = _TRIPLE_END[text].match(code, at)
            at = closing.end() if closing else len(code)
        elif text in "([{":
            depth += 1
        elif text in ")]}":
            depth = max(0, depth - 1)
        elif text == "\n" and depth == 0:
            yield code[start:at]
            start = at
    if start < len(code):
        yield code[start:]


def _is_foreign(code, start):
    return _match_line(code, start, _end_of_line(code, start)) is not None


def _match_line(code, start, end):
    return _LINE.match(code[start:end].rstrip("\n").replace("\\\n", " "))


def _end_of_foreign(code, start):
    """The end of its line, or for a magic that opens brackets that of the line which closes them."""
    end = _end_of_line(code, start)
    found = _match_line(code, start, end)
    if found["magic"] is None and found["named"] is None:
        return end
    at, depth = start, 0
    while at < len(code):
        token = _TOKEN.match(code, at)
        text, at = token.group(), token.end()
        if text in _TRIPLE_END:
            closing = _TRIPLE_END[text].match(code, at)
            at = closing.end() if closing else len(code)
        elif text in "([{":
            depth += 1
        elif text in ")]}":
            depth -= 1
        elif text == "\n" and depth <= 0 and at >= end:
            return at
    # brackets that nothing closes are no code
    return end if depth > 0 else len(code)


def _end_of_line(code, start):
    end = code.find("\n", start)
    while end > start and code[end - 1] == "\\":
        end = code.find("\n", end + 1)
    return len(code) if end < 0 else end + 1
