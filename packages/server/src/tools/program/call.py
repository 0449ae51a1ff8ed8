"""Calls `main` of a tool's module with what came as input, and hands back what it gives."""

import dataclasses
import importlib.util
import inspect
import os
import sys

import coherex

module = sys.modules.get("tool")
# loaded before this call was there, or a package of that name
if getattr(module, "__file__", None) != os.path.abspath(PATH):
    spec = importlib.util.spec_from_file_location("tool", PATH)
    module = importlib.util.module_from_spec(spec)
    sys.modules["tool"] = module
    spec.loader.exec_module(module)
main = getattr(module, "main", None)
if not callable(main):
    raise TypeError(f"{PATH} has no function main")


def arguments():
    given = coherex.input
    parameters = [one for one in inspect.signature(main, eval_str=True).parameters.values() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    if not parameters:
        return [], {}
    if len(parameters) == 1:
        model = parameters[0].annotation
        if hasattr(model, "model_validate"):
            return [model.model_validate(given)], {}
        if hasattr(model, "parse_obj"):
            return [model.parse_obj(given)], {}
        if dataclasses.is_dataclass(model) and isinstance(given, dict):
            return [model(**given)], {}
        # a plain value for a plain parameter, or the parameter by its name
        if not (isinstance(given, dict) and set(given) <= {parameters[0].name} and parameters[0].annotation is not dict):
            return [given], {}
    if not isinstance(given, dict):
        raise TypeError("the input must be an object: main has several parameters")
    return [], given


def plain(value):
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if hasattr(value, "json") and hasattr(value, "parse_obj"):
        import json

        return json.loads(value.json())
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return value


positional, named = arguments()
outcome = main(*positional, **named)
if inspect.isawaitable(outcome):
    import asyncio

    outcome = asyncio.run(outcome)
plain(outcome)
