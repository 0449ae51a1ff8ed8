import { Buffer } from 'node:buffer'
import { inspect } from 'node:util'
import { Script } from 'node:vm'
import { encodeResult } from '../../../../isolate/guest/result.ts'
import type { FromSession, SessionVariable } from '../../../../protocol/session-messages.ts'

type Page = NonNullable<Extract<FromSession, { type: 'variable' }>['variable']>

const maxVariables = 1000
const maxText = 200
const maxWhole = 100_000
const maxRows = 1000
const maxColumns = 200
const timeoutMs = 250
// a machine that stands still is no time: what got little of the processor has another try
const mostTries = 4
// timers count in whole milliseconds, from one that had begun before
const timerStepMs = 2

// as they are before a cell can change them
const now = performance.now.bind(performance)
const threadUsage = process.threadCpuUsage.bind(process)
const cpuMs = () => {
  const { user, system } = threadUsage()
  return (user + system) / 1000
}

const own = new Set(Object.getOwnPropertyNames(globalThis))
// a script can be stopped after a time, a function cannot: so a script calls it
const look = Symbol.for('coherex.look')
const script = new Script('globalThis[Symbol.for("coherex.look")]()')

/** Names that cells declared, or put on the global object. */
export function listVariables(): SessionVariable[] {
  const names = Object.getOwnPropertyNames(globalThis).filter((name) => !own.has(name))
  return names.sort().slice(0, maxVariables).map(summarise)
}

export function describeVariable(name: string, offset: number, limit: number): Page | undefined {
  if (own.has(name) || !Object.hasOwn(globalThis, name)) return undefined
  const summary = summarise(name)
  const value = read(name)
  const table = inTime(() => pageOf(value, Math.max(0, offset), Math.max(0, Math.min(limit, maxRows))))
  if (table) return { ...summary, table }
  const text = inTime(() => (typeof value === 'string' ? value : inspect(value, { depth: 4 })).slice(0, maxWhole))
  return { ...summary, text: text ?? summary.value }
}

/** Names of this call and later ones that are the session's own, not variables. */
export function hideGlobals(names: readonly string[]): void {
  for (const name of names) own.add(name)
}

function summarise(name: string): SessionVariable {
  const value = read(name)
  const shown = inTime(() =>
    inspect(value, { depth: 1, maxArrayLength: 20, maxStringLength: maxText, breakLength: Infinity }),
  )
  const short = (shown ?? '…').replaceAll(/\s+/g, ' ')
  return {
    name,
    type: inTime(() => typeOf(value)) ?? typeof value,
    value: short.length > maxText ? `${short.slice(0, maxText - 1)}…` : short,
    ...inTime(() => measure(value)),
  }
}

function read(name: string): unknown {
  return inTime(() => (globalThis as Record<string, unknown>)[name])
}

function typeOf(value: unknown): string {
  if (typeof value === 'function')
    return /^class\b/.test(Function.prototype.toString.call(value)) ? 'class' : 'function'
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  const { constructor } = Object.getPrototypeOf(value) ?? {}
  return typeof constructor === 'function' && constructor.name ? String(constructor.name).slice(0, maxText) : 'object'
}

function measure(value: unknown): { size?: number; shape?: number[] } {
  if (typeof value === 'string') return { size: Buffer.byteLength(value), shape: [value.length] }
  if (Array.isArray(value)) return { shape: [value.length] }
  if (value instanceof Map || value instanceof Set) return { shape: [value.size] }
  if (value instanceof ArrayBuffer) return { size: value.byteLength }
  if (ArrayBuffer.isView(value)) {
    return { size: value.byteLength, ...('length' in value && { shape: [Number(value.length)] }) }
  }
  return {}
}

function pageOf(value: unknown, offset: number, limit: number): Page['table'] | undefined {
  if (value instanceof Map) {
    const pairs = [...value].slice(offset, offset + limit)
    return tableOf(['key', 'value'], pairs, offset, value.size)
  }
  const isList =
    Array.isArray(value) || value instanceof Set || (ArrayBuffer.isView(value) && !(value instanceof DataView))
  if (!isList) return undefined
  const all = Array.from(value as Iterable<unknown>)
  const shown = all.slice(offset, offset + limit)
  if (shown.length === 0 || !shown.every(isPlain)) {
    return tableOf(
      ['value'],
      shown.map((one) => [one]),
      offset,
      all.length,
    )
  }
  const names = [...new Set(shown.flatMap((row) => Object.keys(row as object)))].slice(0, maxColumns)
  const rows = shown.map((row) => names.map((name) => (row as Record<string, unknown>)[name]))
  return tableOf(names, rows, offset, all.length)
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && typeOf(value) === 'Object'
}

function tableOf(names: string[], rows: unknown[][], offset: number, total: number): Page['table'] {
  const columns = names.map((name, at) => {
    const types = new Set(rows.map((row) => row[at]).flatMap((value) => (value == null ? [] : [typeOf(value)])))
    return { name, type: types.size === 1 ? [...types].join() : 'mixed' }
  })
  return { columns, rows: rows.map((row) => row.map(cell)), offset, total }
}

function cell(value: unknown): unknown {
  if (typeof value === 'object' && value !== null)
    return inspect(value, { depth: 2, breakLength: Infinity }).slice(0, 1000)
  const json = encodeResult(value, 10_000)
  return json === undefined ? null : (JSON.parse(json) as unknown)
}

/** What `make` returns; undefined when it threw or took too long: looking at a value may run code of the guest. */
function inTime<T>(make: () => T): T | undefined {
  Object.defineProperty(globalThis, look, { value: make, configurable: true })
  for (let tries = 1; ; tries++) {
    const [began, used] = [now(), cpuMs()]
    try {
      return script.runInThisContext({ timeout: timeoutMs }) as T
    } catch {
      // what was thrown is not looked at: it may be the guest's
      const stoodStill = now() - began >= timeoutMs - timerStepMs && cpuMs() - used < timeoutMs / 2
      if (!stoodStill || tries === mostTries) return undefined
    }
  }
}
