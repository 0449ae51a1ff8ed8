import { parse, type Node, type Pattern, type Statement, type ModuleDeclaration } from 'acorn'
import { transform } from 'sucrase'

export interface Block {
  code: string
  /** Its value is a promise of the block's value. */
  isAsync: boolean
  hasValue: boolean
}

interface Edit {
  start: number
  end: number
  text: string
}

/** A block asks for a package, which the browser has none of. */
export class NeedsPackage extends Error {}

/**
 * A block as a script whose declarations stay for the blocks after it, as a cell of the server has it: let, const and class become var.
 * One that awaits becomes an async function that assigns to variables outside of it. Lines stay where they are.
 */
export function readBlock(given: string, isTypeScript: boolean): Block {
  const code = isTypeScript ? transform(given, { transforms: ['typescript'], disableESTransforms: true }).code : given
  const { body } = parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowAwaitOutsideFunction: true })
  const isAsync = awaits(body)
  const edits: Edit[] = []
  const names = new Set<string>()
  const functions: string[] = []
  for (const statement of body) editStatement(statement)
  const last = body.at(-1)
  const hasValue = last?.type === 'ExpressionStatement'
  if (isAsync && hasValue) {
    const { start, end } = last.expression
    edits.push({ start, end: start, text: 'return (' }, { start: end, end, text: ')' })
  }
  const edited = apply(code, edits)
  if (!isAsync) return { code: edited, isAsync, hasValue }
  const declared = names.size > 0 ? `var ${[...names].join(', ')}; ` : ''
  const kept = functions.map((name) => `globalThis.${name} = ${name}; `).join('')
  return { code: `${declared}(async () => { ${kept}${edited}\n})()`, isAsync, hasValue }

  function editStatement(statement: Statement | ModuleDeclaration): void {
    const { start, end } = statement
    switch (statement.type) {
      case 'ImportDeclaration':
        throw new NeedsPackage(`The browser has no packages: "${String(statement.source.value)}" cannot be imported.`)
      case 'ExportNamedDeclaration':
        edits.push({ start, end: statement.declaration?.start ?? end, text: '' })
        if (statement.declaration) editStatement(statement.declaration)
        return
      case 'ExportDefaultDeclaration':
        edits.push({ start, end: statement.declaration.start, text: '' })
        return
      case 'ClassDeclaration':
        names.add(statement.id.name)
        edits.push({ start, end: start, text: `${isAsync ? '' : 'var '}${statement.id.name} = ` })
        edits.push({ start: end, end, text: ';' })
        return
      case 'FunctionDeclaration':
        names.add(statement.id.name)
        functions.push(statement.id.name)
        return
      case 'VariableDeclaration': {
        for (const { id } of statement.declarations) namesOf(id, names)
        const keyword = { start, end: start + statement.kind.length }
        if (!isAsync) return void edits.push({ ...keyword, text: 'var' })
        const until = statement.declarations.at(-1)?.end ?? end
        return void edits.push({ ...keyword, text: 'void (' }, { start: until, end: until, text: ')' })
      }
      default:
    }
  }
}

function apply(code: string, edits: Edit[]): string {
  let edited = code
  for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start || b.end - a.end)) {
    edited = edited.slice(0, start) + text + edited.slice(end)
  }
  return edited
}

function namesOf(pattern: Pattern, names: Set<string>): void {
  switch (pattern.type) {
    case 'Identifier':
      names.add(pattern.name)
      return
    case 'ObjectPattern':
      for (const one of pattern.properties) namesOf(one.type === 'RestElement' ? one.argument : one.value, names)
      return
    case 'ArrayPattern':
      for (const one of pattern.elements) if (one) namesOf(one, names)
      return
    case 'AssignmentPattern':
      return namesOf(pattern.left, names)
    case 'RestElement':
      return namesOf(pattern.argument, names)
    default:
  }
}

/** Whether something awaits outside of any function. */
function awaits(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(awaits)
  if (typeof node !== 'object' || node === null) return false
  const { type } = node as Node
  if (type === 'AwaitExpression' || (type === 'ForOfStatement' && (node as { await?: boolean }).await)) return true
  if (/Function/.test(type) || type === 'ClassBody') return false
  return Object.values(node).some(awaits)
}
