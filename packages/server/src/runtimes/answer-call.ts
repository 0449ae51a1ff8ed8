import { CapabilityError, type Capabilities } from '../capabilities/index.ts'
import { createCallTicks } from './call-ticks.ts'
import { fromWire, type HostMessage, toWire } from './protocol/index.ts'

/** Calls of one run that may be under way at once. */
const maxConcurrentCalls = 50

interface Call {
  id: number
  capability: string
  method: string
  args: unknown
}

type AnswerMessage = Extract<HostMessage, { type: 'answer' }>

/** Answers a guest's calls for the length of one run. What it may call is what it was given, looked up by own names only. */
export function createAnswers(capabilities: Capabilities, signal: AbortSignal) {
  let underWay = 0
  const inTurn = createCallTicks()

  const act = async ({ capability, method, args }: Call, taken?: Promise<void>): Promise<unknown> => {
    const held = Object.hasOwn(capabilities, capability) ? capabilities[capability] : undefined
    if (!held) throw new CapabilityError('NOT_GRANTED', `${capability.slice(0, 100)} was not granted to this run`)
    const act = Object.hasOwn(held.methods, method) ? held.methods[method] : undefined
    if (!act) throw new CapabilityError('INVALID_ARGUMENT', `${capability} has no method "${method.slice(0, 100)}"`)
    const given = readArguments(args)
    if (!given) throw new CapabilityError('INVALID_ARGUMENT', `${capability}.${method}: the arguments cannot be read`)
    return act(given, signal, taken)
  }

  return async (call: Call, taken?: Promise<void>): Promise<AnswerMessage> => {
    const { id } = call
    if (underWay >= maxConcurrentCalls) {
      const message = `More than ${maxConcurrentCalls} capability calls at once`
      return { type: 'answer', id, error: { code: 'LIMIT_EXCEEDED', message } }
    }
    underWay++
    try {
      return { type: 'answer', id, value: toWire(await inTurn(() => act(call, taken))) }
    } catch (error) {
      // anything but a refusal meant for the guest is ours, and its text may name things of the host
      const { code, message } =
        error instanceof CapabilityError ? error : { code: 'INTERNAL', message: 'The call failed' }
      return { type: 'answer', id, error: { code, message } }
    } finally {
      underWay--
    }
  }
}

/** The names a guest is told it holds. */
export function methodsOf(capabilities: Capabilities): Record<string, string[]> {
  return Object.fromEntries(Object.entries(capabilities).map(([name, held]) => [name, Object.keys(held.methods)]))
}

function readArguments(args: unknown): unknown[] | undefined {
  try {
    const given = fromWire(args)
    return Array.isArray(given) ? given : undefined
  } catch {
    return undefined
  }
}
