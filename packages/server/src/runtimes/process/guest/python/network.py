"""The way out of this sandbox, for runs that were granted one."""

import os
import sys

import streams

LINK = 0
PACKAGES = "/tmp/.local/lib/python{}.{}/site-packages".format(*sys.version_info)


def open_way_out():
    """Before the program gets its standard input, whose descriptor is the link to the host until then."""
    streams.start(os.dup(LINK), streams.listen())
    # what pip installs while the program runs is found without a restart; a path that is not there yet would be forgotten
    os.makedirs(PACKAGES, exist_ok=True)
    sys.path.append(PACKAGES)
