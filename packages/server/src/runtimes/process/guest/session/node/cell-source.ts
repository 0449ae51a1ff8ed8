import { createRequire } from 'node:module'
import { parse, type Statement } from '../../node/entry-source.ts'
import { createOriginal, type Place, stripTypes, type Stripped } from '../../node/strip-types.ts'
import { importEdit } from './import-edit.ts'
import { applyEdits, type Edit, type Edited } from './text-edits.ts'

type Visit = (node: Statement, state: undefined, see: (child: Statement) => void) => void

// as the parser is
const walk = createRequire(import.meta.url)('internal/deps/acorn/acorn-walk/dist/walk') as {
  base: Record<string, Visit>
}

export interface CellSource {
  code: string
  /** The place in the cell of one in the code; all from 1. */
  placeOf(line: number, column: number): Place
  /** What stands before the cell on its first line. */
  prefix: string
  /** Its value is a promise, of the cell's value. */
  isAsync: boolean
  /** Whether the cell ends in an expression. */
  hasValue: boolean
  /** What it declares for the cells after it. */
  names: string[]
}

/**
 * A cell as a script whose declarations stay: let, const and class become var, so that the next cell can declare them anew. A cell that
 * awaits or imports becomes an async function that assigns to variables outside of it.
 */
export function readCell(given: string, isTypeScript: boolean): CellSource {
  const { code: plain, map }: Stripped = isTypeScript ? stripTypes(given, 'cell') : { code: given }
  const code = asExpression(plain)
  const { body } = parse(code)
  const isAsync = body.some((statement) => statement.type === 'ImportDeclaration' || awaits(statement))
  const edits: Edit[] = []
  const names = new Set<string>()
  const functions: string[] = []
  for (const statement of body) {
    if (statement.type === 'ImportDeclaration') edits.push(importEdit(statement, code, names))
    else editStatement(withoutExport(statement, edits), { edits, names, functions, isAsync })
  }
  const last = body.at(-1)
  const hasValue = last?.type === 'ExpressionStatement' || last?.type === 'ExportDefaultDeclaration'
  if (isAsync && last && hasValue) {
    const { start, end } = last.expression ?? last.declaration ?? last
    edits.push({ start, end: start, text: 'return (' }, { start: end, end, text: ')' })
  }
  const edited = withLead(applyEdits(code, edits), code === plain ? 0 : 1)
  const original = map ? createOriginal(map) : (line: number, column: number) => ({ line, column })
  const placeOf: CellSource['placeOf'] = (line, column) => original(line, edited.columnOf(line, column))
  if (!isAsync) return { code: edited.code, placeOf, prefix: '', isAsync, hasValue, names: [...names] }
  const declared = names.size > 0 ? `var ${[...names].join(', ')}; ` : ''
  const prefix = `${declared}(async () => { ${functions.map((name) => `globalThis.${name} = ${name}; `).join('')}`
  return { code: `${edited.code}\n})()`, placeOf, prefix, isAsync, hasValue, names: [...names] }
}

interface Editing {
  edits: Edit[]
  names: Set<string>
  functions: string[]
  isAsync: boolean
}

function editStatement(statement: Statement, editing: Editing): void {
  const { edits, names, functions, isAsync } = editing
  const { start, end, type, id } = statement
  if (type === 'ClassDeclaration' && id?.name) {
    names.add(id.name)
    edits.push(
      { start, end: start, text: isAsync ? `${id.name} = ` : `var ${id.name} = ` },
      { start: end, end, text: ';' },
    )
  } else if (type === 'FunctionDeclaration' && id?.name) {
    names.add(id.name)
    functions.push(id.name)
  } else if (type === 'VariableDeclaration' && !isAsync) {
    for (const name of namesOf(statement)) names.add(name)
    if (statement.kind !== 'var') edits.push({ start, end: start + (statement.kind ?? '').length, text: 'var' })
  } else {
    editVariables(statement, editing)
  }
}

/** Declarations of an async cell become assignments: those of its top level, and every var that is not a function's. */
function editVariables(statement: Statement, { edits, names, isAsync }: Editing): void {
  const heads = new Set<Statement>()
  visit(statement, (node) => {
    const head =
      node.type === 'ForStatement' ? node.init : /^For(In|Of)Statement$/.test(node.type) ? node.left : undefined
    if (head?.type === 'VariableDeclaration') heads.add(head)
    if (node.type !== 'VariableDeclaration' || (node.kind !== 'var' && node !== statement)) return
    for (const name of namesOf(node)) names.add(name)
    if (!isAsync) return
    const keyword = { start: node.start, end: node.start + (node.kind ?? '').length }
    if (heads.has(node)) return void edits.push({ ...keyword, text: ' '.repeat(keyword.end - keyword.start) })
    edits.push({ ...keyword, text: 'void (' })
    const declarations = node.declarations ?? []
    for (const { id, init } of declarations) {
      if (!init && id && node.kind === 'let') edits.push({ start: id.end, end: id.end, text: ' = undefined' })
    }
    const end = declarations.at(-1)?.end ?? node.end
    edits.push({ start: end, end, text: ')' })
  })
}

/** A cell has nobody to export to: what it exports, it declares. */
function withoutExport(statement: Statement, edits: Edit[]): Statement {
  const { start, end, type, declaration } = statement
  if (!type.startsWith('Export')) return statement
  if (!declaration) {
    edits.push({ start, end, text: '' })
    return { ...statement, type: 'EmptyStatement' }
  }
  edits.push({ start, end: declaration.start, text: '' })
  return declaration
}

function asExpression(code: string): string {
  // an object is more likely than a block
  if (!/^\s*\{[^]*\}\s*$/.test(code)) return code
  const wrapped = `(${code})`
  try {
    parse(wrapped)
    return wrapped
  } catch {
    return code
  }
}

/** For a cell that was put into brackets. */
function withLead({ code, columnOf }: Edited, lead: number): Edited {
  return { code, columnOf: (line, column) => Math.max(1, columnOf(line, column) - (line === 1 ? lead : 0)) }
}

function awaits(statement: Statement): boolean {
  let found = false
  visit(statement, (node) => {
    found ||= node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await === true)
  })
  return found
}

/** Everything of a statement that is not inside a function or a class. */
function visit(node: Statement, see: (node: Statement) => void): void {
  see(node)
  if (/Function|^Class/.test(node.type)) return
  walk.base[node.type]?.(node, undefined, (child) => visit(child, see))
}

function namesOf(declaration: Statement): string[] {
  const names: string[] = []
  const collect = (pattern: Statement | null | undefined): void => {
    if (!pattern) return
    if (pattern.type === 'Identifier' && pattern.name) names.push(pattern.name)
    if (pattern.type === 'ObjectPattern') for (const one of pattern.properties ?? []) collect(one.value ?? one.argument)
    if (pattern.type === 'ArrayPattern') for (const one of pattern.elements ?? []) collect(one)
    if (pattern.type === 'AssignmentPattern') collect(pattern.left)
    if (pattern.type === 'RestElement') collect(pattern.argument)
  }
  for (const { id } of declaration.declarations ?? []) collect(id)
  return names
}
