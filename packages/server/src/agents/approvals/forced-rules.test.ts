import type { AgentDefinition } from '@coherex/contract'
import { describe, expect, it } from 'vitest'
import { forcedRules } from './forced-rules.ts'

const definition: AgentDefinition = {
  kind: 'agent',
  name: 'desk',
  description: 'd',
  instructions: 'i',
  tools: ['files', 'fetch', 'bash', 'code-mode', 'mcp:mail'],
  network: { allow: ['https://api.example.org/'] },
  triggers: [{ webhook: {} }],
}

describe('[G05] what the team has, what strangers write and a way out', () => {
  it('together have a person asked about each way out', () => {
    expect(forcedRules(definition)).toEqual({
      fetch: 'always',
      bash: 'always',
      'run-code': 'always',
      'mcp:mail': 'always',
    })
  })

  it('are together also where agents ask each other', () => {
    const open: AgentDefinition = { ...definition, tools: ['agent:desk'], network: { allow: [] } }
    const sender: AgentDefinition = { ...definition, tools: ['fetch'], triggers: [] }
    expect(forcedRules(sender)).toEqual({})
    expect(forcedRules(sender, [{ definition: open }])).toMatchObject({ fetch: 'always' })
  })

  it.each<[string, Partial<AgentDefinition>]>([
    ['nobody outside can write to it', { triggers: [{ schedule: '0 9 * * *' }] }],
    ['it reads nothing of the team', { tools: ['fetch', 'bash'] }],
  ])('are no such thing where %s', (_, change) => {
    expect(forcedRules({ ...definition, ...change })).toEqual({})
  })

  it('needs an address: without one only what brings its own way out is asked about', () => {
    expect(forcedRules({ ...definition, network: { allow: [] } })).toEqual({ 'mcp:mail': 'always' })
  })

  it('counts a tool of the team that has a network of its own', () => {
    const closed: AgentDefinition = { ...definition, tools: ['files', 'tool:mail@2'], network: { allow: [] } }
    const mail = { group: 'tool:mail', reachesOut: true }
    expect(forcedRules(closed, [], mail)).toEqual({ 'tool:mail': 'always' })
    expect(forcedRules(closed, [], { ...mail, reachesOut: false })).toEqual({})
    expect(forcedRules({ ...closed, triggers: [] }, [], mail)).toEqual({})
  })
})
