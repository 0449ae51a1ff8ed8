"""Removes a tree of any depth with two open directories: what lies deeper is moved up first."""

import errno
import os

from paths import open_child

# a guest that makes files as fast as they go must not keep the keeper busy for ever
MAX_STEPS = 1_000_000


def remove_tree(name, parent):
    os.stat(name, dir_fd=parent, follow_symlinks=False)
    if _unlink(name, parent):
        return
    top = _open(name, parent)
    try:
        steps = 0
        names = os.listdir(top)
        while names:
            for child in names:
                steps += 1
                if not _unlink(child, top):
                    steps += _empty(child, top, steps)
                    os.rmdir(child, dir_fd=top)
                if steps > MAX_STEPS:
                    raise OSError(errno.EBUSY, "it is filled again while it is removed")
            names = os.listdir(top)
    finally:
        os.close(top)
    os.rmdir(name, dir_fd=parent)


def _empty(name, top, number):
    directory = _open(name, top)
    try:
        names = os.listdir(directory)
        for index, child in enumerate(names):
            if not _unlink(child, directory):
                os.rename(child, f".coherex-remove-{number}-{index}", src_dir_fd=directory, dst_dir_fd=top)
        return len(names)
    finally:
        os.close(directory)


def _unlink(name, parent):
    """False when it is a directory."""
    try:
        os.unlink(name, dir_fd=parent)
    except FileNotFoundError:
        pass
    except (IsADirectoryError, PermissionError):
        return False
    return True


def _open(name, parent):
    """A directory that can be emptied, also when the guest closed it to itself."""
    try:
        directory = open_child(parent, name)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=parent)
        directory = open_child(parent, name)
    os.fchmod(directory, 0o700)
    return directory
