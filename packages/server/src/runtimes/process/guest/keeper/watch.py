"""Changes of files, told together when they come together. Loaded when somebody first watches."""

import ctypes
import os
import struct

import paths
from loop import READ

_MASK = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200  # modify, attrib, close-write, moved from, moved to, create, delete
_ONLY_DIRECTORIES = 0x01000000
_REMOVED = 0x40 | 0x200
_IS_DIRECTORY = 0x40000000
_OVERFLOW = 0x4000
_GONE = 0x8000
_HEADER = struct.Struct("iIII")
_PAUSE_SECONDS = 0.05
MAX_DIRECTORIES = 4096
MAX_CHANGES = 1000


class Watch:
    def __init__(self, loop, channel, home, number, path):
        self._loop, self._channel, self._home, self._number = loop, channel, home, number
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._root = path
        self._directories = {}
        self._changes = {}
        self._is_scheduled = False
        self._is_open = True
        self._descriptor = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._descriptor < 0:
            raise OSError(ctypes.get_errno(), "cannot watch")
        try:
            self._add(path, tell=False, must=True)
        except OSError:
            os.close(self._descriptor)
            raise
        loop.watch(self._descriptor, READ, self._read)

    def close(self):
        self._is_open = False
        self._loop.watch(self._descriptor, 0, None)
        os.close(self._descriptor)

    def _add(self, path, tell, must=False):
        """A directory and those below it; what is in them already when they appear is told."""
        waiting = [path]
        while waiting:
            at = waiting.pop()
            if len(self._directories) >= MAX_DIRECTORIES:
                return self._changed(self._root, "written")
            try:
                opened = paths.open_directory(self._home, at)
            except OSError:
                if must and at == path:
                    raise
                continue
            try:
                # by descriptor: a name could be swapped for a link in between
                name = f"/proc/self/fd/{opened}".encode("ascii")
                number = self._libc.inotify_add_watch(self._descriptor, name, _MASK | _ONLY_DIRECTORIES)
                if number < 0:
                    continue
                self._directories[number] = at
                with os.scandir(opened) as entries:
                    for entry in entries:
                        whole = f"{at}/{entry.name}" if at else entry.name
                        if entry.is_dir(follow_symlinks=False):
                            waiting.append(whole)
                        if tell:
                            self._changed(whole, "written")
            finally:
                os.close(opened)

    def _read(self):
        try:
            data = os.read(self._descriptor, 1 << 16)
        except BlockingIOError:
            return
        at = 0
        while at < len(data):
            number, mask, _, length = _HEADER.unpack_from(data, at)
            name = os.fsdecode(data[at + _HEADER.size : at + _HEADER.size + length].rstrip(b"\0"))
            at += _HEADER.size + length
            self._take(number, mask, name)

    def _take(self, number, mask, name):
        if mask & _OVERFLOW:
            return self._changed(self._root, "written")
        if mask & _GONE:
            self._directories.pop(number, None)
            return
        directory = self._directories.get(number)
        if directory is None or not name or name.startswith(".coherex-"):
            return
        whole = f"{directory}/{name}" if directory else name
        if mask & _REMOVED:
            return self._changed(whole, "removed")
        self._changed(whole, "written")
        if mask & _IS_DIRECTORY and mask & 0x180:
            self._add(whole, tell=True)

    def _changed(self, path, change):
        try:
            path.encode("utf-8")
        except UnicodeEncodeError:
            return
        if len(self._changes) < MAX_CHANGES:
            self._changes[path] = change
        else:
            # too many to name: whoever watches looks again
            self._changes = {**dict(list(self._changes.items())[: MAX_CHANGES - 1]), self._root: "written"}
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.later(_PAUSE_SECONDS, self._tell)

    def _tell(self):
        self._is_scheduled = False
        if not self._is_open:
            return
        # told only as fast as the host listens
        if self._channel.is_full:
            self._is_scheduled = True
            return self._loop.later(_PAUSE_SECONDS, self._tell)
        changes, self._changes = self._changes, {}
        items = [{"path": path, "change": change} for path, change in changes.items()]
        self._channel.tell({"type": "changed", "watch": self._number, "changes": items})
