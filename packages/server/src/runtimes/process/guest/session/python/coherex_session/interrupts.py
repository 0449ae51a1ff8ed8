"""SIGINT as an exception in the main thread, at moments when it does no harm."""

import contextlib
import signal
import threading


class Interrupts:
    """Raises in code of the guest only: a signal between cells is nothing, one within a message waits for its end."""

    def __init__(self):
        self._main = threading.get_ident()
        self._raised = None
        self._depth = 0
        self._is_pending = False
        self.divert = None
        """Asked with the frame that runs; true when it has dealt with the signal in another way."""

    def install(self):
        # anew before each cell: a handler that a cell puts in its place lasts as long as that cell
        signal.signal(signal.SIGINT, self._handle)

    @contextlib.contextmanager
    def allowed(self, exception=KeyboardInterrupt):
        self._is_pending = False
        self._raised = exception
        try:
            yield
        finally:
            self._raised = None

    def enter(self):
        if threading.get_ident() == self._main:
            self._depth += 1

    def leave(self):
        if threading.get_ident() != self._main:
            return
        self._depth -= 1
        if self._depth == 0 and self._is_pending and self._raised is not None:
            self._is_pending = False
            raise self._raised

    def _handle(self, _, frame):
        if self._raised is None:
            return
        if self._depth > 0:
            self._is_pending = True
        elif self.divert is None or not self.divert(frame):
            raise self._raised


class ShieldedLock:
    """A reentrant lock whose holder is not interrupted: half a message would be the end of the session."""

    def __init__(self, interrupts):
        self._interrupts = interrupts
        self._lock = threading.RLock()

    def __enter__(self):
        self._interrupts.enter()
        self._lock.acquire()

    def __exit__(self, *_):
        self._lock.release()
        self._interrupts.leave()
