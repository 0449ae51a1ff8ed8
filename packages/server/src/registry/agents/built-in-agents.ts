import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentDefinition } from '@coherex/contract'
import { parseDefinition } from './parse-definition.ts'

export interface BuiltInAgent {
  source: string
  definition: AgentDefinition
}

const directory = join(import.meta.dirname, 'built-in')

/** Agents that every team has from the first start. A team that stores one of the same name has its own instead. */
export const builtInAgents: ReadonlyMap<string, BuiltInAgent> = new Map(
  readdirSync(directory).map((file) => {
    const source = readFileSync(join(directory, file), 'utf8')
    const { definition, problems } = parseDefinition(source)
    if (!definition) throw new Error(`the built-in agent ${file} is not valid: ${JSON.stringify(problems)}`)
    return [definition.name, { source, definition }]
  }),
)
