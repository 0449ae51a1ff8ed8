import type { Run } from '@coherex/contract'
import type { TeamCaller } from '../access/index.ts'
import { actFor as actAs, type Log } from '../base/index.ts'
import type { Tools } from '../tools/index.ts'
import type { StoredDelivery, StoredTrigger } from './tables.ts'

interface ToolDelivery {
  delivery: StoredDelivery
  trigger: StoredTrigger
  caller: TeamCaller
  begun(runId: Run['id']): Promise<void>
}

export interface CallDeps {
  log: Log
  tools: Pick<Tools, 'call'>
}

/**
 * Calls the published version of a trigger's tool, and `begun` before any of its code runs. Resolves once it has begun: what comes
 * of it is the run's matter.
 */
export async function callTool(
  { log, tools }: CallDeps,
  { delivery, trigger, caller, begun }: ToolDelivery,
): Promise<void> {
  const { definition, toolName, kind, id, name } = trigger
  const input = definition.input ?? inputOf(delivery)
  return new Promise((resolve, reject) => {
    actAs(caller.person.id, () =>
      tools.call(
        caller,
        { name: toolName ?? '', input },
        { startedBy: { kind, id, name }, durable: true, onAccepted: begun, onStart: () => resolve() },
      ),
    ).catch((error: unknown) => {
      // one that had begun is told by its run
      log.debug({ error, deliveryId: delivery.id }, 'a call of a trigger ended with an error')
      reject(error as Error)
    })
  })
}

/** What was sent: JSON as what it says, and other texts as they are. */
function inputOf({ body }: Pick<StoredDelivery, 'body'>): unknown {
  const text = body?.toString('utf8') ?? ''
  if (text === '') return {}
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
