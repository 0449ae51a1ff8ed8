import type { AgentDefinition, ApprovalsByTool } from '@coherex/contract'
import { describe, expect, it } from 'vitest'
import type { StoredAgent } from '../../registry/index.ts'
import type { AgentTool } from '../turn/tool.ts'
import { findAsking } from './find-asking.ts'

const bash = { name: 'bash', reference: 'bash', isReadOnly: false, isOutside: () => true } as unknown as AgentTool

function agentWith(approvals: ApprovalsByTool, more: object = {}): StoredAgent {
  const definition = { kind: 'agent', name: 'a', description: 'd', instructions: 'i', approvals, ...more }
  return { definition: definition as AgentDefinition } as StoredAgent
}

function ask(
  own: ApprovalsByTool,
  {
    teamRules = {},
    isStanding = false,
    more = {},
  }: { teamRules?: ApprovalsByTool; isStanding?: boolean; more?: object } = {},
) {
  const agent = agentWith(own, more)
  const chain = { agents: [], rootThreadId: null }
  return findAsking({ agent, chain, teamRules }, bash, { input: {}, said: { wasApproved: false, isStanding } })
}

const open = { tools: ['files', 'bash'], network: { allow: ['https://a.example/'] }, triggers: [{ webhook: {} }] }

describe('an answer that stands for the conversation', () => {
  it.each(['always', 'when-writing', 'first-time'] as const)('takes the place of “%s” of the definition', (moment) => {
    expect(ask({ bash: moment })).toMatchObject({ mayStand: true })
    expect(ask({ bash: moment }, { isStanding: true })).toBeUndefined()
  })

  it.each<[string, ApprovalsByTool, Parameters<typeof ask>[1]]>([
    ['a rule of the team', {}, { teamRules: { bash: 'always' } }],
    ['a rule of the team beside one of the definition', { bash: 'always' }, { teamRules: { bash: 'when-writing' } }],
    ['what is forced on an agent that strangers write to', { bash: 'always' }, { more: open }],
    ['an address outside of the allow-list', { bash: 'outside-allow-list' }, {}],
  ])('is not offered and does not count for %s', (_, own, given) => {
    expect(ask(own, given)).toMatchObject({ mayStand: false })
    expect(ask(own, { ...given, isStanding: true })).toMatchObject({ mayStand: false })
  })
})

describe('a rule for a tool of the team', () => {
  const pinned = { name: 'tool_invoice', reference: 'tool:invoice@3', group: 'tool:invoice', isReadOnly: false }
  const askFor = (own: ApprovalsByTool, teamRules: ApprovalsByTool = {}) =>
    findAsking(
      { agent: agentWith(own), chain: { agents: [], rootThreadId: null }, teamRules },
      pinned as unknown as AgentTool,
      { input: {}, said: { wasApproved: false, isStanding: false } },
    )

  it('holds for an agent that pins a version', () => {
    expect(askFor({ 'tool:invoice': 'always' } as ApprovalsByTool)).toMatchObject({ mayStand: true })
    expect(askFor({}, { 'tool:invoice': 'always' } as ApprovalsByTool)).toMatchObject({ mayStand: false })
  })

  it('gives way to a rule for the version', () => {
    const rules = { 'tool:invoice': 'always', 'tool:invoice@3': 'never' } as ApprovalsByTool
    expect(askFor(rules)).toBeUndefined()
  })
})
