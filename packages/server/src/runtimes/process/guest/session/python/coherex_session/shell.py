"""The namespace of a session and what runs in it. Cells reach it as get_ipython()."""

import ast
import builtins
import io
import linecache
import os
import sys
import types

import display
import exit_code
from coherex_session import cell_errors, cell_source
from coherex_session.event_loop import CO_COROUTINE

_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
# these are the session's, not variables of the guest
OWN_NAMES = ("In", "Out", "get_ipython", "exit", "quit", "display")


class Shell:
    def __init__(self, event_loop, home):
        self.event_loop = event_loop
        self.home = home
        self.count = 0
        # called with this shell before each cell, see autoreload.py
        self.before_cell = None
        self._module = types.ModuleType("__main__")
        self.namespace = self._module.__dict__
        self.namespace["__builtins__"] = builtins
        sys.modules["__main__"] = self._module
        sys.argv = [""]
        self.clear()

    @property
    def user_ns(self):
        return self.namespace

    def clear(self):
        for name in [name for name in self.namespace if not name.startswith("__")]:
            del self.namespace[name]
        self.inputs, self.outputs = [""], {}
        self.namespace.update(
            {"In": self.inputs, "Out": self.outputs, "get_ipython": lambda: self, "_": "", "__": "", "___": ""}
        )

    def run_cell(self, code):
        """The message that tells how it went."""
        self.count += 1
        path = f"Cell {self.count}"
        self.inputs.append(code)
        # else a warning of an earlier cell, with the same text and line, would keep one of this cell back
        self.namespace.pop("__warningregistry__", None)
        try:
            if self.before_cell is not None:
                self.before_cell(self)
            value = self.execute(code, path)
            self._remember(value)
            display.show_open_figures()
            return display.result_message(value, _text_of)
        except SystemExit as stop:
            return _exit_message(stop)
        except BaseException as error:  # whatever the cell raised is its outcome
            message = {"type": "error", "error": cell_errors.describe(error, path, self.home)}
            if isinstance(error, KeyboardInterrupt):
                return {**message, "interrupted": True}
            return message

    def execute(self, code, path, first_line=1):
        """Runs text as a cell of that name; its value is that of the last expression."""
        magic = cell_source.split_cell_magic(code)
        if magic is not None:
            name, line, body, body_line = magic
            return self.run_cell_magic(name, line, body, path=path, first_line=first_line + body_line - 1)
        lead = "\n" * (first_line - 1)
        source = lead + code
        tree, python = self._parse(source, path)
        linecache.cache[path] = (len(source), None, _lines(source), path)
        is_silent = _ends_with_semicolon(tree, python)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        parts = [compile(tree, path, "exec", _FLAGS, dont_inherit=True)]
        if last is not None:
            parts.append(compile(ast.Expression(last.value), path, "eval", _FLAGS, dont_inherit=True))
        value = self._run(parts)
        return None if is_silent else value

    def _run(self, parts):
        if any(part.co_flags & CO_COROUTINE for part in parts):
            return self.event_loop.run(self._run_async(parts))
        return [eval(part, self.namespace) for part in parts][-1]

    async def _run_async(self, parts):
        value = None
        for part in parts:
            value = eval(part, self.namespace)
            if part.co_flags & CO_COROUTINE:
                value = await value
        return value

    def run_line_magic(self, name, line):
        from coherex_session import magics

        return magics.run_line(self, name, line)

    def run_cell_magic(self, name, line, body, path=None, first_line=1):
        from coherex_session import magics

        return magics.run_cell(self, name, line, magics.Body(body, path or f"Cell {self.count}", first_line))

    def system(self, command):
        from coherex_session import commands

        self.namespace["_exit_code"] = commands.run(commands.expand(command, self.namespace))

    def getoutput(self, command):
        from coherex_session import commands

        return commands.read(commands.expand(command, self.namespace))

    def parse(self, source, path):
        """The tree of a text that may have magics in it."""
        return self._parse(source, path)[0]

    def _parse(self, source, path):
        """The tree, and the Python that it is of."""
        try:
            # nearly every cell is plain Python
            return _compile(source, path), source
        except SyntaxError as error:
            python = cell_source.to_python(source)
            if python == source:
                raise
            try:
                return _compile(python, path), python
            except SyntaxError as other:
                raise other from None
            finally:
                error.__traceback__ = None

    def _remember(self, value):
        if value is None:
            return
        self.outputs[self.count] = value
        names = self.namespace
        names["___"], names["__"], names["_"] = names.get("__"), names.get("_"), value
        names[f"_{self.count}"] = value


def _compile(source, path):
    try:
        return compile(source, path, "exec", _FLAGS | ast.PyCF_ONLY_AST, dont_inherit=True)
    except (ValueError, MemoryError, RecursionError) as error:
        # NUL bytes, lone surrogates and nesting beyond the parser's stack are mistakes in the text as well
        raise SyntaxError(f"cannot be parsed: {error or type(error).__name__}", (path, None, None, None)) from None


def _lines(source):
    """As the compiler counts them, each with an end: marks under a line are placed by it."""
    return io.StringIO(f"{source}\n", newline=None).readlines()


def _ends_with_semicolon(tree, source):
    if not tree.body:
        return False
    last = tree.body[-1]
    # the compiler counts bytes
    rest = _lines(source)[last.end_lineno - 1].encode("utf-8", "replace")[last.end_col_offset :]
    return rest.lstrip().startswith(b";")


def _exit_message(stop):
    code = exit_code.tell(stop)
    if code == 0:
        return {"type": "result"}
    return {"type": "error", "error": {"kind": "runtime", "message": f"Exited with code {code}", "exitCode": code}}


def _text_of(value):
    from coherex_session import plain

    return plain.to_text(value)
