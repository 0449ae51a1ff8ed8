"""What a fork of the zygote does to itself before it may be a guest. The order matters: each step needs rights a later one gives up."""

import ctypes
import fcntl
import os
import resource
import socket
import struct
import sys

import denials
import kernel

CHANNEL, SENDER = 3, 4
GUEST = 1000
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1

# what a plain user may read of the kernel and has no use for, where there is such a file
HIDDEN = [name for name in ("cmdline", "kallsyms", "keys", "key-users") if os.path.exists(f"/proc/{name}")]

_TWISTER = 624 * 4

# for a guest whose denied calls are heard of; else the kernel refuses by itself
heard_filter = b""
seccomp_filter = b""
_numpy_state = None


def become_guest(order, channel, link, sender, home):
    # a signal to the process group must not reach the zygote
    os.setsid()
    keep_only(channel, link, sender)
    # the host opens the gate once this process is in its control group
    if os.read(CHANNEL, 1) != b"!":
        os._exit(1)
    kernel.unshare(kernel.NEWCGROUP)
    ids = mount_own(order, home)
    socket.sethostname("sandbox")
    raise_loopback()
    set_limits(order["limits"])
    give_up_rights(order["user"], ids)
    filter_system_calls(order["id"])
    os.chdir(home)
    reseed()


def keep_only(channel, link, sender):
    nothing = os.open("/dev/null", os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    if link is not None:
        os.dup2(link, 0)
    # the zygote's own are at these numbers, so that none of its guests' is
    os.dup2(channel, CHANNEL)
    os.dup2(sender, SENDER)
    os.closerange(SENDER + 1, kernel.NO_FILE)


def mount_own(order, home):
    """Its own disk and /proc. Returns the directory its id maps are written in, which cannot be reached by a path."""
    user = order["user"]
    kernel.mount("tmpfs", "/run", "tmpfs", kernel.NOSUID | kernel.NODEV, order["disk"])
    for name, target in (("home", home), ("tmp", "/tmp")):
        os.mkdir(f"/run/{name}")
        os.chown(f"/run/{name}", user, user)
        kernel.mount(f"/run/{name}", target, None, kernel.BIND)
    kernel.unmount("/run")
    if order["hasTerminals"]:
        options = "newinstance,ptmxmode=0666,mode=0620"
        kernel.mount("devpts", "/dev/pts", "devpts", kernel.NOSUID | kernel.NOEXEC, options)
    flags = kernel.NOSUID | kernel.NODEV | kernel.NOEXEC
    kernel.mount("proc", "/run", "proc", flags)
    ids = os.open(f"/run/{os.getpid()}", os.O_PATH)
    # the zygote's own, which shows its other guests
    kernel.unmount("/proc")
    kernel.mount("/run", "/proc", None, kernel.BIND)
    kernel.mount(None, "/proc", None, 32 | kernel.BIND | kernel.RDONLY | flags)
    for name in HIDDEN:
        kernel.mount("/dev/null", f"/proc/{name}", None, kernel.BIND)
    kernel.unmount("/run")
    return ids


def raise_loopback():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(any_socket, _SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | _IFF_UP))


def set_limits(limits):
    for name, value in limits.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))


def give_up_rights(user, ids):
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    # a user namespace that maps this one user: nobody inside has a right over the mounts and the network
    kernel.set_dumpable()
    kernel.unshare(kernel.NEWUSER)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{GUEST} {user} 1"), ("gid_map", f"{GUEST} {user} 1")):
        file = os.open(name, os.O_WRONLY, dir_fd=ids)
        os.write(file, text.encode())
        os.close(file)
    os.close(ids)
    kernel.drop_capabilities()
    kernel.set_dumpable()
    kernel.allow_no_new_privileges()


def filter_system_calls(id):
    try:
        listener = kernel.filter_and_listen(heard_filter)
    except OSError:
        # an old kernel, or one that somebody else listens to already
        kernel.filter_system_calls(seccomp_filter)
        return os.close(SENDER)
    denials.send(SENDER, id, listener)


def find_numpy_state():
    """Before the first fork: where numpy keeps its Mersenne Twister. Asking for it in a guest copies much of numpy."""
    global _numpy_state
    if "numpy" in sys.modules:
        _numpy_state = sys.modules["numpy"].random.mtrand._rand._bit_generator.ctypes.state_address


def reseed():
    """Random numbers that the zygote had begun go on differently in each guest."""
    random, ssl, threading = (sys.modules.get(name) for name in ("random", "ssl", "threading"))
    if random is not None:
        random.seed()
    if _numpy_state is not None:
        # 624 numbers of 32 bits, all of them used up
        ctypes.memmove(_numpy_state, os.urandom(_TWISTER) + (_TWISTER // 4).to_bytes(4, sys.byteorder), _TWISTER + 4)
    if ssl is not None:
        ssl.RAND_add(os.urandom(32), 32.0)
    if threading is not None:
        threading.main_thread()._set_native_id()
