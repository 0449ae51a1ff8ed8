"""The life of a Python session: set up, then cells and questions about variables until the host is gone."""

import builtins
import gc
import os
import sys

import after_import
import channel
import coherex
import display
import environment
import shape
import wire
from coherex_session import complaints, completions, imports, sets, variables
from coherex_session.event_loop import EventLoop
from coherex_session.interrupts import Interrupts, ShieldedLock
from coherex_session.link import Link
from coherex_session.session_input import SessionInput
from coherex_session.session_output import SessionOutput
from coherex_session.shell import Shell

PACKAGES = ("/opt/template", "/opt/packages")


def main(loaded_ahead=None):
    with complaints.told():
        session = Session(loaded_ahead)
        gc.collect()
        gc.freeze()
        channel.send({"type": "ready"})
        session.serve()


class Session:
    def __init__(self, loaded_ahead):
        self._home = os.getcwd()
        self._interrupts = Interrupts()
        self._interrupts.install()
        self._link = Link(ShieldedLock(self._interrupts))
        self._output = SessionOutput(self._interrupts)
        self._input = SessionInput(self._link, self._output)
        self._event_loop = EventLoop(self._interrupts)
        self._shell = Shell(self._event_loop, self._home)
        self._process = os.getpid()
        self._output.capture()
        self._output.replace_streams()
        display.install(self._output)
        sys.stdin = sys.__stdin__ = self._input
        builtins.display = display.display
        builtins.input = self._input.input
        changes = {"asyncio.tasks": self._event_loop.extend, "getpass": self._replace_getpass, **display.CHANGES}
        after_import.hook(changes)
        if loaded_ahead is not None:
            loaded_ahead.offer(changes)
        sys.path[:0] = [""]
        imports.offer(*PACKAGES, imports.user_packages(self._home))
        sys.meta_path.append(sets.LateFinder)
        self._link.start()

    def serve(self):
        while True:
            if self._event_loop.has_tasks():
                self._event_loop.run_until_message(self._link)
            message = self._link.next()
            kind = message["type"]
            if kind == "begin":
                environment.take(message["env"])
                sys.path[1:1] = environment.module_places()
            elif kind == "cell":
                self._run_cell(message)
            elif kind == "variables":
                self._answer(message, {"items": []}, lambda: {"items": variables.list_all(self._shell.namespace)})
            elif kind == "variable":
                self._answer(message, {}, lambda: variables.describe(self._shell.namespace, message))
            elif kind == "complete":
                nothing = {"prefix": "", "items": []}
                self._answer(message, nothing, lambda: completions.find(self._shell.namespace, message["code"]))

    def _run_cell(self, cell):
        id = cell["id"]
        self._link.send({"type": "started", "id": id})
        sets.refresh()
        self._interrupts.install()
        self._input.begin(id, cell.get("stdin") or "", cell["isInteractive"])
        coherex._setup(cell["capabilities"], wire.from_wire(cell.get("input")), self._output.flush, self._call)
        self._output.begin(cell["outputBytes"])
        try:
            with self._interrupts.allowed():
                verdict = self._shell.run_cell(cell["code"])
        except KeyboardInterrupt:
            # came while the outcome was being told
            verdict = {"type": "error", "error": {"kind": "runtime", "message": "KeyboardInterrupt"}, "interrupted": True}
        except BaseException as error:  # telling it ran code of the guest, such as the __str__ of what it raised
            message = f"{type(error).__name__} while the outcome was being told"
            verdict = {"type": "error", "error": {"kind": "runtime", "message": message}}
        if os.getpid() != self._process:
            self._end_child(verdict)
        was_cut = self._output.end()
        self._send_verdict({**verdict, "id": id})
        self._link.send({"type": "cell-done", "id": id, "truncated": was_cut})

    def _send_verdict(self, verdict):
        try:
            shape.check(verdict.get("value"))
            self._link.send(verdict)
        except (ValueError, RecursionError):
            message = "The result is too large to hand back: write it to a file"
            self._link.send({"type": "error", "id": verdict["id"], "error": {"kind": "output", "message": message}})

    def _end_child(self, verdict):
        # a forked child ran the rest of the cell as well, and the session is its parent's
        failure = verdict.get("error")
        if failure is not None:
            sys.stderr.write(failure.get("stack", failure["message"]) + "\n")
        self._output.flush()
        os._exit(0 if failure is None else 1)

    def _answer(self, message, nothing, describe):
        answer = nothing
        try:
            with self._interrupts.allowed(variables.TooSlow):
                answer = describe()
        except variables.TooSlow:
            pass
        try:
            self._link.send({"type": message["type"], "id": message["id"], **answer})
        except ValueError:
            # a page of many long cells
            short = {name: field for name, field in answer["variable"].items() if name != "table"}
            self._link.send({"type": message["type"], "id": message["id"], "variable": short})

    def _call(self, request):
        return self._link.ask("answer", request)

    def _replace_getpass(self, module):
        module.getpass = self._input.getpass
