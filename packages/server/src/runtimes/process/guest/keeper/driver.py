"""First process of a sandbox that lives on: starts what the host asks for, hands bytes through, and reaps.

Nothing in here is trusted by the host: a guest that takes this process over can only lie about itself.
"""

import _signal
import errno
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import sets
from channel import Channel
from files import Files
from loop import READ, Loop
from ports import Ports
from processes import Beginning, Processes
from streams import Streams


class Keeper:
    def __init__(self, ahead):
        home = os.getcwd()
        self._loop = Loop()
        self._channel = Channel(self._loop)
        self._streams = Streams(self._loop, self._channel)
        self._files = Files(home, self._streams)
        self._processes = Processes(self._channel, self._streams, home, ahead)
        self._ports = Ports(self._loop, self._channel, self._streams)
        self._watches = {}
        self._channel.on_control = self._control
        self._channel.on_data = self._streams.take

    def run(self):
        reader, writer = os.pipe()
        for descriptor in (reader, writer):
            os.set_blocking(descriptor, False)
        # as the first process of its namespace it is safe from every signal that has no handler
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        _signal.signal(_signal.SIGCHLD, lambda *_: None)
        _signal.set_wakeup_fd(writer, warn_on_full_buffer=False)

        def reap():
            os.read(reader, 4096)
            self._processes.reap()

        self._loop.watch(reader, READ, reap)
        self._channel.tell({"type": "ready"})
        self._loop.run()

    def _control(self, message):
        kind = message["type"]
        if kind == "ask":
            self._answer(message)
        elif kind == "credit":
            self._streams.credit(message["stream"], message["bytes"])
        elif kind == "end":
            self._streams.end(message["stream"])
        elif kind == "reset":
            self._streams.reset(message["stream"])

    def _answer(self, message):
        number, streams = message["id"], message.get("streams", ())

        def tell(value):
            self._channel.tell({"type": "told", "id": number, "value": value})

        def fail(error):
            code = errno.errorcode.get(error.errno, "EIO") if isinstance(error, OSError) and error.errno else "EIO"
            self._channel.tell({"type": "told", "id": number, "error": code})
            self._streams.refuse(streams)

        self._streams.announce(streams)
        try:
            self._act(message, tell, fail)
        except Exception as error:
            fail(error)

    def _act(self, message, tell, fail):
        act = message["act"]
        files, processes = self._files, self._processes
        if act == "begin":
            processes.env, processes.open_files = message["env"], message["openFiles"]
            if message.get("sets"):
                sets.use(message["sets"])
            tell(None)
        elif act == "start":
            tell(processes.start(message))
        elif act == "signal":
            tell(processes.signal(message["process"], message["signal"], message["whole"]))
        elif act == "resize":
            tell(processes.resize(message["process"], message["columns"], message["rows"]))
        elif act == "stat":
            tell(files.stat(message["path"]))
        elif act == "list":
            tell(files.list(message["path"], message["recursive"]))
        elif act == "read":
            tell(files.read(message["path"], message["streams"][0]))
        elif act == "write":
            done = lambda file, error: fail(error) if error else tell(file)
            files.write(message["path"], message["streams"][0], message.get("kept"), done)
        elif act == "link":
            tell(files.link(message["path"], message["target"], message["modifiedAt"]))
        elif act == "set-time":
            tell(files.set_time(message["path"], message["modifiedAt"]))
        elif act == "make-directory":
            tell(files.make_directory(message["path"]))
        elif act == "move":
            tell(files.move(message["path"], message["to"]))
        elif act == "remove":
            tell(files.remove(message["path"]))
        elif act == "disk":
            tell(files.disk())
        elif act == "use":
            tell(sets.use(message["sets"]))
        elif act == "watch":
            tell(self._watch(message["watch"], message["path"]))
        elif act == "unwatch":
            tell(self._unwatch(message["watch"]))
        elif act == "connect":
            stream = message["streams"][0]
            self._ports.connect(message["port"], stream, lambda error: fail(error) if error else tell(None))
        elif act == "listen":
            tell(self._ports.listen(message["listener"], message["port"]))
        elif act == "unlisten":
            tell(self._ports.close(message["listener"]))
        else:
            raise ValueError(act)

    def _watch(self, number, path):
        from watch import Watch

        self._watches[number] = Watch(self._loop, self._channel, self._files.home, number, path)

    def _unwatch(self, number):
        watch = self._watches.pop(number, None)
        if watch is not None:
            watch.close()


def main():
    ahead = sys.modules.get("ahead")
    try:
        Keeper(ahead).run()
    except Beginning:
        pass
    # a fork of the keeper, which has let go of all that the keeper had
    ahead.become()


if __name__ == "__main__":
    main()
