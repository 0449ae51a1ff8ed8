"""What this run may use of its host: coherex.FILES, BASH, FETCH, VARS, ECHO, tools; and its input.

Methods block until the host has answered. Names are those of the documentation in snake_case, options are keyword
arguments: coherex.BASH.exec("ls", timeout_ms=1000).
"""

import os as _os
import re as _re
import threading as _threading

import channel as _channel
import display as _display
import shape as _shape
import wire as _wire

__all__ = ["CapabilityError", "display", "input"]

input = None
"""The input the run was started with."""

_granted: dict = {}
_calling = _threading.Lock()
_last_id = 0
_before_call = None
_exchange = None
_process = None
_is_asked = False


class CapabilityError(Exception):
    """A refusal of the host; code says which."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class _Capability:
    def __init__(self, name, methods):
        self._name = name
        self._methods = {_snake(method): method for method in methods}

    def __getattr__(self, name):
        method = self._methods.get(name)
        if method is None:
            raise AttributeError(f"{self._name} has no method {name!r}")

        def call(*args, **options):
            sent = [_wire.to_wire(arg) for arg in args]
            if options:
                sent.append({_camel(key): _wire.to_wire(item) for key, item in options.items()})
            return _call(self._name, method, sent)

        call.__name__ = name
        return call

    def __dir__(self):
        return sorted(self._methods)

    def __repr__(self):
        return f"<capability {self._name}: {', '.join(sorted(self._methods))}>"


class _Tools:
    """Tools of the team: tools.invoice(lines=[...]), tools.invoice({...}), tools["invoice@3"]({...}), tools.call("invoice@3", {...})."""

    def call(self, name, *given):
        return _call("TOOLS", "call", [name, *(_wire.to_wire(one) for one in given)])

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name):
        def call(*args, **fields):
            if len(args) > 1 or (args and fields):
                raise TypeError(f"{name}() takes its input, or the fields of it by name")
            return self.call(name, *args or [fields])

        call.__name__ = name
        return call

    def __repr__(self):
        return "<tools of the team>"


def display(*values, **options):
    """Shows values as rich output."""
    return _display.display(*values, **options)


def __getattr__(name):
    global _is_asked
    _is_asked = True
    if name in _granted:
        return _granted[name]
    if name == "tools" and "TOOLS" in _granted:
        return _Tools()
    if name.isupper() or name == "tools":
        raise CapabilityError("NOT_GRANTED", f"{name} was not granted to this run")
    raise AttributeError(f"module 'coherex' has no attribute {name!r}")


def _setup(capabilities, given_input, before_call, exchange=None):
    """`exchange` takes a request and returns its answer, where another thread reads what the host sends."""
    global input, _before_call, _exchange, _process
    input = given_input
    _before_call = before_call
    _exchange = exchange
    _process = _os.getpid()
    _granted.clear()
    _granted.update({name: _Capability(name, methods) for name, methods in capabilities.items()})


def _call(capability, method, args):
    global _last_id
    if _os.getpid() != _process:
        # the answer would be for whoever reads first
        raise CapabilityError("UNAVAILABLE", "a forked process cannot call its host: call from its parent, or use threads")
    try:
        _shape.check(args)
    except ValueError as refusal:
        raise CapabilityError("LIMIT_EXCEEDED", f"{capability}.{method}: the arguments {refusal}") from None
    if _before_call is not None:
        _before_call()
    with _calling:
        _last_id += 1
        request = {"type": "call", "id": _last_id, "capability": capability, "method": method, "args": args}
        # one call at a time: the thread that asks also reads the answer
        answer = _ask(request) if _exchange is None else None
    if answer is None:
        answer = _exchange(request)
    if "error" in answer:
        raise CapabilityError(answer["error"]["code"], answer["error"]["message"])
    return _wire.from_wire(answer.get("value"))


def _ask(request):
    _channel.send(request)
    while True:
        answer = _channel.receive()
        if answer is None:
            raise CapabilityError("CANCELLED", "the host is gone")
        if answer.get("type") == "answer" and answer.get("id") == request["id"]:
            return answer


def _snake(name):
    return _re.sub(r"(?<!^)([A-Z])", lambda found: "_" + found.group(1).lower(), name)


def _camel(name):
    return _re.sub(r"_([a-z])", lambda found: found.group(1).upper(), name)
