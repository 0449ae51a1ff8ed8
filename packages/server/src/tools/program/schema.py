"""Reads the schemas that a tool's module declares: Pydantic models, or the types of `main`."""

import dataclasses
import importlib.util
import inspect
import re
import sys
import types
import typing

spec = importlib.util.spec_from_file_location("tool", PATH)
module = importlib.util.module_from_spec(spec)
sys.modules["tool"] = module
spec.loader.exec_module(module)
main = getattr(module, "main", None)

try:
    import pydantic
except ImportError:
    pydantic = None

SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def schema_of(kind):
    if kind is inspect.Signature.empty or kind is typing.Any:
        return True
    if hasattr(kind, "model_json_schema"):
        return kind.model_json_schema()
    if hasattr(kind, "parse_obj"):
        return kind.schema()
    if pydantic is not None and hasattr(pydantic, "TypeAdapter"):
        try:
            return pydantic.TypeAdapter(kind).json_schema()
        except Exception:
            return True
    return plain_schema(kind)


def plain_schema(kind):
    if kind in SIMPLE:
        return {"type": SIMPLE[kind]}
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return {"enum": list(parts)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [schema_of(one) for one in parts]}
    if kind is list or origin in (list, set, frozenset, tuple):
        return {"type": "array", **({"items": schema_of(parts[0])} if parts else {})}
    if kind is dict or origin is dict:
        return {"type": "object", **({"additionalProperties": schema_of(parts[1])} if len(parts) == 2 else {})}
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        required = [one.name for one in dataclasses.fields(kind) if one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING]
        return {"type": "object", "properties": {name: schema_of(hint) for name, hint in hints.items()}, "required": required, "additionalProperties": False}
    return True


def parameter_texts(doc):
    """What a docstring says of each parameter, as Google, NumPy and Sphinx write it."""
    found = {}
    for name, text in re.findall(r"^:param(?:\s+[^:\s]+)*?\s+\*{0,2}(\w+):[ \t]*(.+(?:\n[ \t]+.+)*)", doc, re.M):
        found[name] = text
    google = re.search(r"^(?:Args|Arguments|Parameters):[ \t]*\n((?:[ \t]+.*\n?|\n)+)", doc, re.M)
    if google:
        lines = inspect.cleandoc(google[1])
        for name, text in re.findall(r"^\*{0,2}(\w+)[ \t]*(?:\([^)\n]*\))?:[ \t]*(.+(?:\n[ \t]+.+)*)", lines, re.M):
            found[name] = text
    numpy = re.search(r"^Parameters[ \t]*\n-+[ \t]*\n((?:.+\n?)+)", doc, re.M)
    if numpy:
        for name, text in re.findall(r"^\*{0,2}(\w+)[ \t]*(?::.*)?\n((?:[ \t]+.+\n?)+)", numpy[1], re.M):
            found[name] = text
    return {name: " ".join(text.split()) for name, text in found.items()}


def input_schema():
    parameters = [one for one in inspect.signature(main, eval_str=True).parameters.values() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    if len(parameters) == 1:
        kind = parameters[0].annotation
        is_model = hasattr(kind, "model_json_schema") or hasattr(kind, "parse_obj") or dataclasses.is_dataclass(kind)
        if is_model or kind in (dict, inspect.Signature.empty) or typing.get_origin(kind) is dict:
            return schema_of(kind)
    required = [one.name for one in parameters if one.default is inspect.Signature.empty]
    properties, shared = {}, {}
    doc = inspect.getdoc(main) or ""
    texts = parameter_texts(doc)
    about = " ".join(doc.split("\n\n")[0].split())
    for one in parameters:
        schema = schema_of(one.annotation)
        if isinstance(schema, dict):
            shared.update(schema.pop("$defs", {}))
            if one.default is not inspect.Signature.empty:
                schema = {**schema, "default": one.default}
        if one.name in texts:
            schema = {**(schema if isinstance(schema, dict) else {}), "description": texts[one.name]}
        properties[one.name] = schema
    return {"type": "object", **({"description": about} if about and not about.startswith(":") else {}), "properties": properties, "required": required, "additionalProperties": False, **({"$defs": shared} if shared else {})}


declared = {
    "input": schema_of(module.Input) if hasattr(module, "Input") else input_schema() if callable(main) else True,
    "output": schema_of(module.Output) if hasattr(module, "Output") else schema_of(inspect.signature(main, eval_str=True).return_annotation) if callable(main) else True,
    "callable": callable(main),
}
declared
