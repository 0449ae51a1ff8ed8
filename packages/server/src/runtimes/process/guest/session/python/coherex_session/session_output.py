"""Output of a session: its limit begins anew with each cell, and what comes between cells is held for the next."""

import os

import output
from coherex_session.interrupts import ShieldedLock

HELD_BYTES = 64 * 1024


class SessionOutput(output.Output):
    def __init__(self, interrupts):
        super().__init__(HELD_BYTES)
        self._lock = ShieldedLock(interrupts)
        self._is_between = True
        self._writers = {}

    def capture(self):
        super().capture()
        # with a writer left the pipes have no end, whatever the guest closes
        self._writers = {descriptor: os.dup(descriptor) for descriptor in output.STREAMS}

    def begin(self, limit_bytes):
        with self._lock:
            for descriptor, writer in self._writers.items():
                if not _is_open(descriptor):
                    os.dup2(writer, descriptor, inheritable=True)
            self.flush()
            self.left = max(0, limit_bytes - (HELD_BYTES - self.left))
            self.truncated = False
            self.stderr_tail = ""
            self._is_between = False
            self._send()

    def end(self):
        """Sends what is left of the cell; tells whether something was cut."""
        with self._lock:
            self.flush()
            was_cut = self.truncated
            self._is_between = True
            self.truncated = False
            self.left = HELD_BYTES
        return was_cut

    def display(self, data):
        if not self._is_between and not self.in_child:
            super().display(data)

    def _send(self):
        if not self._is_between:
            super()._send()


def _is_open(descriptor):
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
