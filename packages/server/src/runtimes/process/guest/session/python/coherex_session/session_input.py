"""Standard input of a cell: the text it was given, then whoever sits in front of it, then the end."""

import io
import os

NEWLINE = b"\n"


class SessionInput(io.TextIOBase):
    """sys.stdin. The text is a file behind descriptor 0, so that subprocesses go on where Python stopped reading."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, link, output):
        self._link = link
        self._output = output
        self._cell = 0
        self._is_interactive = False
        self._file = os.memfd_create("stdin")
        self.name = "<stdin>"
        self.mode = "r"

    def begin(self, cell, text, is_interactive):
        self._cell = cell
        self._is_interactive = is_interactive
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)
        self._append(text)
        os.dup2(self._file, 0, inheritable=True)

    def input(self, prompt=""):
        """The builtin."""
        return self._ask_line(str(prompt), False)

    def getpass(self, prompt="Password: ", stream=None):
        return self._ask_line(str(prompt), True)

    def readline(self, size=-1):
        line = self._take_line() or self._ask("", False) or ""
        if 0 <= size < len(line):
            self._give_back(line[size:])
            return line[:size]
        return line

    def read(self, size=-1):
        if size is not None and size >= 0:
            return self.readline(size)
        text = ""
        while line := self.readline():
            text += line
        return text

    def fileno(self):
        return 0

    def readable(self):
        return True

    def isatty(self):
        return False

    def _ask_line(self, prompt, is_secret):
        line = self._take_line()
        if not line:
            line = self._ask(prompt, is_secret)
        elif not is_secret:
            self._output.write("stdout", prompt)
        if not line:
            raise EOFError("EOF when reading a line")
        return line.removesuffix("\n")

    def _ask(self, prompt, is_secret):
        if not self._is_interactive:
            self._output.write("stdout", prompt)
            return None
        self._output.flush()
        request = {"type": "stdin-request", "id": self._cell, "prompt": prompt, "secret": is_secret}
        text = self._link.ask("stdin", request).get("text")
        if text is None:
            return None
        self._append(text if text.endswith("\n") else f"{text}\n")
        return self._take_line()

    def _append(self, text):
        data = text.encode("utf-8", "replace")
        at = os.fstat(self._file).st_size
        while data:
            written = os.pwrite(self._file, data, at)
            data, at = data[written:], at + written

    def _take_line(self):
        start = os.lseek(self._file, 0, os.SEEK_CUR)
        line = b""
        while piece := os.read(self._file, 65536):
            line += piece
            if NEWLINE in piece:
                break
        line = line[: line.find(NEWLINE) + 1] if NEWLINE in line else line
        os.lseek(self._file, start + len(line), os.SEEK_SET)
        return line.decode("utf-8", "replace")

    def _give_back(self, text):
        os.lseek(self._file, -len(text.encode("utf-8", "replace")), os.SEEK_CUR)
