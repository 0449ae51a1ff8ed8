"""Ways to files that no link of the guest can bend: every step is opened by name, in the directory before it, as what it is."""

import os

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def split(path):
    """The names on the way; the host has checked that none of them is empty or climbs."""
    return path.split("/") if path else []


def open_directory(home, path, make=False):
    """A descriptor of the directory; whoever asks closes it."""
    at = os.dup(home)
    try:
        for name in split(path):
            try:
                step = os.open(name, _DIRECTORY, dir_fd=at)
            except FileNotFoundError:
                if not make:
                    raise
                os.mkdir(name, 0o755, dir_fd=at)
                step = os.open(name, _DIRECTORY, dir_fd=at)
            os.close(at)
            at = step
        return at
    except BaseException:
        os.close(at)
        raise


def open_child(directory, name):
    return os.open(name, _DIRECTORY, dir_fd=directory)


class Parent:
    """The directory of a path and the last name in it, for the length of a `with`."""

    def __init__(self, home, path, make=False):
        parent, _, self.name = path.rpartition("/")
        self.directory = open_directory(home, parent, make)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.directory)
