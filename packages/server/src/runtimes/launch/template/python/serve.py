"""The template: loads what programs will import, then forks a guest for every order. No guest's code ever runs in here.

Descriptors: 3 the control connection to the host, 4 takes the connection of each guest, which begins with its order.
"""

import gc
import importlib
import json
import os
import select
import socket
import sys

# a driver may have arguments of its own
SPEC = json.loads(sys.argv.pop())
sys.path.insert(0, SPEC["driver"])

import driver

usual = set(sys.modules)
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import enter
import kernel

# of a guest, its own connection: 3 is where it hears from the host and tells it, as here
CONTROL, LISTENER = 3, 4
NAMESPACES = kernel.NEWPID | kernel.NEWNS | kernel.NEWNET | kernel.NEWIPC | kernel.NEWUTS


def main(spec):
    for name in spec["modules"]:
        importlib.import_module(name)
    leave_no_trace()
    with open(spec["filter"], "rb") as file:
        enter.seccomp_filter = file.read()
    # what loading left behind is for nobody
    kernel.unmount("/tmp")
    gc.collect()
    # a collection in a guest would else touch, and so copy, every object there is
    gc.freeze()
    kernel.collapse_heap()
    tell({"type": "ready"})
    serve(spec)


def leave_no_trace():
    """A program finds the modules that it would find without a template."""
    del sys.path[0]
    # the driver has put it there too
    sys.path.remove(SPEC["driver"])
    for own in ("enter", "kernel", "warm_data"):
        sys.modules.pop(own, None)
    preloaded = sys.modules.get("preloaded")
    # a driver that runs no program in its own interpreter has none to hide it from
    if preloaded is not None:
        preloaded.names = set(sys.modules) - usual


def serve(spec):
    guests = {}
    poll = select.poll()
    poll.register(CONTROL, select.POLLIN)
    poll.register(LISTENER, select.POLLIN)
    listener = socket.socket(fileno=LISTENER)
    is_retired = False
    while guests or not is_retired:
        for descriptor, _ in poll.poll():
            if descriptor == CONTROL:
                # the host says one thing only: no more guests; its end is the end of all
                if not os.read(CONTROL, 1):
                    return
                is_retired = True
                poll.unregister(LISTENER)
                listener.close()
            elif descriptor == LISTENER:
                accept(listener, guests, poll, spec)
            else:
                poll.unregister(descriptor)
                reap(descriptor, guests.pop(descriptor))


def accept(listener, guests, poll, spec):
    channel = listener.accept()[0].detach()
    order = read_order(channel)
    if order is None:
        return os.close(channel)
    try:
        pid = kernel.clone(NAMESPACES)
    except OSError as error:
        tell({"type": "failed", "id": order["id"], "reason": str(error)})
        return os.close(channel)
    if pid == 0:
        listener.detach()
        be_guest(order, channel, spec)
    os.close(channel)
    pidfd = os.pidfd_open(pid)
    guests[pidfd] = order["id"]
    poll.register(pidfd, select.POLLIN)
    tell({"type": "forked", "id": order["id"], "pid": pid})


def be_guest(order, channel, spec):
    try:
        enter.become_guest(order, channel, spec["home"])
        driver.main()
        os._exit(0)
    except Exception as error:
        # the host waits for the driver's first word, and gets this one
        tell({"type": "error", "error": {"kind": "validation", "message": f"{type(error).__name__}: {error}"}})
    finally:
        os._exit(1)


def reap(pidfd, id):
    ended = os.waitid(os.P_PIDFD, pidfd, os.WEXITED)
    os.close(pidfd)
    how = "code" if ended.si_code == os.CLD_EXITED else "signal"
    tell({"type": "exit", "id": id, how: ended.si_status})


def read_order(channel):
    header = read(channel, 4)
    body = header and read(channel, int.from_bytes(header, "big"))
    return json.loads(body) if body else None


def read(descriptor, size):
    data = b""
    while len(data) < size:
        piece = os.read(descriptor, size - len(data))
        if not piece:
            return None
        data += piece
    return data


def tell(message):
    body = json.dumps(message).encode()
    view = memoryview(len(body).to_bytes(4, "big") + body)
    while view:
        view = view[os.write(CONTROL, view) :]


if __name__ == "__main__":
    main(SPEC)
