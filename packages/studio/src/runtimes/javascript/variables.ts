import type { SandboxVariable, SandboxVariablePage } from '@coherex/contract'
import { inspect, toJson } from '../inspect.ts'
import type { Answer, Question } from '../runtime-messages.ts'

const longest = 200
const scope = globalThis as unknown as Record<string, unknown>

/** Looks at what blocks declared: names of the global object that were not there before. */
export function createLook(): (question: Question) => Answer {
  const own = new Set(Object.getOwnPropertyNames(scope))
  return (question) => {
    const names = Object.getOwnPropertyNames(scope).filter((name) => !own.has(name))
    if (question.about === 'all') return { variables: names.toSorted().slice(0, 1_000).map(summarise) }
    const { name, offset, limit } = question
    if (!names.includes(name)) return { variable: undefined }
    const table = tableOf(scope[name], offset, limit)
    const rest = table ? { table } : { text: inspect(scope[name]) }
    return { variable: { ...summarise(name), ...rest } }
  }
}

function summarise(name: string): SandboxVariable {
  const value = scope[name]
  const text = (typeof value === 'string' ? JSON.stringify(value) : inspect(value)).replaceAll(/\s+/g, ' ')
  const shown = text.length > longest ? `${text.slice(0, longest - 1)}…` : text
  return { name, type: typeOf(value), value: shown, ...measure(value) }
}

function typeOf(value: unknown): string {
  if (typeof value === 'function') return /^class\b/.test(String(value)) ? 'class' : 'function'
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return (value.constructor?.name as string | undefined) || 'object'
}

function measure(value: unknown): { size?: number; shape?: number[] } {
  if (typeof value === 'string' || Array.isArray(value)) return { shape: [value.length] }
  if (value instanceof Map || value instanceof Set) return { shape: [value.size] }
  if (value instanceof ArrayBuffer) return { size: value.byteLength }
  if (!ArrayBuffer.isView(value)) return {}
  return { size: value.byteLength, ...('length' in value && { shape: [Number(value.length)] }) }
}

function tableOf(value: unknown, offset: number, limit: number): SandboxVariablePage['table'] {
  const page = <T>(all: T[]) => all.slice(offset, offset + limit)
  if (value instanceof Map) return toTable(['key', 'value'], page([...value]), offset, value.size)
  if (!Array.isArray(value)) return undefined
  const shown = page(value as unknown[])
  const isRows = shown.length > 0 && shown.every((one) => typeOf(one) === 'Object')
  if (!isRows)
    return toTable(
      ['value'],
      shown.map((one) => [one]),
      offset,
      value.length,
    )
  const rows = shown as Record<string, unknown>[]
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, 200)
  return toTable(
    names,
    rows.map((row) => names.map((name) => row[name])),
    offset,
    value.length,
  )
}

function toTable(names: string[], rows: unknown[][], offset: number, total: number): SandboxVariablePage['table'] {
  const columns = names.map((name, at) => {
    const types = new Set(rows.map((row) => row[at]).flatMap((one) => (one == null ? [] : [typeOf(one)])))
    return { name, type: types.size === 1 ? [...types].join() : 'mixed' }
  })
  const cell = (value: unknown) =>
    typeof value === 'object' && value !== null ? inspect(value).slice(0, 1_000) : (toJson(value) ?? null)
  return { columns, rows: rows.map((row) => row.map(cell)), offset, total }
}
