"""Asks the host for packages, and hands what it cannot do to the real program."""

import json
import os
import socket
import sys


class Refused(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def ask(request, on_progress):
    """The packages after the change, and the names that are new or other than before."""
    with socket.create_connection(("127.0.0.1", int(os.environ["COHEREX_INSTALLER"]))) as connection:
        connection.sendall(json.dumps(request).encode("utf-8") + b"\n")
        for line in connection.makefile("r", encoding="utf-8"):
            answer = json.loads(line)
            if answer["type"] == "progress":
                on_progress(answer["text"])
            elif answer["type"] == "done":
                return answer
            else:
                raise Refused(answer["code"], answer["message"])
    raise Refused("unavailable", "the host did not answer")


def change(program, request, is_quiet):
    """The answer; ends the program where there is none."""
    say = (lambda text: None) if is_quiet else lambda text: print(text, flush=True)
    try:
        answer = ask(request, say)
    except OSError as error:
        sys.exit(f"{program}: the host cannot be asked for packages: {error}")
    changed = [f"{one['name']} {one['version']}" for one in answer["changed"]]
    if request.get("remove"):
        say(f"Removed {', '.join(request['remove'])}")
    elif changed:
        say(f"Added {', '.join(changed)}")
    else:
        say(f"Already there: {', '.join(request['requirements'])}")
    return answer


def hand_over(program, words):
    """Becomes the real program, whose doings are outside of the sandbox's lock."""
    if words[:1] and words[0] in ("install", "i", "add", "ci"):
        print(f"{program} itself does this: what it installs is in this sandbox's files, outside of its lock", file=sys.stderr)
    sys.stderr.flush()
    command = _find(program)
    if command is None:
        sys.exit(f"{program}: this sandbox has no {program} of its own, only `{program} install` of packages by name")
    os.execv(command[0], [*command, *words])


def _find(program):
    if program == "pip":
        return [*(_find("python3") or ["/usr/bin/python3"]), "-m", "pip"]
    own = os.path.dirname(os.path.abspath(__file__))
    for place in os.environ.get("PATH", "").split(os.pathsep):
        path = os.path.join(place, program)
        if os.path.abspath(place) != own and os.access(path, os.X_OK) and not os.path.isdir(path):
            return [path]
    return None
