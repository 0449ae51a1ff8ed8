import type { HostMessage } from '../../../protocol/messages.ts'
import { refuseValues } from '../../../protocol/refuse-values.ts'
import { fromWire, toWire } from '../../../protocol/value.ts'
import { keepAlive, send } from './channel.ts'

/** A refusal of the host; `code` says which. */
export class CapabilityError extends Error {
  override readonly name = 'CapabilityError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export type Capability = Record<string, (...args: unknown[]) => Promise<unknown>>

const waiting = new Map<number, { resolve(value: unknown): void; reject(reason: Error): void }>()
let lastId = 0

/** A capability with this method has one for every name: `TOOLS.invoice(input)` is the call `("invoice", input)` of it. */
const anyMethod = '*'

export function createCapability(name: string, methods: string[]): Capability {
  const named = methods.filter((method) => method !== anyMethod)
  const capability = Object.fromEntries(
    named.map((method) => [method, (...args: unknown[]) => call(name, method, args)]),
  )
  if (named.length === methods.length) return capability
  return new Proxy(capability, {
    get(_, method) {
      // a promise chain looks for `then` on whatever it is given
      if (typeof method === 'symbol' || method === 'then' || Object.hasOwn(capability, method))
        return Reflect.get(capability, method) as unknown
      return (...args: unknown[]) => call(name, anyMethod, [method, ...args])
    },
  })
}

/** Stands for what the run does not hold: every use of it says so. */
export function createRefusal(name: string): Capability {
  return new Proxy(
    {},
    {
      get(_, method) {
        // a promise chain looks for `then` on whatever it is given
        if (method === 'then' || typeof method === 'symbol') return undefined
        return () => Promise.reject(new CapabilityError('NOT_GRANTED', `${name} was not granted to this run`))
      },
    },
  )
}

export function takeAnswer(message: Extract<HostMessage, { type: 'answer' }>): void {
  const waiter = waiting.get(message.id)
  waiting.delete(message.id)
  keepAlive(waiting.size > 0)
  if ('error' in message) waiter?.reject(new CapabilityError(message.error.code, message.error.message))
  else waiter?.resolve(fromWire(message.value))
}

function call(capability: string, method: string, args: unknown[]): Promise<unknown> {
  const given = [...args]
  while (given.length > 0 && given.at(-1) === undefined) given.pop()
  const id = ++lastId
  return new Promise((resolve, reject) => {
    const wire = toWire(given)
    const refusal = refuseValues(wire)
    if (refusal !== undefined) {
      throw new CapabilityError('LIMIT_EXCEEDED', `${capability}.${method}: the arguments ${refusal}`)
    }
    send({ type: 'call', id, capability, method, args: wire })
    waiting.set(id, { resolve, reject })
    keepAlive(true)
  })
}
