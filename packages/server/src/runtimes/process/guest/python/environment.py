"""What an interpreter does with its environment as it starts. The driver's had started before the program's came."""

import os
import time


def take(variables):
    os.environ.update(variables)
    if "TZ" in variables:
        time.tzset()


def module_places():
    """Where PYTHONPATH has imports look, after the program's own directory."""
    given = os.environ.get("PYTHONPATH")
    return [os.path.abspath(place) for place in given.split(os.pathsep)] if given else []
