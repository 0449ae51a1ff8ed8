import { CoherexError, type AgentDefinition, type ApprovalsByTool } from '@coherex/contract'
import { expect, test } from 'vitest'
import type { Database } from '../../base/index.ts'
import type { StoredAgent } from '../../registry/index.ts'
import { refuseToolCall } from './refuse-tool-call.ts'

function refusing(definition: Partial<AgentDefinition>, teamRules: ApprovalsByTool = {}) {
  const rows = Object.entries(teamRules).map(([reference, rule]) => ({ reference, rule }))
  const database = {
    transaction: async (_: unknown, work: (transaction: unknown) => unknown) =>
      work({ select: () => ({ from: () => ({ where: async () => rows }) }) }),
  } as unknown as Database
  const agent = { name: 'desk', definition } as StoredAgent
  const find = async (_: string, name: string) => {
    if (name === 'gone') throw new CoherexError('not_found', 'There is no such tool')
    return { content: { definition: { network: { allow: name === 'mail' ? ['https://mail.example.org/'] : [] } } } }
  }
  const refuse = refuseToolCall(
    { database, find: find as never },
    { ...{ agent, chain: { agents: [], rootThreadId: null } }, caller: { teamId: 'team_a' } as never },
  )
  return (name: string, version?: number, isDirect = true) => refuse({ name, version, isDirect })
}

test('an agent’s code calls the tools that its definition names, in the version it names', async () => {
  const refuse = refusing({ tools: ['run-code', 'tool:invoice', 'tool:rates@3'] })
  expect(await refuse('invoice')).toBeUndefined()
  expect(await refuse('rates', 3)).toBeUndefined()
  expect(await refuse('invoice', 2)).toBe('the agent "desk" is not given tool:invoice@2')
  expect(await refuse('rates')).toBe('the agent "desk" is not given tool:rates')
  expect(await refuse('refund')).toBe('the agent "desk" is not given tool:refund')
  // what a tool of its own calls is that tool's affair
  expect(await refuse('refund', undefined, false)).toBeUndefined()
})

test('an agent’s code calls nothing that a person is asked about, nor do the tools that it calls', async () => {
  const tools: AgentDefinition['tools'] = ['tool:refund', 'tool:invoice']
  const own = refusing({ tools, approvals: { 'tool:refund': 'always', 'tool:invoice': 'never' } })
  expect(await own('refund')).toContain('a person is asked')
  expect(await own('refund', undefined, false)).toContain('a person is asked')
  expect(await own('invoice')).toBeUndefined()
  const ofTeam = refusing({ tools }, { 'tool:invoice': { ask: 'first-time' } })
  expect(await ofTeam('invoice')).toContain('a person is asked')
})

test('[G05] code of an agent that strangers write to calls no tool with a network, nor do the tools that it calls', async () => {
  const tools: AgentDefinition['tools'] = ['files', 'tool:mail', 'tool:invoice', 'tool:gone']
  const open = refusing({ tools, triggers: [{ webhook: {} }], approvals: { 'tool:mail': 'never' } })
  expect(await open('mail')).toContain('a person is asked')
  expect(await open('mail', undefined, false)).toContain('a person is asked')
  expect(await open('invoice')).toBeUndefined()
  expect(await open('gone')).toBeUndefined()
  expect(await refusing({ tools })('mail')).toBeUndefined()
})
