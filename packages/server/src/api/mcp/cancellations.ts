import type { TeamCaller } from '../../access/index.ts'
import type { BusEvent } from '../../base/index.ts'
import type { Message } from './admitted.ts'
import { sessionHeader } from './mcp-sessions.ts'

export type TellServers = (event: BusEvent) => Promise<void>

const cancelEvent = 'mcp-cancel'

/** A call is cancelled by a message of its own, which may come to another server process than the one that works on it. */
export function createCancellations(tellServers: TellServers, open: ReadonlySet<Message>) {
  return {
    async cancel(caller: TeamCaller, session: string, requestId: unknown): Promise<void> {
      const isId = typeof requestId === 'number' || (typeof requestId === 'string' && requestId.length <= 200)
      if (!isId) return
      await tellServers({ teamId: caller.teamId, type: cancelEvent, id: toMark(caller, session, requestId) })
    },

    hear({ teamId, type, id }: BusEvent): void {
      if (type !== cancelEvent) return
      for (const { request, body, visit, end } of open) {
        const session = request.headers.get(sessionHeader)
        const { id: requestId } = (body ?? {}) as { id?: unknown }
        if (session === null || visit.caller.teamId !== teamId) continue
        if (toMark(visit.caller, session, requestId) === id) end.abort()
      }
    },
  }
}

/** Which call: a number and the same number in quotes are two ids. */
const toMark = ({ credentialId }: TeamCaller, session: string, requestId: unknown) =>
  `${credentialId} ${session.slice(0, 100)} ${JSON.stringify(requestId)}`
