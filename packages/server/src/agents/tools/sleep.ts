import { CoherexError, durationToMs } from '@coherex/contract'
import { z } from 'zod'
import { awaitedRequest, sleepEvent, type WakeDoors } from '../turn/sleep-event.ts'
import { defineTool, TurnSleep, type AgentTool, type ToolContext } from '../turn/tool.ts'

const longestMs = 366 * 86_400_000
const duration = z.string().regex(/^[1-9]\d{0,5}[smhd]$/)

/** Rest without a process: the turn is stored, and any server goes on with it when the time or what it waits for has come. */
export function sleepTools(wakes: WakeDoors): AgentTool[] {
  return [
    defineTool({
      name: 'sleep',
      description:
        'Rests for a duration such as 90s, 10m, 2h or 7d, or until a time in ISO 8601 with its zone, an event in the product, or a request to an address of create_wake_url. Give one of the two',
      input: z.strictObject({
        for: duration.optional(),
        until: z.union([z.iso.datetime({ offset: true }), sleepEvent, awaitedRequest]).optional(),
        atMost: duration.optional().describe('How long to wait for an event or a request; 7d unless said'),
      }),
      scope: 'run',
      isReadOnly: true,
      async run(input, context) {
        if ((input.for === undefined) === (input.until === undefined)) {
          throw new CoherexError('invalid_input', 'Give either for or until')
        }
        const now = Date.now()
        if (typeof input.until === 'object') {
          const until = new Date(now + Math.min(longestMs, durationToMs(input.atMost ?? '7d')))
          const text = await wakes.wait(context, place(input.until, context), until)
          if (text !== undefined) return { text }
          throw new TurnSleep(until)
        }
        const until = input.for === undefined ? Date.parse(input.until ?? '') : now + durationToMs(input.for)
        if (until <= now) return { text: 'That time has passed already.' }
        if (until - now > longestMs) throw new CoherexError('invalid_input', 'A year is the longest sleep')
        throw new TurnSleep(new Date(until))
      },
    }),
    defineTool({
      name: 'create_wake_url',
      description:
        'Makes an address that wakes this turn once: hand it to another system, then sleep until { "webhook": id }. Whoever has it can wake you',
      input: z.strictObject({}),
      scope: 'run',
      isReadOnly: true,
      async run(_input, context) {
        const { id, url } = await wakes.address(context)
        return { text: JSON.stringify({ id, url }) }
      },
    }),
  ]
}

function place<Awaited extends object>(awaited: Awaited, { workspaceId }: ToolContext): Awaited {
  if (!('event' in awaited) || awaited.event !== 'file-changed' || 'workspace' in awaited) return awaited
  return workspaceId === null ? awaited : { ...awaited, workspace: workspaceId }
}
