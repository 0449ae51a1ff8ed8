"""Where a driver says why it failed: its own streams carry what the guest writes."""

import contextlib
import os


@contextlib.contextmanager
def told():
    """Entered before the streams are taken away."""
    stream = os.dup(2)
    try:
        yield
    except BaseException:
        import traceback

        os.write(stream, traceback.format_exc().encode("utf-8", "replace")[-4000:])
        os._exit(70)
