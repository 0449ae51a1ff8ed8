"""Which host a program could not reach: the error of a failed lookup does not say it."""

import re

LOOKUPS = ("getaddrinfo", "create_connection")
HOST = re.compile(r"[\w.-]{1,253}")
MAX_CHAIN = 20


def of(error):
    """As words to put behind the message; empty where it is no such error, or says the host itself."""
    text = str(error) if isinstance(error, OSError) else ""
    for _ in range(MAX_CHAIN):
        if error is None:
            return ""
        if isinstance(error, OSError):
            host, port = _find(error.__traceback__)
            if host is not None:
                return "" if host in text else f" (it asked for {host}:{port})"
        error = error.__cause__ or error.__context__
    return ""


def _find(trace):
    while trace is not None:
        frame, trace = trace.tb_frame, trace.tb_next
        if frame.f_code.co_name in LOOKUPS and frame.f_code.co_filename.endswith("/socket.py"):
            host, port = frame.f_locals.get("host"), frame.f_locals.get("port")
            # of the program, which may give anything: only plain text is told
            if type(host) is str and type(port) is int and HOST.fullmatch(host):
                return host, port
    return None, None
