import type { AgentDefinition } from '@coherex/contract'
import { describe, expect, test } from 'vitest'
import { describeNewly } from './describe-newly.ts'

const base: AgentDefinition = { kind: 'agent', name: 'worker', description: 'Works', instructions: 'Work.' }
const workspace = 'ws_01'

type Change = Partial<AgentDefinition>

const newly: [string, Change, Change, string[]][] = [
  ['the same', { tools: ['bash'] }, { tools: ['bash'] }, []],
  [
    'tools',
    { tools: ['files'] },
    { tools: ['files', 'bash', 'run-code', 'fetch', 'code-mode', 'definitions', 'sleep', 'propose-skill'] },
    [
      'It may run commands in its sandbox.',
      'It may run code in its sandbox.',
      'It may fetch from the addresses of its network.',
      'It may run programs that call its other tools.',
      'It may save drafts of agents and propose changes of agents.',
      'It may sleep, and go on by itself later.',
      'It may propose skills.',
    ],
  ],
  ['files', {}, { tools: ['files'] }, ['It may read and change files of its workspace.']],
  [
    'others',
    {},
    { tools: ['agent:reviewer', 'mcp:github', 'tool:invoice@2'] },
    [
      'It may ask the agent reviewer.',
      'It may use all tools of the MCP server github.',
      'It may use the tool invoice@2.',
    ],
  ],
  ['fewer tools', { tools: ['bash', 'files'] }, { tools: ['files'] }, []],
  [
    'packages',
    { packages: ['polars'] },
    { packages: ['polars', 'npm:es-toolkit@1'] },
    ['Its sandbox has the package npm:es-toolkit@1'],
  ],
  [
    'network',
    { network: { allow: ['https://a.example/'] } },
    { network: { allow: ['https://a.example/', 'https://evil.example/'] } },
    ['It may reach https://evil.example/'],
  ],
  [
    'an approval taken off',
    { tools: ['bash'], approvals: { bash: 'always' } },
    { tools: ['bash'] },
    ['It uses bash without asking a person (until now after a person approved each call).'],
  ],
  [
    'an approval set to never',
    { tools: ['files'], approvals: { files: 'when-writing' } },
    { tools: ['files'], approvals: { files: { ask: 'never' } } },
    ['It uses files without asking a person (until now after a person approved each call that changes something).'],
  ],
  [
    'an approval loosened',
    { tools: ['bash'], approvals: { bash: { ask: 'always', expires: '2h' } } },
    { tools: ['bash'], approvals: { bash: 'first-time' } },
    [
      'It uses bash after a person approved its first call in a conversation (until now after a person approved each call).',
    ],
  ],
  [
    'another approval that asks elsewhere',
    { tools: ['bash'], approvals: { bash: 'first-time' } },
    { tools: ['bash'], approvals: { bash: 'when-writing' } },
    [
      'It uses bash after a person approved each call that changes something (until now after a person approved its first call in a conversation).',
    ],
  ],
  ['an approval tightened', { tools: ['bash'] }, { tools: ['bash'], approvals: { bash: 'always' } }, []],
  [
    'an approval that stands longer',
    { tools: ['bash'], approvals: { bash: { ask: 'always', expires: '1h' } } },
    { tools: ['bash'], approvals: { bash: 'always' } },
    ['Its questions about bash can be answered for longer than now.'],
  ],
  [
    'addresses outside of the network',
    { tools: ['fetch'], approvals: { fetch: 'always' } },
    { tools: ['fetch'], approvals: { fetch: 'outside-allow-list' } },
    [
      'It uses fetch without asking, within its network (until now after a person approved each call).',
      'It may ask a person for addresses outside of its network, and reach those that are approved.',
    ],
  ],
  [
    'an approval that falls with its tool',
    { tools: ['bash'], approvals: { bash: 'always' } },
    { tools: ['files'] },
    ['It may read and change files of its workspace.'],
  ],
  [
    'limits raised',
    { limits: { tokens: 10, costUsd: 0.5, turnsAtOnce: 1 } },
    { limits: { steps: 200, tokens: 20, costUsd: 1, time: '1h', depth: 3, turnsAtOnce: 2 } },
    [
      'Its limit of steps in one turn is 200 (until now 20).',
      'Its limit of tokens in one turn is 20 (until now 10).',
      'Its limit of US dollars for one turn is 1 (until now 0.5).',
      'Its limit of minutes for one turn is 60 (until now 10).',
      'Its limit of agents that ask each other in a row is 3 (until now 2).',
      'Its limit of turns at once is 2 (until now 1).',
    ],
  ],
  [
    'limits removed',
    { limits: { steps: 5, tokens: 10, costUsd: 0.5 } },
    {},
    [
      'Its limit of steps in one turn is 20 (until now 5).',
      'It has no limit of tokens in one turn (until now 10).',
      'It has no limit of US dollars for one turn (until now 0.5).',
    ],
  ],
  ['limits lowered', {}, { limits: { steps: 3, tokens: 10 } }, []],
  ['skills', { skills: ['a'] }, { skills: ['a', 'b'] }, ['It may load the skill b.']],
  ['all skills', { skills: ['a'] }, { skills: 'all' }, ['It may load all skills of the team and of its workspace.']],
  ['fewer skills', { skills: 'all' }, { skills: ['a'] }, []],
  [
    'sources',
    { sources: [{ name: 'crm', access: 'read' }] },
    {
      sources: [
        { name: 'crm', access: 'write' },
        { name: 'sales', access: 'read' },
      ],
    },
    ['It may read and change the source crm.', 'It may read the source sales.'],
  ],
  [
    'triggers',
    { triggers: [{ schedule: '0 8 * * *' }] },
    {
      triggers: [
        { schedule: '0 8 * * *' },
        { schedule: '* * * * *', timezone: 'Europe/Berlin' },
        { webhook: {} },
        { event: 'file-changed', paths: ['*.md'], workspace },
      ],
    },
    [
      'It starts by itself at the times * * * * * (Europe/Berlin).',
      'It starts by itself when a signed request reaches its webhook.',
      'It starts by itself on the event file-changed of *.md in the workspace ws_01.',
    ],
  ],
  [
    'words of a trigger',
    { triggers: [{ schedule: '0 8 * * *', input: 'Report.' }] },
    { triggers: [{ schedule: '0 8 * * *', input: 'Send it all.' }] },
    ['It starts by itself at the times 0 8 * * * (UTC).'],
  ],
  [
    'the rest',
    { model: 'openai/gpt-5' },
    { instructions: 'Obey.', description: 'Obeys', context: { messages: 500 } },
    [
      'It works with the team’s default model (until now with openai/gpt-5).',
      'It sees the last 500 messages of a conversation (until now 50).',
      'It follows other instructions.',
      'People and agents read another description of it.',
    ],
  ],
]

describe('describeNewly() names', () => {
  test.each(newly)('%s', (_, before, after, sentences) => {
    expect(describeNewly({ ...base, ...before }, { ...base, ...after })).toEqual(sentences)
  })
})
