import { durationToMs, type ApprovalMoment, type ApprovalRule, type ApprovalsByTool } from '@coherex/contract'
import type { StoredAgent } from '../../registry/index.ts'
import type { AgentTool, AskingChain } from '../turn/tool.ts'
import { forcedRules } from './forced-rules.ts'

/** Why a person is asked, and for how long the question stands. */
export interface Asking {
  reason: string
  expiresMs: number
  /** Whether the answer can stand for the conversation. */
  mayStand: boolean
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

/** What people said in the conversation of a call. */
export interface SaidHere {
  /** Such a call was approved once. */
  wasApproved: boolean
  /** Such calls are approved from now on. */
  isStanding: boolean
}

/**
 * What asks for a person before a call, if anything does: the definition, the team for all of its agents, or what is forced
 * on both. Any of them is enough. An answer that stands for a conversation takes the place of the definition's rule alone,
 * and never opens another address. The one place where that is decided.
 */
export function findAsking(
  { agent, chain, teamRules }: RuledBy,
  tool: AgentTool,
  { input, said }: { input: unknown; said: SaidHere },
): Asking | undefined {
  const { definition } = agent
  const own = definition.approvals
  const asking = [own, forcedRules(definition, chain.agents, tool), teamRules].flatMap((byTool) => {
    const rule = ruleOf(byTool, tool) ?? (byTool === own ? tool.asksUnlessSaid : undefined)
    const moment = rule && momentOf(rule)
    if (!rule || !moment || moment === 'never' || !asks(moment, tool, input, said.wasApproved)) return []
    const mayStand = byTool === own && moment !== 'outside-allow-list'
    if (mayStand && said.isStanding) return []
    return { reason: reasons[moment], expiresMs: expiryOf(rule), mayStand }
  })
  // of two that ask, the one that stands for a shorter time
  const [first] = asking.toSorted((a, b) => a.expiresMs - b.expiresMs)
  return first && { ...first, mayStand: asking.every(({ mayStand }) => mayStand) }
}

function asks(
  moment: Exclude<ApprovalMoment, 'never'>,
  tool: AgentTool,
  input: unknown,
  wasApprovedHere: boolean,
): boolean {
  switch (moment) {
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

function ruleOf(byTool: ApprovalsByTool | undefined, { reference, group }: AgentTool): ApprovalRule | undefined {
  const of = (name: string | undefined) => (name === undefined ? undefined : byTool?.[name as keyof ApprovalsByTool])
  return of(reference) ?? of(group)
}

function momentOf(rule: ApprovalRule): ApprovalMoment {
  return typeof rule === 'string' ? rule : rule.ask
}

function expiryOf(rule: ApprovalRule): number {
  return durationToMs(typeof rule === 'string' ? defaultExpiry : (rule.expires ?? defaultExpiry))
}
