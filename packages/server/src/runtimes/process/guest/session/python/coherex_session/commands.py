"""Commands of the shell in a cell: !command, lines = !command, %%bash."""

import os
import re
import signal
import subprocess

GRACE_SECONDS = 1.0
_PLACE = re.compile(r"\$\$|\$(?P<name>[A-Za-z_]\w*)|\{\{|\}\}|\{(?P<expression>[^{}\n]+)\}")


class Lines(list):
    """Lines of a command's output; .s and .n are the text with spaces and with line breaks between."""

    @property
    def l(self):
        return list(self)

    @property
    def n(self):
        return "\n".join(self)

    @property
    def s(self):
        return " ".join(self)


def expand(command, namespace):
    """$name and {expression} are Python's where Python knows them, and the shell's where not."""

    def value_of(found):
        text, name, expression = found.group(), found.group("name"), found.group("expression")
        if text == "$$":
            return "$"
        if name is not None:
            return str(namespace[name]) if name in namespace else text
        if expression is None:
            return text
        try:
            return str(eval(expression, namespace))
        except Exception:  # not Python: a brace of the shell's own
            return text

    return _PLACE.sub(value_of, command)


def run(command, program=("/bin/bash", "-c"), text=None):
    """The exit code. Output goes where the cell's goes."""
    stdin = subprocess.PIPE if text is not None else None
    with subprocess.Popen([*program, *([command] if command is not None else [])], stdin=stdin, process_group=0) as child:
        return _finish(child, lambda: child.communicate(text.encode("utf-8", "replace") if text is not None else None))


def read(command):
    with subprocess.Popen(["/bin/bash", "-c", command], stdout=subprocess.PIPE, process_group=0) as child:
        data = b""

        def wait():
            nonlocal data
            data, _ = child.communicate()

        _finish(child, wait)
    return Lines(data.decode("utf-8", "replace").splitlines())


def _finish(child, wait):
    try:
        wait()
    except BaseException:
        # an interrupt is the command's first, then ours
        _kill(child, signal.SIGINT)
        try:
            child.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        _kill(child, signal.SIGKILL)
        raise
    return child.returncode


def _kill(child, number):
    try:
        os.killpg(child.pid, number)
    except ProcessLookupError:
        pass
