"""Runs a program of Bash, or of a language that the driver knows only by its command: compiled first where it must be."""

import json
import os
import re
import resource
import socket
import stat
import subprocess

import children

BUILD = "/tmp/.coherex-build"
RESULT = f"{BUILD}/result.json"
INPUT = f"{BUILD}/input.json"
MAX_RESULT_BYTES = 8 * 1024 * 1024
# one variable may be no longer than 128 kB; longer inputs are in the file alone
MAX_VARIABLE_BYTES = 100_000
# a compiler that complains for ever is not kept for ever
MAX_COMPLAINT = 200_000

_ahead = None


def run_command(program, body, home, output, environment):
    command = program["command"]
    entry = program["entry"]
    os.makedirs(BUILD, exist_ok=True)
    environment = {**environment, **_input_variables(program), "COHEREX_RESULT": RESULT, **command["env"]}
    filled = {"{entry}": children.as_argument(entry), "{built}": f"{BUILD}/program"}
    if "compile" in command:
        failure = _compile(command, filled, home, output, environment, entry)
        if failure is not None:
            return failure
    argv = [*_fill(command["run"], filled), *program.get("args", [])]
    relay = children.Relay(output)
    relay.listen()
    environment["COHEREX_SOCKET"] = children.SOCKET
    code = _run(argv, program, body, home, relay, environment)
    output.flush()
    if relay.verdict is not None and (code == 0 or relay.verdict["type"] == "error"):
        return relay.verdict, children.exit_code(code)
    if code != 0:
        found = find_place(command["errors"]["run"], entry, output.stderr_tail.replace(f"{home}/", ""))
        return {"type": "error", "error": _describe(code, found, command["errors"])}, children.exit_code(code)
    return _read_result(), 0


def run_bash(program, home, output, environment):
    os.makedirs(BUILD, exist_ok=True)
    relay = children.Relay(output)
    relay.listen()
    own = {"COHEREX_RESULT": RESULT, "COHEREX_SOCKET": children.SOCKET}
    argv = ["/bin/bash", children.as_argument(program["entry"]), *program.get("args", [])]
    child = subprocess.Popen(argv, cwd=home, env={**environment, **_input_variables(program), **own})
    relay.run_until_exit(os.pidfd_open(child.pid))
    code = child.wait()
    output.flush()
    if code == 0:
        return _read_result(), 0
    error = _describe_shell(code, program["entry"], output.stderr_tail)
    return {"type": "error", "error": error}, children.exit_code(code)


def start_ahead(command, home):
    """Starts the process of a language before there is a program for it, and waits until it is ready."""
    global _ahead
    _ahead = _start(command["run"], command["channel"], home, {**os.environ, **command["env"]})
    client = _ahead[1]
    client.recv(int.from_bytes(client.recv(4), "big"))


def _start(argv, channel, home, environment):
    client, theirs = open_channel(channel)
    if theirs:
        environment["COHEREX_FD"] = ",".join(str(descriptor) for descriptor in theirs)
    child = subprocess.Popen(argv, cwd=home, env=environment, pass_fds=theirs)
    for descriptor in theirs:
        os.close(descriptor)
    return child, client


def _run(argv, program, body, home, relay, environment):
    if _ahead is None:
        child, client = _start(argv, program["command"]["channel"], home, environment)
    else:
        child, client = _ahead
        # it has the limits of the sandbox, not those of the run, which the driver took on since
        for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_CPU):
            resource.prlimit(child.pid, limit, resource.getrlimit(limit))
    if client is not None:
        relay.add(client)
        relay.send_start(client, body)
    relay.run_until_exit(os.pidfd_open(child.pid))
    return child.wait()


def open_channel(kind):
    """Our end, and the descriptors that are the child's."""
    if kind == "socket":
        ours, theirs = socket.socketpair()
        return ours, [theirs.detach()]
    if kind == "pipes":
        read_ours, write_theirs = os.pipe()
        read_theirs, write_ours = os.pipe()
        return Pipes(read_ours, write_ours), [read_theirs, write_theirs]
    return None, []


