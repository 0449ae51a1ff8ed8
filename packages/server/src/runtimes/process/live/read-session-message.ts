import { readGuestMessage, readResult } from '../../protocol/messages.ts'
import type { FromSession, SessionVariable } from '../../protocol/session-messages.ts'
import { isCount, isRecord } from './keeper-messages.ts'

const maxVariables = 10_000
const maxText = 4 * 1024 * 1024
const maxShort = 10_000

/** A session's message if it has the shape of one; the code it runs may have written it. */
export function readSessionMessage(message: unknown): FromSession | undefined {
  if (!isRecord(message)) return undefined
  const { id } = message
  switch (message['type']) {
    case 'ready':
      return { type: 'ready' }
    case 'output':
    case 'display':
    case 'cut':
    case 'call': {
      const read = readGuestMessage(message)
      return read?.type === 'output' || read?.type === 'display' || read?.type === 'cut' || read?.type === 'call'
        ? read
        : undefined
    }
    case 'started':
      return isCount(id) ? { type: 'started', id } : undefined
    case 'stdin-request': {
      const { prompt, secret } = message
      if (!isCount(id) || typeof prompt !== 'string' || typeof secret !== 'boolean') return undefined
      return { type: 'stdin-request', id, prompt: prompt.slice(0, maxShort), secret }
    }
    case 'result':
      return isCount(id) ? { type: 'result', id, ...readResult(message) } : undefined
    case 'error': {
      const read = readGuestMessage({ type: 'error', error: message['error'] })
      if (!isCount(id) || read?.type !== 'error') return undefined
      return { type: 'error', id, error: read.error, ...(message['interrupted'] === true && { interrupted: true }) }
    }
    case 'cell-done':
      return isCount(id) ? { type: 'cell-done', id, truncated: message['truncated'] === true } : undefined
    case 'variables': {
      const { items } = message
      if (!isCount(id) || !Array.isArray(items) || items.length > maxVariables) return undefined
      const read = items.flatMap((item: unknown) => readVariable(item) ?? [])
      return read.length === items.length ? { type: 'variables', id, items: read } : undefined
    }
    case 'complete':
      return isCount(id) ? readCompletions(id, message) : undefined
    case 'variable': {
      if (!isCount(id)) return undefined
      if (message['variable'] === undefined || message['variable'] === null) return { type: 'variable', id }
      const variable = readPage(message['variable'])
      return variable && { type: 'variable', id, variable }
    }
    default:
      return undefined
  }
}

function readVariable(item: unknown): SessionVariable | undefined {
  if (!isRecord(item)) return undefined
  const { name, type, value, size, shape } = item
  if (typeof name !== 'string' || typeof type !== 'string' || typeof value !== 'string') return undefined
  return {
    name: name.slice(0, maxShort),
    type: type.slice(0, maxShort),
    value: value.slice(0, maxShort),
    ...(isCount(size) && { size }),
    ...(Array.isArray(shape) && shape.length <= 64 && shape.every(isCount) && { shape }),
  }
}

const maxCompletions = 1000

function readCompletions(id: number, { prefix, items }: Record<string, unknown>): FromSession | undefined {
  if (typeof prefix !== 'string' || !Array.isArray(items) || items.length > maxCompletions) return undefined
  const read = items.flatMap((item: unknown) => {
    if (!isRecord(item) || typeof item['name'] !== 'string' || typeof item['kind'] !== 'string') return []
    return [{ name: item['name'].slice(0, maxShort), kind: item['kind'].slice(0, 100) }]
  })
  return read.length === items.length
    ? { type: 'complete', id, prefix: prefix.slice(0, maxShort), items: read }
    : undefined
}

type Page = NonNullable<Extract<FromSession, { type: 'variable' }>['variable']>

function readPage(item: unknown): Page | undefined {
  const variable = readVariable(item)
  if (!variable || !isRecord(item)) return undefined
  const { table, text } = item
  const readText = typeof text === 'string' && { text: text.slice(0, maxText) }
  if (table === undefined || table === null) return { ...variable, ...readText }
  const read = readTable(table)
  return read && { ...variable, table: read, ...readText }
}

function readTable(table: unknown): Page['table'] | undefined {
  if (!isRecord(table)) return undefined
  const { columns, rows, offset, total } = table
  if (!Array.isArray(columns) || !Array.isArray(rows) || !isCount(offset) || !isCount(total)) return undefined
  const names = columns.flatMap((column: unknown) => {
    if (!isRecord(column) || typeof column['name'] !== 'string' || typeof column['type'] !== 'string') return []
    return [{ name: column['name'].slice(0, maxShort), type: column['type'].slice(0, maxShort) }]
  })
  if (names.length !== columns.length) return undefined
  const cells = rows.filter((row: unknown): row is unknown[] => Array.isArray(row) && row.length === names.length)
  return cells.length === rows.length ? { columns: names, rows: cells, offset, total } : undefined
}
