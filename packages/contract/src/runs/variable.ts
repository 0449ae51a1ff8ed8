import { z } from 'zod'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
import { variableName } from './run.ts'

/** Of one workspace, agent or tool. The kernel gives a program 128 KB for one value and about 2 MB for all. */
export const mostVariables = { count: 100, bytes: 256 * 1024 } as const

export const variableValue = text().max(32_768)

/** A setting that code finds in its environment. Not for secrets: whoever may run code can read it. */
export const variable = z.object({
  name: variableName,
  value: variableValue,
  updatedAt: moment,
  updatedBy: z.string(),
})
export type Variable = z.infer<typeof variable>

/** A variable with what it is set for: an agent or a tool has only its name, which is its id too. */
export const ownedVariable = variable.extend({
  owner: z.object({ kind: z.enum(['workspace', 'agent', 'tool']), id: z.string(), name: z.string() }),
})
export type OwnedVariable = z.infer<typeof ownedVariable>
