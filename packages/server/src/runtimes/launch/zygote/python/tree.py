"""The root that a zygote and its guests see: the system's programs read-only, and none of its data."""

import os

import kernel

DEVICES = ["null", "zero", "full", "random", "urandom"]
LINKS = {
    "dev/fd": "/proc/self/fd",
    "dev/stdin": "/proc/self/fd/0",
    "dev/stdout": "/proc/self/fd/1",
    "dev/stderr": "/proc/self/fd/2",
    # shared memory files count as disk
    "dev/shm": "/tmp",
    "var/tmp": "/tmp",
}


def build(spec):
    """Mounts it at `stage`. `links` and `binds` are pairs of a path inside and where it points or comes from."""
    stage, has_terminals = spec["stage"], spec["hasTerminals"]
    kernel.mount("tmpfs", stage, "tmpfs", kernel.NOSUID, "mode=0755,size=1m,nr_inodes=256")
    directories = ["proc", "tmp", "run", "dev", "var", spec["home"].lstrip("/")]
    # each fork mounts terminals of its own there
    for name in [*directories, "dev/pts"] if has_terminals else directories:
        os.makedirs(os.path.join(stage, name))
    own_links = {**LINKS, "dev/ptmx": "pts/ptmx"} if has_terminals else LINKS
    for name, target in [*own_links.items(), *spec["links"]]:
        os.symlink(target, os.path.join(stage, name))
    for inside, source in [("/usr", "/usr"), ("/etc", spec["etc"]), *spec["binds"]]:
        _bind(source, stage + inside)
    for name in [*DEVICES, "tty"] if has_terminals else DEVICES:
        _bind(f"/dev/{name}", f"{stage}/dev/{name}")
    kernel.lock_tree(stage)


def _bind(source, target):
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        open(target, "x").close()
    kernel.mount(source, target, None, kernel.BIND | kernel.RECURSIVE)
