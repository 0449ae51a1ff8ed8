"""Makes the place a zygote lives in, starts it there, and then only keeps it: whoever of the two keepers dies takes it along.

Starts as root, because only root can give a user namespace a range of users; what it starts has rights in that namespace alone.
Descriptors: 2 for complaints, 3 the control connection, 4 the gate, 5 takes the pid of the namespace's first process.
"""

import json
import os
import signal
import socket
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import kernel
import tree

CONTROL, GATE, REPORT = 3, 4, 5
# where the zygote finds it
LISTENER = 4
NAMESPACES = kernel.NEWUSER | kernel.NEWPID | kernel.NEWNS | kernel.NEWNET | kernel.NEWIPC | kernel.NEWUTS


def main(spec):
    kernel.die_with_parent()
    # the host opens the gate once this process is in its control group, so that all of its children are too
    if not os.read(GATE, 1):
        return
    os.close(GATE)
    listener = listen(spec["socket"])
    kernel.unshare(kernel.NEWNS)
    kernel.mount(None, "/", None, kernel.PRIVATE | kernel.RECURSIVE)
    tree.build(spec)
    mapped, tell_mapped = os.pipe()
    first = kernel.clone(NAMESPACES)
    if first == 0:
        os.close(tell_mapped)
        if not os.read(mapped, 1):
            return
        keep(spec, listener)
    for kind, own, base in [("uid", spec["user"], spec["users"]), ("gid", spec["user"], spec["users"])]:
        with open(f"/proc/{first}/{kind}_map", "w") as file:
            file.write(f"0 {own} 1\n1 {base} {spec['count']}\n")
    os.write(REPORT, b'"child-pid": %d\n' % first)
    become_nobody(spec["user"])
    os.write(tell_mapped, b"!")
    stay()


def listen(path):
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # a guest can ask for its socket's address: it learns a name and no directory
    os.chdir(os.path.dirname(path))
    listener.bind(os.path.basename(path))
    listener.listen(1024)
    os.chdir("/")
    return listener.detach()


def become_nobody(user):
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    kernel.allow_no_new_privileges()
    # the change of user has forgotten it
    kernel.die_with_parent()


def keep(spec, listener):
    """First process of the zygote's namespaces: takes everything along when it ends."""
    os.setgroups([])
    os.setresgid(0, 0, 0)
    os.setresuid(0, 0, 0)
    kernel.die_with_parent()
    stage = spec["stage"]
    # mounts that came from the host cannot be moved; a copy of them can
    kernel.mount(stage, stage, None, kernel.BIND | kernel.RECURSIVE)
    kernel.mount("proc", f"{stage}/proc", "proc", kernel.NOSUID | kernel.NODEV | kernel.NOEXEC)
    kernel.mount("tmpfs", f"{stage}/tmp", "tmpfs", kernel.NOSUID | kernel.NODEV, "mode=0700,size=16m,nr_inodes=256")
    kernel.enter_root(stage)
    os.dup2(os.open("/dev/null", os.O_RDWR), 0)
    os.dup2(0, 1)
    zygote = os.fork()
    if zygote == 0:
        if listener != LISTENER:
            os.dup2(listener, LISTENER)
        for descriptor in (CONTROL, LISTENER):
            os.set_inheritable(descriptor, True)
        os.closerange(LISTENER + 1, kernel.NO_FILE)
        os.execve(spec["argv"][0], spec["argv"], spec["env"])
    kernel.drop_capabilities()
    kernel.allow_no_new_privileges()
    stay()


def stay():
    """Lives on as a program of a few pages; the host sees by the control connection when the zygote is gone, and ends this too."""
    nothing = os.open("/dev/null", os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.closerange(3, kernel.NO_FILE)
    # what nobody waits for must not stay as a zombie
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    # by a name of ours: whoever counts processes can tell it from one that a guest left
    os.execve("/usr/bin/sleep", ["coherex-keeper", "infinity"], {})


if __name__ == "__main__":
    try:
        main(json.loads(sys.argv[1]))
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        sys.stderr.flush()
    os._exit(1)
