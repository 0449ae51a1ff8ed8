"""Programs in here: started each in a session of its own, signalled, and told of when they end."""

import _signal
import os
import resource

import trees
from streams import Pipe

# Python ignores these, and what is ignored stays so in a program it starts
_IGNORED = (_signal.SIGPIPE, _signal.SIGXFSZ)


class Beginning(BaseException):
    """Raised in a fork that goes on as something else than a keeper, so that nothing of the keeper stays on its stack."""


class Processes:
    def __init__(self, channel, streams, home, ahead):
        """`ahead` is a session that is loaded already, see ahead.py; None where there is none."""
        self._channel = channel
        self._streams = streams
        self._home = home
        self._ahead = ahead
        self._started = {}
        # by process, the streams that its output comes from
        self._outputs = {}
        self._terminals = {}
        self._sessions = set()
        self.env = {}
        self.open_files = 256

    def start(self, message):
        process, numbers = message["process"], message["streams"]
        env = {**self.env, **message["env"], trees.MARK: str(process)}
        order = (message["argv"], env, os.path.join(self._home, message["cwd"]))
        if message["stdio"] == "terminal":
            pid = self._start_in_terminal(order, process, numbers, message["columns"], message["rows"])
        elif message["stdio"] == "session":
            pid = self._start_session(order, process, numbers)
            self._sessions.add(process)
        else:
            pid = self._start_piped(order, process, numbers)
        self._started[process] = pid
        return {"pid": pid}

    def _start_session(self, order, process, numbers):
        import _socket

        ours, theirs = (end.detach() for end in _socket.socketpair())
        output, writer = os.pipe()
        nothing = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
        begin = self._ahead.begin if self._ahead and self._ahead.fits(order, self._home) else None
        pid = self._fork(order, (nothing, writer, writer, theirs), (ours, output), begin=begin)
        channel = Pipe(self._streams, numbers[0], ours, ours, lambda: None, ends_together=True)
        self._outputs[process] = (channel, Pipe(self._streams, numbers[1], output))
        return pid

    def _start_piped(self, order, process, numbers):
        inputs, outputs, errors = os.pipe(), os.pipe(), os.pipe()
        mine = (inputs[1], outputs[0], errors[0])
        pid = self._fork(order, (inputs[0], outputs[1], errors[1]), mine)
        Pipe(self._streams, numbers[0], None, mine[0])
        self._outputs[process] = (Pipe(self._streams, numbers[1], mine[1]), Pipe(self._streams, numbers[2], mine[2]))
        return pid

    def _start_in_terminal(self, order, process, numbers, columns, rows):
        import terminal

        master, slave = terminal.open_terminal(columns, rows)
        pid = self._fork(order, (slave, slave, slave), (master,), terminal.adopt)
        end_input = lambda: terminal.end_input(master)
        pipe = Pipe(self._streams, numbers[0], master, master, end_input, ends_together=True)
        self._terminals[process] = pipe
        self._outputs[process] = (pipe,)
        return pid

    def _fork(self, order, theirs, mine, prepare=None, begin=None):
        """The new process. Its descriptors, from 0 on, are closed in here; should there be none, ours are too."""
        pid = None
        try:
            pid = os.fork()
            if pid == 0:
                _become(order, self.open_files, theirs, prepare, begin or _execute)
            return pid
        finally:
            for descriptor in {*theirs} if pid else {*theirs, *mine}:
                os.close(descriptor)

    def resize(self, process, columns, rows):
        pipe = self._terminals.get(process)
        if pipe is not None and pipe.descriptor is not None:
            import terminal

            terminal.resize(pipe.descriptor, columns, rows)

    def signal(self, process, number, whole):
        pid = self._started.get(process)
        if pid is None:
            return
        if whole:
            return trees.kill(pid, process, self._started)
        # one that was started this moment may not have its group yet
        for target in (-pid, pid):
            try:
                return os.kill(target, number)
            except ProcessLookupError:
                pass

    def reap(self):
        """Whoever ended, orphans included: this is the namespace's first process."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            process = next((known for known, other in self._started.items() if other == pid), None)
            if process is None:
                continue
            del self._started[process]
            self._terminals.pop(process, None)
            # its last words come before its end
            for pipe in self._outputs.pop(process):
                pipe.drain()
            code = os.waitstatus_to_exitcode(status)
            if process in self._sessions:
                self._sessions.discard(process)
                # mostly for lack of memory, which what it started holds: nobody is left who could end that
                if code == -_signal.SIGKILL:
                    trees.kill(pid, process, self._started)
            ending = {"code": code, "signal": None} if code >= 0 else {"code": None, "signal": -code}
            self._channel.tell({"type": "exited", "process": process, **ending})


def _become(order, open_files, descriptors, prepare, begin):
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
        for target, descriptor in enumerate(descriptors):
            os.dup2(descriptor, target)
        if prepare is not None:
            prepare()
        os.chdir(order[2])
        begin(order)
    except Beginning:
        raise
    except BaseException as error:
        os.write(2, f"{order[0][0]}: {error}\n".encode("utf-8", "replace"))
    os._exit(127)


def _execute(order):
    argv, env, _ = order
    for number in _IGNORED:
        _signal.signal(number, _signal.SIG_DFL)
    os.execve(argv[0], argv, env)
