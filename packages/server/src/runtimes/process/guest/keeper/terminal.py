"""Terminals of the sandbox's own: loaded when the first one is asked for."""

import fcntl
import os
import struct
import termios

def open_terminal(columns, rows):
    master, slave = os.openpty()
    resize(slave, columns, rows)
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
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
