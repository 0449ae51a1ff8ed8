"""The zygote: loads what programs will import, then forks a guest for every order. No guest's code ever runs in here.

Descriptors: 3 the control connection to the host, 4 takes the connection of each guest, which begins with its order.
"""

import gc
import importlib
import json
import os
import select
import signal
import socket
import sys

# a driver may have arguments of its own
SPEC = json.loads(sys.argv.pop())
sys.path.insert(0, SPEC["driver"])

import driver

usual = set(sys.modules)
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import denials
import enter
import first
import kernel

# of a guest, its own connection: 3 is where it hears from the host and tells it, as here
CONTROL, LISTENER = 3, 4
NAMESPACES = kernel.NEWNS | kernel.NEWNET | kernel.NEWIPC | kernel.NEWUTS


def main(spec):
    with open(spec["filter"], "rb") as file:
        enter.seccomp_filter = file.read()
    with open(spec["heardFilter"], "rb") as file:
        enter.heard_filter = file.read()
    # before anything is loaded that makes a copy of this process large
    maker = None if spec["isFirst"] else first.Maker(enter.seccomp_filter)
    for name in spec["modules"]:
        importlib.import_module(name)
    enter.find_numpy_state()
    leave_no_trace()
    # what loading left behind is for nobody
    kernel.unmount("/tmp")
    gc.collect()
    # a collection in a guest would else touch, and so copy, every object there is
    gc.freeze()
    kernel.collapse_heap()
    serve(spec, maker)
    if maker is not None:
        maker.close()


def leave_no_trace():
    """A program finds the modules that it would find without a zygote."""
    del sys.path[0]
    # the driver has put it there too
    sys.path.remove(SPEC["driver"])
    for own in ("denials", "enter", "first", "kernel", "warm_data"):
        sys.modules.pop(own, None)
    preloaded = sys.modules.get("preloaded")
    # a driver that runs no program in its own interpreter has none to hide it from
    if preloaded is not None:
        preloaded.keep(set(sys.modules) - usual)


def serve(spec, maker):
    guests, links = {}, {}
    poll = select.poll()
    poll.register(CONTROL, select.POLLIN)
    poll.register(LISTENER, select.POLLIN)
    denied = denials.Denials(poll)
    listener = socket.socket(fileno=LISTENER)
    is_retired = False
    tell({"type": "ready"})
    while guests or not is_retired:
        # told in the order of registration: what opens descriptors comes before what closes them, so none is taken for another
        for descriptor, event in poll.poll():
            if descriptor == CONTROL:
                # the host says one thing only: no more guests; its end is the end of all
                if not os.read(CONTROL, 1):
                    return
                is_retired = True
                poll.unregister(LISTENER)
                listener.close()
            elif descriptor == LISTENER:
                # an order may come in the same moment as the retirement: it is refused by the end of its connection
                if not is_retired:
                    accept(listener, guests, links, poll, spec, maker, denied)
            elif descriptor == denied.arrivals:
                denied.arrive({id for id, _ in guests.values()})
            elif descriptor in guests:
                poll.unregister(descriptor)
                id, first_pidfd = guests.pop(descriptor)
                reap(descriptor, id, first_pidfd)
                denied.forget(id)
            elif denied.hears(descriptor):
                denied.answer(descriptor, event, tell)


def accept(listener, guests, links, poll, spec, maker, denied):
    channel = listener.accept()[0].detach()
    order = read_order(channel)
    if order is None:
        return os.close(channel)
    if "linkOf" in order:
        links[order["linkOf"]] = channel
        return
    link = links.pop(order["id"]) if order["hasLink"] else None
    pid = -1
    try:
        pid, first_pid, first_pidfd = clone_guest(order, maker)
    except OSError as error:
        tell({"type": "failed", "id": order["id"], "reason": str(error)})
    if pid == 0:
        listener.detach()
        be_guest(order, channel, link, denied.sender, spec)
    os.close(channel)
    if link is not None:
        os.close(link)
    if pid < 0:
        return
    pidfd = os.pidfd_open(pid)
    guests[pidfd] = (order["id"], first_pidfd)
    poll.register(pidfd, select.POLLIN)
    tell({"type": "forked", "id": order["id"], "pid": pid, "first": first_pid})


def clone_guest(order, maker):
    """Its pid, and pid and pidfd of the first process of its namespaces: a small one, or itself."""
    if maker is None:
        pid = kernel.clone(NAMESPACES | kernel.NEWPID)
        return pid, pid, None
    first_pid = maker.make(order["user"])
    first_pidfd = os.pidfd_open(first_pid)
    try:
        return maker.clone_behind(first_pidfd, NAMESPACES), first_pid, first_pidfd
    except OSError:
        end(first_pidfd)
        raise


def be_guest(order, channel, link, sender, spec):
    try:
        enter.become_guest(order, channel, link, sender, spec["home"])
        driver.main()
        os._exit(0)
    except Exception as error:
        # the host waits for the driver's first word, and gets this one
        tell({"type": "error", "error": {"kind": "validation", "message": f"{type(error).__name__}: {error}"}})
    finally:
        os._exit(1)


def reap(pidfd, id, first_pidfd):
    ended = os.waitid(os.P_PIDFD, pidfd, os.WEXITED)
    os.close(pidfd)
    if first_pidfd is not None:
        end(first_pidfd)
    how = "code" if ended.si_code == os.CLD_EXITED else "signal"
    tell({"type": "exit", "id": id, how: ended.si_status})


def end(first_pidfd):
    """Ends the first process of a namespace; when that is done, nobody is left there."""
    try:
        signal.pidfd_send_signal(first_pidfd, signal.SIGKILL)
    except ProcessLookupError:
        pass
    os.waitid(os.P_PIDFD, first_pidfd, os.WEXITED)
    os.close(first_pidfd)


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
