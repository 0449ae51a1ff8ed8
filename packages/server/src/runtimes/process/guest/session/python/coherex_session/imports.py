"""Folders of packages that the session adds."""

import os
import sys


def offer(*directories):
    for directory in directories:
        if directory not in sys.path and os.path.isdir(directory):
            sys.path.append(directory)


def user_packages(home):
    """Where `%pip install` puts things."""
    return f"{home}/.local/lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
