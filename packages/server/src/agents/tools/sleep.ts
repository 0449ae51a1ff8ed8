import { CoherexError, durationToMs } from '@coherex/contract'
import { z } from 'zod'
import { defineTool, TurnSleep, type AgentTool } from './tool.ts'

const longestMs = 366 * 86_400_000

/** Rest without a process: the turn is stored, and any server goes on with it when the time has come. */
export function sleepTool(): AgentTool {
  return defineTool({
    name: 'sleep',
    description:
      'Rests for a duration such as 90s, 10m, 2h or 7d, or until a time in ISO 8601 with its zone. Give one of the two',
    input: z.strictObject({
      for: z
        .string()
        .regex(/^[1-9]\d{0,5}[smhd]$/)
        .optional(),
      until: z.iso.datetime({ offset: true }).optional(),
    }),
    isReadOnly: true,
    async run(input, { depth }) {
      if (depth > 0) throw new CoherexError('forbidden', 'An agent that another one asked cannot sleep: answer it')
      if ((input.for === undefined) === (input.until === undefined)) {
        throw new CoherexError('invalid_input', 'Give either for or until')
      }
      const now = Date.now()
      const until = input.for === undefined ? Date.parse(input.until ?? '') : now + durationToMs(input.for)
      if (until <= now) return { text: 'That time has passed already.' }
      if (until - now > longestMs) throw new CoherexError('invalid_input', 'A year is the longest sleep')
      throw new TurnSleep(new Date(until))
    },
  })
}
