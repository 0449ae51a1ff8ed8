"""The % and %% of a session: a table of names, each one a short function (shell, line) or (shell, line, body)."""

import dataclasses

from coherex_session import autoreload, code_magics, file_magics, setting_magics, show_magics
from coherex_session.magic_error import MagicError


@dataclasses.dataclass
class Body:
    """The text below the line of a cell magic, and where it stands in its cell."""

    text: str
    path: str
    first_line: int


LINE = {
    "time": code_magics.time_line,
    "timeit": code_magics.timeit_line,
    "run": code_magics.run_file,
    "who": show_magics.who,
    "whos": show_magics.whos,
    "who_ls": show_magics.who_ls,
    "reset": show_magics.reset,
    "history": show_magics.history,
    "hist": show_magics.history,
    "pinfo": show_magics.pinfo,
    "pinfo2": show_magics.pinfo2,
    "matplotlib": show_magics.matplotlib,
    "precision": setting_magics.precision,
    "config": setting_magics.config,
    "load_ext": setting_magics.load_extension,
    "reload_ext": setting_magics.load_extension,
    "autoreload": autoreload.set_mode,
    "cd": file_magics.cd,
    "pwd": file_magics.pwd,
    "ls": file_magics.ls,
    "env": file_magics.env,
    "set_env": file_magics.set_env,
    "pip": file_magics.pip,
    "lsmagic": lambda shell, line: show_magics.list_magics(LINE, CELL),
}
CELL = {
    "time": code_magics.time_cell,
    "timeit": code_magics.timeit_cell,
    "capture": code_magics.capture,
    "bash": file_magics.bash,
    "sh": file_magics.bash,
    "writefile": file_magics.writefile,
    "html": show_magics.show("text/html"),
    "HTML": show_magics.show("text/html"),
    "javascript": show_magics.show("application/javascript"),
    "js": show_magics.show("application/javascript"),
    "markdown": show_magics.show("text/markdown"),
    "latex": show_magics.show("text/latex"),
    "svg": show_magics.show("image/svg+xml"),
}
# said why, because notebooks from elsewhere have them
REFUSED = {
    "sql": "run SQL in a session of that language; files of the sandbox are shared between sessions",
    "conda": "there is no conda here; use %pip install",
    "debug": "there is no debugger to talk to here; look at the variables or add print()",
}


def run_line(shell, name, line):
    return _find(name, LINE, "%")(shell, line)


def run_cell(shell, name, line, body):
    return _find(name, CELL, "%%")(shell, line, body)


def _find(name, known, mark):
    if name in known:
        return known[name]
    if name in REFUSED:
        raise MagicError(f"{mark}{name} is refused: {REFUSED[name]}")
    other, other_mark = (CELL, "%%") if mark == "%" else (LINE, "%")
    hint = f"; there is {other_mark}{name}" if name in other else "; %lsmagic shows what there is"
    raise MagicError(f"There is no {mark}{name} here{hint}")
