"""What this run may use of its host: coherex.FILES, BASH, FETCH, VARS, ECHO, tools; and its input."""

from typing import Any

input: Any
"""The input the run was started with."""

FILES: Any
BASH: Any
FETCH: Any
VARS: Any
ECHO: Any
tools: Any

class CapabilityError(Exception):
    """A refusal of the host; code says which."""

    code: str

def display(*values: object, **options: object) -> None:
    """Shows values as a notebook does."""

def __getattr__(name: str) -> Any: ...
