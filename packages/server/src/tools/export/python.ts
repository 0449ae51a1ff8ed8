import { toArguments, type ExportedTool } from './exported-tool.ts'
import { toPythonName } from './names.ts'
import { toTypes, type Type } from './type-model.ts'

// a JSON text is one of Python too: the same marks, the same escapes
const quote = (text: string): string => JSON.stringify(text)

function callCode({ name, pinned, url }: ExportedTool): string {
  const body = pinned === undefined ? '{"input": input}' : `{"input": input, "version": ${pinned}}`
  return `SERVER = os.environ.get("COHEREX_URL", ${quote(url)})


class ToolError(Exception):
    """The call failed, and this is why."""


def call_tool(input):
    request = urllib.request.Request(
        SERVER.rstrip("/") + ${quote(`/api/v1/tools/${name}/call`)},
        data=json.dumps(${body}).encode(),
        headers={"authorization": "Bearer " + os.environ["COHEREX_API_KEY"], "content-type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request) as response:
            answer = json.load(response)
    except urllib.error.HTTPError as error:
        try:
            message = json.load(error)["error"]["message"]
        except (ValueError, KeyError, TypeError):
            message = f"the server answers {error.code}"
        raise ToolError(message) from None
    run = answer["run"]
    if run["status"] != "succeeded":
        raise ToolError(run.get("error", {}).get("message", run["status"]))
    return answer.get("output")
`
}

const imports = 'import json\nimport os\nimport urllib.error\nimport urllib.request\n'

export function toPython(tool: ExportedTool): string {
  const { input, output, named } = toTypes(tool)
  // all at once, as texts: they may name each other in circles
  const types = [...named, { name: 'Input', type: input }, { name: 'Output', type: output }]
  return `from __future__ import annotations

${imports}from typing import Any, Literal, TypedDict

try:
    from typing import NotRequired
except ImportError:  # before 3.11
    from typing_extensions import NotRequired

${types.map(({ name, type }) => define(name, type)).join('\n')}

${callCode(tool)}

def ${toPythonName(tool.name)}(input: Input) -> Output:
    ${quote(tool.description)}
    return call_tool(input)
`
}

export function toLangChainPython(tool: ExportedTool): string {
  const { schema, isWrapped } = toArguments(tool)
  const name = toPythonName(tool.name)
  return `${imports}
from langchain_core.tools import StructuredTool

${callCode(tool)}

def _call(**given):
    return call_tool(${isWrapped ? 'given["input"]' : 'given'})


${name} = StructuredTool(
    name=${quote(tool.name)},
    description=${quote(tool.description)},
    args_schema=json.loads(${quote(JSON.stringify(schema))}),
    func=_call,
)
`
}

/** A record has a class; every other type is a name for what it stands for. */
function define(name: string, type: Type): string {
  if (type.kind !== 'object') return `${name} = ${print(type, { isText: true })}`
  const fields = type.fields.map(({ name: field, type: of, isRequired }) => {
    const written = print(of, { isText: false })
    // the mark must be seen, what it is around may come later
    return `${quote(field)}: ${isRequired ? quote(written) : `NotRequired[${quote(written)}]`}`
  })
  return `${name} = TypedDict(${quote(name)}, {${fields.join(', ')}})`
}

/** As a text where it stands by itself: what it names may come later. */
function print(type: Type, { isText }: { isText: boolean }): string {
  const written = write(type)
  return isText ? quote(written) : written
}

function write(type: Type): string {
  switch (type.kind) {
    case 'any':
    case 'never':
      return 'Any'
    case 'string':
      return 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'literal': {
      // a number with a point is none of Python's literals
      const values = type.values.filter((value) => typeof value !== 'number' || Number.isInteger(value))
      if (values.length < type.values.length) return 'Any'
      return `Literal[${values.map((value) => (value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value))).join(', ')}]`
    }
    case 'list':
      return `list[${write(type.items)}]`
    case 'map':
      return `dict[str, ${write(type.values)}]`
    case 'object':
      return 'dict[str, Any]'
    case 'union':
      return type.types.map(write).join(' | ')
    case 'named':
      return type.name
  }
}
