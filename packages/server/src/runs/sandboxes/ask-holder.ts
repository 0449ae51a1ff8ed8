import { randomUUID } from 'node:crypto'
import { CoherexError, processSignals } from '@coherex/contract'
import { z } from 'zod'
import type { BusEvent, EventBus } from '../../base/index.ts'

/** An act that the server process that holds a sandbox does for another. */
const request = z.discriminatedUnion('act', [
  z.object({ act: z.literal('interrupt'), context: z.string().optional() }),
  z.object({ act: z.literal('kill'), pid: z.number(), signal: z.enum(processSignals) }),
])
export type HolderRequest = z.infer<typeof request>

const asked = z.object({ sandboxId: z.string(), answerTo: z.string(), request })
const answered = z.object({ answerTo: z.string(), done: z.boolean() })

const answerWithinMs = 5_000

/** Has the server process that holds a sandbox act; answers whether there was anything to act on. */
export async function askHolder(
  events: EventBus,
  { teamId, id }: { teamId: string; id: string },
  act: HolderRequest,
): Promise<boolean> {
  const answerTo = randomUUID()
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  const unsubscribe = events.subscribe((event) => {
    const answer = event.type === 'sandbox-answer' ? answered.safeParse(parse(event)) : undefined
    if (answer?.success && answer.data.answerTo === answerTo) resolve(answer.data.done)
  })
  const message = `Cannot reach sandbox "${id}": the server process that holds it does not answer`
  const timer = setTimeout(() => reject(new CoherexError('unavailable', message)), answerWithinMs)
  try {
    const question = { sandboxId: id, answerTo, request: act }
    await events.publish({ teamId, type: 'sandbox-ask', id: JSON.stringify(question) })
    return await promise
  } finally {
    clearTimeout(timer)
    unsubscribe()
  }
}

/** Answers a question of another process with `act`, which answers undefined where the sandbox is not held here. */
export async function answerAsker(
  events: EventBus,
  event: BusEvent,
  act: (teamId: string, id: string, wanted: HolderRequest) => Promise<boolean> | undefined,
): Promise<void> {
  const question = event.type === 'sandbox-ask' && event.teamId ? asked.safeParse(parse(event)) : undefined
  if (!question?.success || !event.teamId) return
  const { sandboxId, answerTo, request: wanted } = question.data
  const done = await act(event.teamId, sandboxId, wanted)
  if (done === undefined) return
  await events.publish({ teamId: event.teamId, type: 'sandbox-answer', id: JSON.stringify({ answerTo, done }) })
}

function parse({ id }: BusEvent): unknown {
  try {
    return JSON.parse(id ?? '')
  } catch {
    return undefined
  }
}
