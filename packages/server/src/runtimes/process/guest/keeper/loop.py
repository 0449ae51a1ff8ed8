"""One thread, one poll: who waits for which descriptor, and until when."""

import select
from time import monotonic

READ = select.EPOLLIN
WRITE = select.EPOLLOUT


class Loop:
    def __init__(self):
        self._epoll = select.epoll()
        self._handlers = {}
        self._timers = []

    def watch(self, descriptor, mask, handler):
        """Tells `handler` what happens to a descriptor. With no mask it is left alone: a hang-up would else be told for ever."""
        known = descriptor in self._handlers
        if mask == 0:
            if known:
                del self._handlers[descriptor]
                self._epoll.unregister(descriptor)
            return
        self._handlers[descriptor] = handler
        if known:
            self._epoll.modify(descriptor, mask)
        else:
            self._epoll.register(descriptor, mask)

    def later(self, seconds, act):
        self._timers.append((monotonic() + seconds, act))

    def run(self):
        while True:
            for descriptor, _ in self._epoll.poll(self._patience()):
                handler = self._handlers.get(descriptor)
                if handler is not None:
                    handler()
            if self._timers:
                now = monotonic()
                due = [act for at, act in self._timers if at <= now]
                self._timers = [timer for timer in self._timers if timer[0] > now]
                for act in due:
                    act()

    def _patience(self):
        if not self._timers:
            return None
        return max(0.0, min(at for at, _ in self._timers) - monotonic())
