"""One event loop for the whole session, made by the first cell that awaits."""

import sys
import threading

# inspect.CO_COROUTINE, without the import
CO_COROUTINE = 0x80
GRACE_SECONDS = 1.0


class EventLoop:
    def __init__(self, interrupts):
        self._interrupts = interrupts
        self._loop = None

    def run(self, coroutine):
        # slow to import, and few cells await
        import asyncio

        self._open()
        task = self._loop.create_task(coroutine)
        was_interrupted = False

        def divert(frame):
            nonlocal was_interrupted
            if was_interrupted or _runs_callback(frame):
                return False
            # nothing but waiting goes on: end what waits, so that its `finally` runs
            was_interrupted = True
            task.cancel()
            self._loop.call_soon_threadsafe(lambda: None)
            return True

        self._interrupts.divert = divert
        try:
            return self._loop.run_until_complete(task)
        except asyncio.CancelledError:
            if was_interrupted:
                raise KeyboardInterrupt from None
            raise
        except KeyboardInterrupt:
            self._abandon(task)
            raise
        finally:
            self._interrupts.divert = None

    def extend(self, tasks):
        """Called with asyncio.tasks: lets a cell that awaits nothing start a task, which runs on between cells."""
        create = tasks.create_task

        def create_task(coroutine, **options):
            if threading.current_thread() is threading.main_thread() and tasks.events._get_running_loop() is None:
                return self._open().create_task(coroutine, **options)
            return create(coroutine, **options)

        tasks.create_task = create_task

    def has_tasks(self):
        if self._loop is None or self._loop.is_closed():
            return False
        return bool(sys.modules["asyncio"].all_tasks(self._loop))

    def run_until_message(self, link):
        """Lets background tasks go on until the host says something."""
        loop, woken = self._loop, self._loop.create_future()

        def wake():
            loop.call_soon_threadsafe(lambda: woken.done() or woken.set_result(None))

        link.on_message = wake
        try:
            if link.is_empty:
                loop.run_until_complete(woken)
            else:
                # a host that asks without a pause still leaves them a turn
                loop.run_until_complete(sys.modules["asyncio"].sleep(0))
        except BaseException:  # a task's way of ending is no business of the next cell
            pass
        finally:
            link.on_message = None

    def _open(self):
        asyncio = sys.modules["asyncio"]
        if self._loop is None or self._loop.is_closed():
            self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        return self._loop

    def _abandon(self, task):
        task.cancel()
        waiting = sys.modules["asyncio"].wait([task], timeout=GRACE_SECONDS)
        self._loop.run_until_complete(waiting)
        if task.done() and not task.cancelled():
            # seen: it is what the cell is told
            task.exception()


def _runs_callback(frame):
    while frame is not None:
        name, path = frame.f_code.co_name, frame.f_code.co_filename
        if name == "_run" and path.endswith("asyncio/events.py"):
            return True
        if name == "_run_once" and path.endswith("asyncio/base_events.py"):
            return False
        frame = frame.f_back
    return True
