"""Files of the home for the host: looked at, handed out, taken in, moved and removed. No call follows a link."""

import errno
import os
from stat import S_ISDIR, S_ISLNK, S_ISREG

import paths
from remove_tree import remove_tree
from streams import Sink, Source

MAX_LISTED = 10_000
MAX_LISTED_CHARACTERS = 1_000_000
MAX_DEPTH = 64
_TEMPORARY = ".coherex-upload-"


class Files:
    def __init__(self, home, streams):
        self.home = os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._streams = streams
        self._uploads = 0

    def stat(self, path):
        if not path:
            return _describe("", os.fstat(self.home), None)
        with paths.Parent(self.home, path) as parent:
            return _describe_at(path, parent.name, parent.directory)

    def list(self, path, recursive):
        """Entries of a directory, and whether there were more than are told."""
        found = []
        characters = 0
        waiting = [(path, 0)]
        while waiting:
            directory, depth = waiting.pop()
            try:
                opened = paths.open_directory(self.home, directory)
            except OSError:
                # removed, or swapped for something else, since it was seen
                if directory == path:
                    raise
                continue
            try:
                # names one by one: a directory may hold more than anybody wants to see
                with os.scandir(opened) as names:
                    for name in names:
                        if len(found) >= MAX_LISTED or characters >= MAX_LISTED_CHARACTERS:
                            return {"items": found, "isCut": True}
                        if not _is_text(name.name) or name.name.startswith(_TEMPORARY):
                            continue
                        whole = f"{directory}/{name.name}" if directory else name.name
                        try:
                            entry = _describe_at(whole, name.name, opened)
                        except FileNotFoundError:
                            continue
                        if entry is None:
                            continue
                        found.append(entry)
                        characters += len(whole) + len(entry.get("linkTarget", ""))
                        if recursive and entry["type"] == "directory" and depth < MAX_DEPTH:
                            waiting.append((whole, depth + 1))
            finally:
                os.close(opened)
        return {"items": found, "isCut": False}

    def read(self, path, number):
        with paths.Parent(self.home, path) as parent:
            # a fifo would wait for a writer
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
            descriptor = os.open(parent.name, flags, dir_fd=parent.directory)
        stat = os.fstat(descriptor)
        if not S_ISREG(stat.st_mode):
            os.close(descriptor)
            raise IsADirectoryError(errno.EISDIR if S_ISDIR(stat.st_mode) else errno.EINVAL, "not a file")
        Source(self._streams, number, descriptor, stat.st_size)
        return _describe(path, stat, None)

    def write(self, path, number, kept, done):
        """Takes in a file beside its place and moves it there when it is whole. `done` gets the file or an error."""
        parent = paths.Parent(self.home, path, make=True)
        self._uploads += 1
        temporary = f"{_TEMPORARY}{os.getpid()}-{self._uploads}"
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(temporary, flags, 0o644, dir_fd=parent.directory)
        except BaseException:
            os.close(parent.directory)
            raise

        def finish(error):
            try:
                if error is not None:
                    raise error
                _keep_mode(parent, temporary) if kept is None else _put_back(parent, temporary, kept)
                os.rename(temporary, parent.name, src_dir_fd=parent.directory, dst_dir_fd=parent.directory)
                file = _describe_at(path, parent.name, parent.directory)
            except OSError as failure:
                _forget(temporary, parent.directory)
                os.close(parent.directory)
                return done(None, failure)
            os.close(parent.directory)
            done(file, None)

        Sink(self._streams, number, descriptor, finish)

    def make_directory(self, path):
        os.close(paths.open_directory(self.home, path, make=True))

    def link(self, path, target, modified_at):
        with paths.Parent(self.home, path, make=True) as parent:
            os.symlink(target, parent.name, dir_fd=parent.directory)
            _set_time(parent, parent.name, modified_at)

    def set_time(self, path, modified_at):
        with paths.Parent(self.home, path) as parent:
            _set_time(parent, parent.name, modified_at)

    def move(self, source, target):
        with paths.Parent(self.home, source) as old:
            with paths.Parent(self.home, target, make=True) as new:
                os.rename(old.name, new.name, src_dir_fd=old.directory, dst_dir_fd=new.directory)

    def remove(self, path):
        with paths.Parent(self.home, path) as parent:
            remove_tree(parent.name, parent.directory)

    def disk(self):
        disk = os.fstatvfs(self.home)
        used = (disk.f_blocks - disk.f_bfree) * disk.f_frsize
        return {"usedBytes": used, "usedInodes": disk.f_files - disk.f_ffree}


def _is_text(name):
    try:
        name.encode("utf-8")
        return True
    except UnicodeEncodeError:
        return False


def _describe_at(path, name, directory):
    stat = os.stat(name, dir_fd=directory, follow_symlinks=False)
    target = os.readlink(name, dir_fd=directory) if S_ISLNK(stat.st_mode) else None
    return _describe(path, stat, target if target is None or _is_text(target) else "")


def _describe(path, stat, target):
    mode = stat.st_mode
    if S_ISREG(mode):
        kind = "file"
    elif S_ISDIR(mode):
        kind = "directory"
    elif S_ISLNK(mode):
        kind = "link"
    else:
        # fifos, sockets: nothing the host could read
        return None
    described = {
        "path": path,
        "type": kind,
        "size": stat.st_size if kind == "file" else 0,
        "modifiedAt": stat.st_mtime_ns // 1_000_000,
        # the change time is the kernel's own: a guest cannot set it back
        "stamp": f"{stat.st_ino}-{stat.st_ctime_ns}-{stat.st_size}",
    }
    if target is not None:
        described["linkTarget"] = target
    if kind == "file" and mode & 0o100:
        described["isExecutable"] = True
    return described


def _keep_mode(parent, temporary):
    try:
        old = os.stat(parent.name, dir_fd=parent.directory, follow_symlinks=False)
    except FileNotFoundError:
        return
    if S_ISREG(old.st_mode):
        os.chmod(temporary, old.st_mode & 0o777, dir_fd=parent.directory)


def _put_back(parent, temporary, kept):
    os.chmod(temporary, 0o755 if kept["isExecutable"] else 0o644, dir_fd=parent.directory)
    _set_time(parent, temporary, kept["modifiedAt"])


def _set_time(parent, name, modified_at):
    time = modified_at * 1_000_000
    os.utime(name, ns=(time, time), dir_fd=parent.directory, follow_symlinks=False)


def _forget(name, directory):
    try:
        os.unlink(name, dir_fd=directory)
    except OSError:
        # the guest was faster
        pass
