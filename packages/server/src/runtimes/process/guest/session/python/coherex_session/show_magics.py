"""Magics that show: variables, history, help, and the rich kinds of cells."""

# loaded when it is asked for: by then a module of the guest may have the name of ours
from coherex import _display as display
from coherex_session import variables
from coherex_session.magic_error import MagicError

MAX_HISTORY = 1000


def who_ls(shell, line=""):
    kinds = line.split()
    names = (name for name, value in shell.namespace.items() if variables.is_variable(name, value))
    return sorted(name for name in names if not kinds or type(shell.namespace[name]).__name__ in kinds)


def who(shell, line):
    print("   ".join(who_ls(shell, line)) or "There are no variables.")


def whos(shell, line):
    wanted = set(who_ls(shell, line))
    rows = [(one["name"], one["type"], one["value"]) for one in variables.list_all(shell.namespace) if one["name"] in wanted]
    if not rows:
        print("There are no variables.")
        return
    widths = [max(len(row[at]) for row in [("Variable", "Type"), *rows]) for at in (0, 1)]
    for name, kind, value in [("Variable", "Type", "Value"), *rows]:
        print(f"{name:<{widths[0]}}   {kind:<{widths[1]}}   {value}")


def reset(shell, line):
    """Asks nobody: a session has no terminal to ask on."""
    shell.clear()


def history(shell, line):
    for number, code in list(enumerate(shell.inputs))[1:][-MAX_HISTORY:]:
        print(f"{number}: {code}")


def matplotlib(shell, line):
    if line.strip() not in ("", "inline", "agg"):
        raise MagicError(f"%matplotlib {line} is refused: there is no screen here; figures are shown as images")


def pinfo(shell, line):
    _help(shell, line, with_source=False)


def pinfo2(shell, line):
    _help(shell, line, with_source=True)


def show(mime):
    def magic(shell, line, body):
        display.display({mime: body.text}, raw=True)

    return magic


def list_magics(line, cell):
    print(" ".join(f"%{name}" for name in sorted(line)))
    print(" ".join(f"%%{name}" for name in sorted(cell)))


def _help(shell, name, with_source):
    import inspect

    try:
        value = eval(name.lstrip("%"), shell.namespace)
    except Exception:
        raise MagicError(f"There is nothing named {name} to tell about") from None
    facts = {"Type": type(value).__name__}
    try:
        facts["Signature"] = f"{name}{inspect.signature(value)}"
    except (TypeError, ValueError):
        facts["Value"] = variables.brief(value)
    if with_source:
        try:
            facts["Source"] = "\n" + inspect.getsource(value)
        except (TypeError, OSError):
            pass
    documentation = inspect.getdoc(value)
    if documentation:
        facts["Docstring"] = "\n" + documentation
    text = "\n".join(f"{label}: {fact}" for label, fact in facts.items())
    display.display({"text/plain": text[:100_000]}, raw=True)