class Pipes:
    """Two pipes with the manners of a socket, for languages that can open files and nothing else."""

    def __init__(self, reader, writer):
        self._reader = reader
        self._writer = writer

    def fileno(self):
        return self._reader

    def recv(self, size):
        return os.read(self._reader, size)

    def sendall(self, data):
        view = memoryview(data)
        while view:
            view = view[os.write(self._writer, view) :]

    def setblocking(self, flag):
        os.set_blocking(self._reader, flag)

    def close(self):
        os.close(self._reader)
        os.close(self._writer)


def _compile(command, filled, home, output, environment, entry):
    argv = _fill(command["compile"], filled)
    with subprocess.Popen(
        argv, cwd=home, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as compiler:
        said = compiler.stdout.read(MAX_COMPLAINT)
        while compiler.stdout.read(1 << 16):
            pass
    text = said.decode("utf-8", "replace").replace(f"{home}/", "")
    output.write("stderr", text)
    if compiler.returncode == 0:
        return None
    found = find_place(command["errors"]["compile"], entry, text)
    message = found.pop("message", f"The compiler {children.exit_text(compiler.returncode).lower()}")
    kind = "syntax" if compiler.returncode > 0 else "runtime"
    return {"type": "error", "error": {"kind": kind, "message": message, **found}}, children.exit_code(compiler.returncode)


def find_place(patterns, entry, text):
    """The message, line and column that the first patterns find; what no pattern finds is left out."""
    found = {}
    for pattern in patterns:
        match = re.search(pattern.replace("{entry}", re.escape(entry)), text, re.MULTILINE)
        if match is None:
            continue
        for name, value in match.groupdict().items():
            if value is not None and name not in found:
                found[name] = value.strip()[:4000] if name == "message" else int(value)
    return found


def _describe(code, found, errors):
    message = found.pop("message", None)
    if code < 0 or message is None:
        return {"kind": "runtime", "message": children.exit_text(code), **found}
    is_syntax = "syntax" in errors and re.search(errors["syntax"], message) is not None
    return {"kind": "syntax" if is_syntax else "runtime", "message": message, **found}


def _describe_shell(code, entry, stderr):
    found = re.findall(rf"^{re.escape(entry)}: line (\d+): (.*)$", stderr, re.MULTILINE)
    is_syntax = code == 2 and any("syntax error" in text or "unexpected" in text for _, text in found)
    described = {"kind": "syntax" if is_syntax else "runtime", "message": children.exit_text(code)}
    # with a code that is never the shell's own, the program chose its end, and not for what the shell complained of before
    if found and code in (1, 2, 126, 127):
        line, text = found[0] if is_syntax else found[-1]
        described["line"] = int(line)
        if is_syntax:
            described["message"] = text
    return described


def _fill(argv, filled):
    return [filled.get(part, part) for part in argv]


def _input_variables(program):
    if "input" not in program:
        return {}
    text = json.dumps(program["input"], ensure_ascii=False)
    with open(INPUT, "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
    variables = {"COHEREX_INPUT_FILE": INPUT}
    if len(text.encode("utf-8", "replace")) <= MAX_VARIABLE_BYTES:
        variables["COHEREX_INPUT"] = text
    return variables


def _read_result():
    """What the program wrote to $COHEREX_RESULT. It may have put anything there."""
    try:
        descriptor = os.open(RESULT, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return {"type": "result"}
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return {"type": "result"}
        data = file.read(MAX_RESULT_BYTES + 1)
    if len(data) > MAX_RESULT_BYTES:
        message = "The result is too large to hand back: write it to a file"
        return {"type": "error", "error": {"kind": "output", "message": message}}
    try:
        return {"type": "result", "value": json.loads(data, parse_constant=lambda _: None)}
    except (ValueError, RecursionError):
        message = "What the program wrote to $COHEREX_RESULT is not JSON"
        return {"type": "error", "error": {"kind": "runtime", "message": message}}
