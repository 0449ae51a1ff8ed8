"""First process of a sandbox: waits, warm, for the one program it will ever run."""

import base64
import gc
import json
import os
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import ahead
import channel
import children
import coherex
import commands
import confine
import display
import environment
import files as files_module
import leave
import output as output_module
import preloaded
import program as python_program
import sets
import shape
import wire

PACKAGES = "/opt/packages"

preloaded.keep(sys.modules)


def main():
    # a subprocess of the program has no business on the channel
    os.set_inheritable(channel.DESCRIPTOR, False)
    home = os.getcwd()
    files = files_module.Files(home)
    failure = None
    if len(sys.argv) > 1:
        # the process of a language whose program is yet to come
        commands.start_ahead(json.loads(sys.argv[1]), home)
    gc.collect()
    gc.freeze()
    channel.send({"type": "ready"})
    while True:
        body = channel.receive_encoded()
        if body is None:
            return
        message = json.loads(body)
        if message["type"] == "file":
            try:
                files.write(message["path"], base64.b64decode(message["base64"]), message["last"])
            except (OSError, ValueError) as error:
                failure = failure or error
        elif message["type"] == "load":
            load(message, home)
        elif message["type"] == "start":
            run(message["program"], body, files, home, failure)
            # the host ends the sandbox; nothing of the program may run on meanwhile
            signal.pause()


def load(message, home):
    """Of a program that is yet to come."""
    try:
        sets.load(message.get("set"), message["modules"])
        if "module" in message:
            ahead.load(message["module"], home)
    except BaseException as error:  # whatever a package raises as it is loaded: its program is to be told
        refusal = f"It cannot be loaded ahead: {type(error).__name__}: {error}"[:1000]
        channel.send({"type": "error", "error": {"kind": "validation", "message": refusal}})
        return
    gc.freeze()
    channel.send({"type": "ready"})


def run(program, body, files, home, failure):
    output = output_module.Output(program["outputBytes"])
    code = 1
    try:
        if failure is not None:
            raise failure
        files.write(program["entry"], code_of(program), True)
        if program["hasNetwork"]:
            # few runs need it, and it takes as long to load as all the rest
            import network

            network.open_way_out()
        prepare(program, output)
        missing = missing_packages(program)
        if missing:
            verdict = {"type": "error", "error": {"kind": "validation", "message": missing}}
        else:
            channel.send({"type": "started"})
            verdict, code = run_language(program, body, output, home)
            if output.in_child:
                end_child(verdict, code, output)
            leave.end_helpers()
    except (OSError, ValueError) as error:
        # an OSError names the path inside; the author knows it without the home in front
        reason = str(error).replace(f"{home}/", "")
        verdict = {"type": "error", "error": {"kind": "validation", "message": f"The program could not be set up: {reason}"}}
    output.flush()
    send_verdict(verdict)
    left_out = 0
    if not program["readOnly"]:
        bounds = program["filesOut"]
        left_out = files.hand_back(program.get("keep"), bounds["maxBytes"], bounds["maxFiles"])
    channel.send({"type": "done", "exitCode": code, "truncated": output.truncated, "filesLeftOut": left_out})


def end_child(verdict, code, output):
    """A forked child came to the end of the program as well: how it went is for its parent to know."""
    if "stack" in verdict.get("error", {}):
        output.write_raw(2, verdict["error"]["stack"].encode("utf-8", "replace"))
    output.flush()
    os._exit(code)


def code_of(program):
    if program.get("command", {}).get("isBinary"):
        return base64.b64decode(program["code"])
    return program["code"].encode("utf-8", "replace")


def prepare(program, output):
    stdin = os.memfd_create("stdin")
    data = program.get("stdin", "").encode("utf-8", "replace")
    while data:
        data = data[os.write(stdin, data) :]
    os.lseek(stdin, 0, os.SEEK_SET)
    os.dup2(stdin, 0, inheritable=True)
    os.close(stdin)
    environment.take(program["env"])
    sets.offer(program.get("set"))
    confine.lower_limits(program["openFiles"], program["cpuSeconds"])
    if program["readOnly"]:
        confine.forbid_writing(["/tmp", "/dev"])
    output.capture()


def run_language(program, body, output, home):
    language = program["language"]
    if language == "python":
        coherex._setup(program["capabilities"], wire.from_wire(program.get("input")), output.flush)
        output.replace_streams()
        display.install(output)
        if os.path.isdir(PACKAGES):
            sys.path.append(PACKAGES)
        return python_program.run(program["code"], program["entry"], home, program.get("args", []))
    environment = dict(os.environ)
    if "command" in program:
        return commands.run_command(program, body, home, output, environment)
    if language == "bash":
        return commands.run_bash(program, home, output, environment)
    return children.run_node(program, body, home, output, environment, program["nodeCommand"])


def missing_packages(program):
    if program["language"] != "python" or not program["packages"]:
        return None
    import importlib.metadata

    sys.path.append(PACKAGES)
    for name in program["packages"]:
        try:
            importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return f'Package "{name}" is not available here'
    sys.path.remove(PACKAGES)
    return None


def send_verdict(verdict):
    try:
        shape.check(verdict.get("value"))
        channel.send(verdict)
    except ValueError:
        message = "The result is too large to hand back: write it to a file"
        channel.send({"type": "error", "error": {"kind": "output", "message": message}})


if __name__ == "__main__":
    main()
