import type { AgentDefinition, ApprovalsByTool } from '@coherex/contract'
import type { StoredAgent } from '../../registry/index.ts'

/** What can send something out, where a definition has a network. */
const ways = ['fetch', 'bash', 'run-code'] as const

/**
 * An agent that strangers can write to, that reads what is the team's, and that can reach an address could be talked into
 * carrying the one to the other. Nobody watches it, so a person is asked each time it could: no definition relaxes that.
 * What agents say to each other carries on both: those that asked count with it.
 */
export function forcedRules(
  definition: AgentDefinition,
  asking: readonly Pick<StoredAgent, 'definition'>[] = [],
): ApprovalsByTool {
  const { tools = [], network } = definition
  const together = [...asking.map((agent) => agent.definition), definition]
  if (!together.some(isOpenToStrangers) || !together.some(readsTeamData)) return {}
  const reaches = (network?.allow.length ?? 0) > 0
  const open = [...(reaches ? ways : []), ...tools.filter((tool) => tool.startsWith('mcp:'))]
  return Object.fromEntries(open.map((tool) => [tool, 'always' as const])) as ApprovalsByTool
}

function isOpenToStrangers({ triggers = [] }: AgentDefinition): boolean {
  return triggers.some((trigger) => 'webhook' in trigger)
}

function readsTeamData({ tools = [], sources = [] }: AgentDefinition): boolean {
  return sources.length > 0 || tools.some((tool) => tool === 'files' || /^(?:agent|mcp|tool):/.test(tool))
}
