import { agentDefinition } from '@coherex/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { explainInYaml, suggestInYaml } from './help-in-yaml.ts'

const schema = z.toJSONSchema(agentDefinition, { io: 'input' }) as Record<string, unknown>
/** The cursor stands at `¦`. */
function suggest(marked: string) {
  const at = marked.indexOf('¦')
  return suggestInYaml(marked.replace('¦', ''), at, schema)
}
const labels = (marked: string) => suggest(marked)?.suggestions.map(({ label }) => label) ?? []
const snippet = (marked: string, label: string) =>
  suggest(marked)?.suggestions.find((one) => one.label === label)?.snippet

describe('suggestInYaml()', () => {
  test('an empty text gets the fields of an agent, the kind with its value', () => {
    expect(labels('¦').slice(0, 3)).toEqual(['kind', 'name', 'description'])
    expect(snippet('¦', 'kind')).toBe('kind: agent$0')
    expect(snippet('¦', 'tools')).toBe('tools:\n  - $0')
    expect(snippet('¦', 'instructions')).toBe('instructions: |\n  $0')
  })

  test('fields that are there are not offered again, before and after the cursor', () => {
    const found = labels('kind: agent\nli¦\nname: a\n')
    expect(found).toContain('limits')
    expect(found).not.toContain('kind')
    expect(found).not.toContain('name')
  })

  test('fields of an inner mapping, in lines and in braces', () => {
    expect(labels('limits:\n  st¦')).toContain('costUsd')
    expect(labels('limits: { steps: 3, ¦ }')).toEqual(['tokens', 'costUsd', 'time', 'depth', 'turnsAtOnce'])
    expect(snippet('limits: { t¦', 'time')).toBe('time: $0')
  })

  test('values of a list, in lines and in brackets', () => {
    expect(labels('tools:\n  - ba¦')).toContain('bash')
    expect(labels('tools: [files, b¦]')).toContain('run-code')
    expect(labels('tools: [files, b¦')).toContain('run-code')
  })

  test('fields of an item of a list: a trigger of each kind', () => {
    expect(labels('triggers:\n  - ¦')).toEqual(expect.arrayContaining(['schedule', 'webhook', 'event']))
    expect(snippet('triggers:\n  - ev¦', 'paths')).toBe('paths:\n    - $0')
    expect(labels('triggers:\n  - event: ¦')).toContain('file-changed')
  })

  test('names of a mapping by its schema, and their values', () => {
    expect(labels('approvals:\n  ¦')).toContain('bash')
    expect(labels('approvals:\n  bash: ¦')).toContain('always')
  })

  test('nothing in the text of instructions, in a comment and in a list that begins', () => {
    expect(labels('instructions: |\n  do to¦\n')).toEqual([])
    expect(labels('name: a # to¦')).toEqual([])
    expect(labels('tools:\n  -¦')).toEqual([])
  })

  test('the name of a field that has its colon is replaced alone', () => {
    const found = suggest('kind: agent\nlim¦s: { steps: 1 }')
    expect([found?.from, found?.to]).toEqual([12, 16])
    expect(snippet('kind: agent\nlim¦s: { steps: 1 }', 'limits')).toBe('limits')
  })
})

describe('explainInYaml()', () => {
  test('a field has its description, its type and its values', () => {
    const text = 'kind: agent\nlimits:\n  steps: 3\napprovals:\n  bash: always\n'
    expect(explainInYaml(text, text.indexOf('steps'), schema)?.markdown).toBe(
      '**steps** integer\n\nModel calls in one turn; 20 unless said',
    )
    expect(explainInYaml(text, text.indexOf('always'), schema)?.markdown).toContain('`when-writing`')
    expect(explainInYaml('unknown: 1', 2, schema)).toBeUndefined()
  })
})
