"""The program's files: written before it runs, looked at and handed back after it ended."""

import base64
import os
import re
import stat

import channel

CHUNK_BYTES = 1024 * 1024
# made by tools, never by the program itself
IGNORED_DIRECTORIES = {"__pycache__", ".cache", ".config"}
# as the host has it
MAX_PATH_BYTES = 1024
# as plain-path.ts of the contract has it: nobody could ask for such a file by its name
REFUSED_CHARACTERS = re.compile(r"[\\\x00-\x1f\x7f-\x9f]")


class Files:
    def __init__(self, home):
        self.home = home
        self._given = {}

    def write(self, path, data, last):
        """One piece of a file that came with the program. The host has checked that the path stays inside."""
        target = os.path.join(self.home, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "ab") as file:
            file.write(data)
        if last:
            self._given[path] = self._mark(os.stat(target))

    def hand_back(self, keep, max_bytes, max_files):
        """Sends what is new or changed; returns how many files were left out. Links are told of, never followed."""
        patterns = None if keep is None else [glob_to_regex(pattern) for pattern in keep]
        left_out = sent = 0
        for path, entry in self._walk():
            if patterns is not None and not any(pattern.match(path) for pattern in patterns):
                continue
            if sent >= max_files or len(path.encode("utf-8")) > MAX_PATH_BYTES:
                left_out += 1
                continue
            if entry.is_symlink():
                try:
                    target = os.readlink(os.path.join(self.home, path))
                except OSError:
                    # a process of the program that still runs has put something else there
                    continue
                channel.send({"type": "link", "path": path, "target": target})
                sent += 1
                continue
            size = self._send(path, max_bytes)
            if size is None:
                continue
            if size < 0:
                left_out += 1
                continue
            max_bytes -= size
            sent += 1
        return left_out

    def _walk(self):
        """Files and links by path, and what is too deep to have one that the host takes."""
        levels = [self._entries("")]
        while levels:
            entry = next(levels[-1], None)
            if entry is None:
                levels.pop()
                continue
            path = os.path.relpath(entry.path, self.home)
            is_directory = entry.is_dir(follow_symlinks=False)
            if is_directory and len(path.encode("utf-8")) <= MAX_PATH_BYTES:
                if entry.name not in IGNORED_DIRECTORIES:
                    levels.append(self._entries(path))
            elif is_directory or entry.is_symlink() or entry.is_file(follow_symlinks=False):
                yield path, entry

    def _entries(self, directory):
        try:
            entries = sorted(os.scandir(os.path.join(self.home, directory)), key=lambda entry: entry.name)
        except OSError:
            return iter(())
        return (entry for entry in entries if _is_nameable(entry.name))

    def _send(self, path, max_bytes):
        """Bytes sent; None when unchanged or gone, -1 when too large."""
        try:
            descriptor = os.open(os.path.join(self.home, path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            info = os.fstat(descriptor)
            if not stat.S_ISREG(info.st_mode) or self._given.get(path) == self._mark(info):
                return None
            if info.st_size > max_bytes:
                return -1
            sent = 0
            while True:
                data = os.read(descriptor, CHUNK_BYTES)
                sent += len(data)
                # a file that still grows ends where it was when it was opened
                last = len(data) < CHUNK_BYTES or sent >= info.st_size
                encoded = base64.b64encode(data).decode("ascii")
                channel.send({"type": "file", "path": path, "base64": encoded, "last": last})
                if last:
                    return sent
        finally:
            os.close(descriptor)

    @staticmethod
    def _mark(info):
        return (info.st_ino, info.st_size, info.st_mtime_ns)


def _is_nameable(name):
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return not REFUSED_CHARACTERS.search(name)


def glob_to_regex(pattern):
    """`*` and `?` within a name, `**` across directories."""
    parts = []
    for token in re.findall(r"\*\*/|\*\*|\*|\?|[^*?]+", pattern.removeprefix("./").removeprefix("/")):
        parts.append({"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(token) or re.escape(token))
    return re.compile("".join(parts) + r"\Z")
