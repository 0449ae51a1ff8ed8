import type { Statement } from '../../node/entry-source.ts'
import type { Edit } from './text-edits.ts'

/** A static import as the dynamic one that does the same. Line breaks inside stay, so that lines are what they were. */
export function importEdit(statement: Statement, code: string, names: Set<string>): Edit {
  const { start, end, specifiers = [], attributes = [] } = statement
  const source = JSON.stringify(statement.source?.value ?? '')
  const given = attributes.map(
    ({ key, value }) => `${JSON.stringify(key?.name ?? key?.value)}: ${JSON.stringify(literal(value))}`,
  )
  const call = `await import(${source}${given.length > 0 ? `, { with: { ${given.join(', ')} } }` : ''})`
  const lines = '\n'.repeat(code.slice(start, end).split('\n').length - 1)
  const parts: string[] = []
  let whole: string | undefined
  for (const { type, local, imported } of specifiers) {
    const name = local?.name ?? ''
    names.add(name)
    if (type === 'ImportNamespaceSpecifier') whole = name
    else
      parts.push(
        `${JSON.stringify(type === 'ImportDefaultSpecifier' ? 'default' : (imported?.name ?? imported?.value))}: ${name}`,
      )
  }
  const targets = [...(whole === undefined ? [] : [whole]), ...(parts.length > 0 ? [`{ ${parts.join(', ')} }`] : [])]
  const text = targets.length === 0 ? call : `void (${targets.join(' = ')} = ${call})`
  return { start, end, text: `${text};${lines}` }
}

function literal(node: unknown): unknown {
  return typeof node === 'object' && node !== null && 'value' in node ? node.value : node
}
