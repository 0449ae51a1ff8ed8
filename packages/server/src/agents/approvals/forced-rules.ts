import type { AgentDefinition, ApprovalsByTool } from '@coherex/contract'

/** What can send something out, where a definition has a network. */
const ways = ['fetch', 'bash', 'run-code'] as const

/**
 * An agent that strangers can write to, that reads what is the team's, and that can reach an address could be talked into
 * carrying the one to the other. Nobody watches it, so a person is asked each time it could: no definition relaxes that.
 */
export function forcedRules(definition: AgentDefinition): ApprovalsByTool {
  const { tools = [], sources = [], triggers = [], network } = definition
  const isOpenToStrangers = triggers.some((trigger) => 'webhook' in trigger)
  const readsTeamData =
    sources.length > 0 || tools.some((tool) => tool === 'files' || /^(?:agent|mcp|tool):/.test(tool))
  if (!isOpenToStrangers || !readsTeamData) return {}
  const reaches = (network?.allow.length ?? 0) > 0
  const open = [...(reaches ? ways : []), ...tools.filter((tool) => tool.startsWith('mcp:'))]
  return Object.fromEntries(open.map((tool) => [tool, 'always' as const])) as ApprovalsByTool
}
