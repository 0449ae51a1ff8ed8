import type { AgentDefinition, AgentSummary } from '@coherex/contract'
import { ownerOf } from '../definition/create-holding.ts'
import type { AgentRow, AgentVersionRow } from './agent-tables.ts'
import type { BuiltInAgent } from './built-in-agents.ts'
import { requireDefinition } from './require-definition.ts'

/** An agent with one version of its definition, as the loop and the API use it. */
export interface StoredAgent extends AgentSummary {
  source: string
  definition: AgentDefinition
}

type Counts = Pick<AgentSummary, 'newestVersion' | 'proposals'>

export function toStoredAgent(
  row: AgentRow,
  version: AgentVersionRow,
  { newestVersion, proposals }: Counts,
): StoredAgent {
  return {
    name: row.name,
    description: version.definition.description,
    status: row.status,
    version: version.version,
    newestVersion,
    proposals,
    model: version.definition.model ?? null,
    isBuiltIn: false,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    createdBy: { id: row.createdBy, name: row.createdByName },
    owner: ownerOf(row),
    reach: row.reach,
    source: version.source,
    definition: version.definition,
  }
}

// a built-in agent is as old as the product
const beginning = new Date(0).toISOString()

const maker = { id: 'coherex', name: 'Coherex' }

const none: Counts = { newestVersion: 0, proposals: 0 }

export function toBuiltIn(
  { source, definition }: BuiltInAgent,
  { newestVersion, proposals }: Counts = none,
): StoredAgent {
  return {
    name: definition.name,
    description: definition.description,
    status: 'active',
    version: 0,
    newestVersion,
    proposals,
    model: definition.model ?? null,
    isBuiltIn: true,
    createdAt: beginning,
    updatedAt: beginning,
    createdBy: maker,
    owner: maker,
    reach: 'team',
    source,
    definition,
  }
}

/** A definition that nobody saved, as if it were in use. */
export function toTried(source: string): StoredAgent {
  return { ...toBuiltIn({ source, definition: requireDefinition(source) }), isBuiltIn: false }
}

export function toSummary(agent: StoredAgent): AgentSummary {
  const { source: _source, definition: _definition, ...summary } = agent
  return summary
}
