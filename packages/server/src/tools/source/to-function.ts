import { parseSync } from 'oxc-parser'

const scripts = new Set(['javascript', 'typescript', 'node'])

/** Files that make a program a tool: the entry has a function to call. `isScript` where it had none. */
export function toFunction(
  language: string,
  { entry, code }: { entry: string; code: string },
): { files: Record<string, string>; entry: string; isScript: boolean } {
  if (scripts.has(language)) {
    const made = wrapScript(code, language)
    return { files: { [entry]: made ?? code }, entry, isScript: made !== undefined }
  }
  if (language !== 'python' || /^(?:async\s+)?def\s+main\s*\(/m.test(code))
    return { files: { [entry]: code }, entry, isScript: language !== 'python' }
  const call = entry === 'call.py' ? 'main.py' : 'call.py'
  return { files: { [entry]: code, [call]: callScript(entry) }, entry: call, isScript: true }
}

/** A script as a function whose answer is its last expression; undefined where it exports something by itself. */
function wrapScript(code: string, language: string): string | undefined {
  const { program, errors } = parseSync(`body.${language === 'typescript' ? 'ts' : 'js'}`, code, {
    sourceType: 'module',
    preserveParens: false,
  })
  // what cannot be read says so when its schemas are
  if (errors.length > 0 || program.body.some(({ type }) => type.startsWith('Export'))) return undefined
  const isImport = ({ type }: { type: string }) => type === 'ImportDeclaration'
  const cut = (from: number, to: number) => code.slice(from, to)
  const imports = program.body.filter(isImport).map(({ start, end }) => cut(start, end))
  const last = program.body.at(-1)
  let body = ''
  let at = 0
  for (const statement of program.body) {
    body += cut(at, statement.start)
    if (!isImport(statement)) {
      const isAnswer = statement === last && statement.type === 'ExpressionStatement'
      body += `${isAnswer ? 'return ' : ''}${cut(statement.start, statement.end)}`
    }
    at = statement.end
  }
  body += cut(at, code.length)
  // a block of its own: the script may have names like those of the parameters
  return `${imports.map((one) => `${one}\n`).join('')}export default async (env, input) => {\n{\n${body.trim()}\n}\n}\n`
}

function callScript(entry: string): string {
  return `"""Runs ${JSON.stringify(entry).slice(1, -1)} from top to bottom; its last expression is the output."""

import ast
import pathlib

PATH = pathlib.Path(__file__).with_name(${JSON.stringify(entry)})


def main(input):
    tree = ast.parse(PATH.read_text(), str(PATH))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    scope = {"__name__": "__main__", "__file__": str(PATH), "input": input}
    exec(compile(tree, str(PATH), "exec"), scope)
    return eval(compile(ast.Expression(last.value), str(PATH), "eval"), scope) if last else None
`
}
