import { durationToMs, type ApprovalMoment, type ApprovalRule, type ApprovalsByTool } from '@coherex/contract'
import type { StoredAgent } from '../../registry/index.ts'
import type { AgentTool, AskingChain } from '../turn/tool.ts'
import { forcedRules } from './forced-rules.ts'

/** Why a person is asked, and for how long the question stands. */
export interface Asking {
  reason: string
  expiresMs: number
}

const defaultExpiry = '1d'

const reasons: Record<Exclude<ApprovalMoment, 'never'>, string> = {
  always: 'A person is asked before each such call',
  'when-writing': 'A person is asked before anything is changed',
  'outside-allow-list': 'The address is not in the agent’s allow-list',
  'first-time': 'A person is asked the first time in a conversation',
}

/** Whose rules concern a call. */
export interface RuledBy {
  agent: StoredAgent
  chain: AskingChain
  /** For all agents of the team: a definition cannot relax them. */
  teamRules: ApprovalsByTool
}

/**
 * What asks for a person before a call, if anything does: the definition, the team for all of its agents, or what is forced
 * on both. Any of them is enough. The one place where that is decided.
 */
export function findAsking(
  { agent, chain, teamRules }: RuledBy,
  tool: AgentTool,
  { input, wasApprovedHere }: { input: unknown; wasApprovedHere: boolean },
): Asking | undefined {
  const { definition } = agent
  const rules = [definition.approvals, forcedRules(definition, chain.agents), teamRules]
  const asking = rules.flatMap((byTool) => {
    const rule = byTool?.[tool.reference as keyof ApprovalsByTool]
    if (!rule || !asks(momentOf(rule), tool, input, wasApprovedHere)) return []
    const moment = momentOf(rule)
    return moment === 'never' ? [] : { reason: reasons[moment], expiresMs: expiryOf(rule) }
  })
  // of two that ask, the one that stands for a shorter time
  return asking.sort((a, b) => a.expiresMs - b.expiresMs)[0]
}

function asks(moment: ApprovalMoment, tool: AgentTool, input: unknown, wasApprovedHere: boolean): boolean {
  switch (moment) {
    case 'never':
      return false
    case 'always':
      return true
    case 'when-writing':
      return !tool.isReadOnly
    case 'outside-allow-list':
      return tool.isOutside?.(input) ?? false
    case 'first-time':
      return !wasApprovedHere
  }
}

function momentOf(rule: ApprovalRule): ApprovalMoment {
  return typeof rule === 'string' ? rule : rule.ask
}

function expiryOf(rule: ApprovalRule): number {
  return durationToMs(typeof rule === 'string' ? defaultExpiry : (rule.expires ?? defaultExpiry))
}
