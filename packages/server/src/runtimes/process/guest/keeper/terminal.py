"""Terminals of the sandbox's own: loaded when the first one is asked for."""

import fcntl
import os
import termios

def open_terminal(columns, rows):
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (rows, columns))
    return master, slave


def adopt():
    """In the new process, after it got a session of its own."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def end_input(master):
    # the end of input on a terminal is a character
    try:
        os.write(master, termios.tcgetattr(master)[6][termios.VEOF])
    except OSError:
        pass


def resize(master, columns, rows):
    termios.tcsetwinsize(master, (rows, columns))
