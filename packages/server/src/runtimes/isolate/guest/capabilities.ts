import { mapDelete, mapGet, mapSet, mapSize } from '../../protocol/held-methods.ts'
import { refuseValues } from '../../protocol/refuse-values.ts'
import { fromWire, toWire, type WireValue } from '../../protocol/value.ts'
import { CapabilityError, placeError } from './errors.ts'
import type { Answer, Host } from './host.ts'

export const maxConcurrentCalls = 50

export type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>

// a program may replace it
const { captureStackTrace } = Error

interface Waiter {
  resolve: (value: unknown) => void
  reject: (reason: unknown) => void
  /** Where the program made the call: the answer comes when nothing of it is on the stack. */
  calledAt: { stack?: unknown }
}

/** Calls to the host: as data out, as data back. */
export function createCalls(host: Pick<Host, 'call' | 'callSync'>) {
  const waiting = new Map<number, Waiter>()
  let lastId = 0

  const call = (capability: string, method: string, args: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const encoded = encodeArguments(capability, method, args)
      if (mapSize(waiting) >= maxConcurrentCalls) {
        throw new CapabilityError(
          'LIMIT_EXCEEDED',
          `${capability}.${method}: more than ${maxConcurrentCalls} calls at once`,
        )
      }
      const id = ++lastId
      const calledAt = {}
      captureStackTrace(calledAt, call)
      mapSet(waiting, id, { resolve, reject, calledAt })
      host.call(id, capability, method, encoded)
    })

  return {
    call,
    callSync(capability: string, method: string, args: unknown[]): unknown {
      return readAnswer(host.callSync(capability, method, encodeArguments(capability, method, args)))
    },
    answer(id: number, text: string): void {
      const waiter = mapGet(waiting, id)
      if (!waiter) return
      mapDelete(waiting, id)
      try {
        waiter.resolve(readAnswer(text))
      } catch (error) {
        if (error instanceof Error) placeError(error, waiter.calledAt.stack)
        waiter.reject(error)
      }
    },
  }
}

export type Calls = ReturnType<typeof createCalls>

export function encodeArguments(capability: string, method: string, args: unknown[]): string {
  let { length } = args
  while (length > 0 && args[length - 1] === undefined) length--
  const given: unknown[] = []
  for (let at = 0; at < length; at++) given[at] = args[at]
  let wire: WireValue
  try {
    wire = toWire(given)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'the arguments cannot be read'
    throw new TypeError(`${capability}.${method}: ${reason}`)
  }
  const refusal = refuseValues(wire)
  if (refusal !== undefined) {
    throw new CapabilityError('LIMIT_EXCEEDED', `${capability}.${method}: the arguments ${refusal}`)
  }
  return JSON.stringify(wire)
}

export function readAnswer(text: string): unknown {
  const answer = JSON.parse(text) as Answer
  if ('error' in answer) throw new CapabilityError(answer.error.code, answer.error.message)
  return fromWire(answer.value)
}

/** A capability with this method has one for every name: `TOOLS.invoice(input)` is the call `("invoice", input)` of it. */
const anyMethod = '*'

function has(methods: string[], method: string): boolean {
  for (let at = 0; at < methods.length; at++) if (methods[at] === method) return true
  return false
}

function open(name: string, calls: Calls, env: Record<string, object>): void {
  env[name] = new Proxy(Object.freeze(env[name]!), {
    get(capability, method) {
      // a promise chain looks for `then` on whatever it is given
      if (typeof method === 'symbol' || method === 'then' || Object.hasOwn(capability, method))
        return (capability as Record<PropertyKey, unknown>)[method]
      return (...args: unknown[]) => calls.call(name, anyMethod, [method, ...args])
    },
  })
}

/** The `env` of a program: each capability an object of its methods, VARS also by name. */
export function createEnv(
  calls: Calls,
  granted: Record<string, string[]>,
  vars: Record<string, string>,
): Record<string, object> {
  const env: Record<string, object> = {}
  for (const [name, methods] of Object.entries(granted)) {
    const capability: Methods = {}
    for (const method of methods) {
      if (method === anyMethod) continue
      const invoke = { [method]: (...args: unknown[]) => calls.call(name, method, args) }[method]
      Object.defineProperty(capability, method, { value: invoke, enumerable: true })
    }
    env[name] = capability
    if (has(methods, anyMethod)) open(name, calls, env)
  }
  env['VARS'] = Object.create(env['VARS'] ?? Object.prototype, Object.getOwnPropertyDescriptors(vars)) as object
  for (const capability of Object.values(env)) Object.freeze(capability)
  return env
}
