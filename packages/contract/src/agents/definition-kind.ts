import { z } from 'zod'

/** What teams define in texts that have a schema. */
export const definitionKind = z.enum(['agent', 'tool', 'skill'])
export type DefinitionKind = z.infer<typeof definitionKind>
