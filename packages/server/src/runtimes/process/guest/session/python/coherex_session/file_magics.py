"""Magics about files, the environment and packages: %cd, %env, %%writefile, %%bash, %pip."""

import os
import shlex
import sys

from coherex_session import commands, imports, sets
from coherex_session.magic_error import MagicError

_LOCAL_OPTIONS = ("--no-index", "--find-links", "-f", "--index-url", "-i")
_NETWORK_COMMANDS = ("install", "download")


def cd(shell, line):
    target = line.strip().strip("'\"") or shell.home
    if target == "-":
        target = shell.namespace.get("_oldpwd", os.getcwd())
    before = os.getcwd()
    os.chdir(os.path.expanduser(target))
    shell.namespace["_oldpwd"] = before
    os.environ["PWD"] = os.getcwd()
    print(os.getcwd())


def pwd(shell, line):
    return os.getcwd()


def ls(shell, line):
    shell.system(f"ls {line}")


def env(shell, line):
    if not line:
        return dict(os.environ)
    name, mark, value = line.partition("=") if "=" in line else line.partition(" ")
    if not mark:
        if name not in os.environ:
            raise MagicError(f"There is no variable {name} in the environment")
        return os.environ[name]
    return set_env(shell, line)


def set_env(shell, line):
    name, mark, value = line.partition("=") if "=" in line else line.partition(" ")
    if not mark:
        raise MagicError("Usage: %env NAME=value")
    os.environ[name.strip()] = commands.expand(value.strip(), shell.namespace)
    print(f"env: {name.strip()}={os.environ[name.strip()]}")


def writefile(shell, line, body):
    words = shlex.split(line)
    is_added = words[:1] in (["-a"], ["--append"])
    path = os.path.expanduser(words[-1]) if len(words) == 1 + is_added else ""
    if not path:
        raise MagicError("Usage: %%writefile [-a] file")
    verb = "Appending to" if is_added else "Overwriting" if os.path.exists(path) else "Writing"
    with open(path, "a" if is_added else "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(body.text)
    print(f"{verb} {path}")


def bash(shell, line, body):
    code = commands.run(None, ("/bin/bash", "-s", *shlex.split(line)), body.text)
    if code != 0:
        import subprocess

        raise subprocess.CalledProcessError(code, "bash")


def pip(shell, line):
    words = shlex.split(line)
    # what pip says of a missing network takes it minutes
    wants_network = words[:1] and words[0] in _NETWORK_COMMANDS and not any(
        word.split("=")[0] in _LOCAL_OPTIONS or os.path.exists(word) for word in words[1:]
    )
    asks_host = "COHEREX_INSTALLER" in os.environ
    if wants_network and not asks_host and not any(
        name in os.environ for name in ("HTTPS_PROXY", "PIP_INDEX_URL", "PIP_NO_INDEX")
    ):
        raise MagicError("This sandbox has no network: packages can be installed from its files, or by a template")
    if words[:1] == ["install"]:
        # the system's own folder is read-only, and the home is where the guest may write
        words[1:1] = ["--user", "--break-system-packages", "--no-warn-script-location", "--disable-pip-version-check"]
    program = ("/opt/coherex/front/pip",) if asks_host else (sys.executable, "-m", "pip")
    code = commands.run(None, (*program, *words))
    shell.namespace["_exit_code"] = code
    if code != 0:
        raise MagicError(f"pip ended with code {code}")
    import importlib

    imports.offer(imports.user_packages(shell.home))
    sets.refresh()
    importlib.invalidate_caches()
