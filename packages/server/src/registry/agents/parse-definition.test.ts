import { describe, expect, it } from 'vitest'
import { parseDefinition } from './parse-definition.ts'

const good = `kind: agent
name: data-analyst
description: Answers questions about sales
model: anthropic/claude-sonnet-5
instructions: |
  Be exact.
tools: [files, run-code, tool:invoice@3, agent:reviewer]
limits: { steps: 5, costUsd: 0.5, time: 10m }
`

describe('a definition', () => {
  it('is read from YAML', () => {
    const { definition, problems } = parseDefinition(good)
    expect(problems).toEqual([])
    expect(definition).toMatchObject({ name: 'data-analyst', instructions: 'Be exact.\n', limits: { time: '10m' } })
  })

  it('is read from JSON, which is YAML too', () => {
    const { definition } = parseDefinition(
      JSON.stringify({ kind: 'agent', name: 'a', description: 'd', instructions: 'i', tools: ['files'] }, null, 2),
    )
    expect(definition).toMatchObject({ name: 'a', tools: ['files'] })
  })

  it.each([
    [
      'a field that is misspelt',
      good.replace('instructions:', 'instuctions:'),
      { line: 5, column: 1, hint: 'Did you mean “instructions”?' },
    ],
    [
      'a value of the wrong type',
      good.replace('steps: 5', 'steps: five'),
      { line: 8, column: 11, path: 'limits.steps' },
    ],
    [
      'an unknown tool',
      good.replace('run-code', 'run_code'),
      { line: 7, column: 16, path: 'tools.1', hint: 'Did you mean “run-code”?' },
    ],
    [
      'approvals of an unknown tool',
      `${good}approvals: { bsh: always }\n`,
      { line: 9, message: expect.stringContaining('must be one of files'), hint: 'Did you mean “bash”?' },
    ],
    [
      'an unknown rule',
      `${good}approvals: { bash: allways }\n`,
      { line: 9, path: 'approvals.bash', message: expect.stringContaining('must be one of always, never') },
    ],
    ['two documents', `${good}---\n${good}`, { line: 9, message: expect.stringContaining('one definition') }],
    ['a model without provider', good.replace('anthropic/', ''), { line: 4, column: 1, path: 'model' }],
    ['a name that fits no URL', good.replace('data-analyst', 'Data Analyst'), { line: 2, column: 1, path: 'name' }],
    [
      'an address that names no host',
      `${good}network:\n  allow: [https://api.github.com/, "https://"]\n`,
      { line: 10, column: 36, path: 'network.allow.1' },
    ],
    ['text that is no YAML', `${good}  x: [1`, { line: 9 }],
    ['a key given twice', `${good}name: other\n`, { line: 9, column: 1 }],
    [
      'a field below another that is misspelt',
      good.replace('steps: 5', 'step: 5'),
      { line: 8, column: 11, path: 'limits.step', hint: 'Did you mean “steps”?' },
    ],
    [
      'a character that an escape makes and no database stores',
      good.replace('Answers questions about sales', '"a\\0b"'),
      { line: 3, column: 14, message: 'has characters that cannot be stored' },
    ],
    ['half a character', good.replace('Answers questions about sales', '"\\ud800"'), { line: 3, column: 14 }],
    [
      'a character that no database stores',
      good.replace('Be exact.', 'Be\0exact.'),
      { line: 6, column: 5, message: 'has characters that cannot be stored' },
    ],
    [
      'a wildcard in an address',
      `${good}network: { allow: ["https://api.test/v1/*"] }\n`,
      { path: 'network.allow.0', message: expect.stringMatching(/^there are no wildcards: /) },
    ],
    ['a list instead of fields', '- kind: agent', { line: 1, column: 1 }],
    ['nothing', '', { line: 1, column: 1 }],
  ])('is refused with its place for %s', (_, source, expected) => {
    const { definition, problems } = parseDefinition(source)
    expect(definition).toBeUndefined()
    expect(problems).toContainEqual(expect.objectContaining(expected))
  })

  it('names each missing field', () => {
    const { problems } = parseDefinition('kind: agent\n')
    expect(problems.map(({ path, message }) => `${path} ${message}`)).toEqual(
      expect.arrayContaining(['name is missing', 'description is missing', 'instructions is missing']),
    )
  })

  it.each(['[', '{a: ', '- ', '? ', 'a: '])('is refused where it is nested too deeply: %s', (step) => {
    const text = `kind: agent\nname: deep\ninstructions:\n  ${step.repeat(41)}`
    const { problems } = parseDefinition(text)
    expect(problems).toEqual([
      { message: 'is nested too deeply', path: '', line: 4, column: 3 + step.length * 40 + step.search(/[^a\s]/) },
    ])
  })

  it.each<[string, (index: number) => string]>([
    ['keys', (index) => `k${index}: 1\n`],
    ['keys of limits', (index) => `${index ? '' : 'limits:\n'} k${index}: 1\n`],
    ['tools', (index) => `${index ? '' : 'tools:\n'}- x\n`],
    ['commas', (index) => (index ? ',' : '[')],
    ['quotes', () => '""'],
    ['directives', () => '%\n'],
    ['aliases', (index) => (index ? `k${index}: *a\n` : 'a: &a x\n')],
  ])('that is nothing but %s is refused before anyone waits for it', (_, part) => {
    let text = ''
    for (let index = 0; text.length < 199_000; index++) text += part(index)
    // the parser alone takes a second for it, and minutes where it compares keys
    expect(parseDefinition(text).problems).toMatchObject([{ message: 'has more parts than any definition needs' }])
  })

  it('may be as long as its fields', () => {
    const lines = Array.from({ length: 4_000 }, (_, index) => `  Line ${index}.`).join('\n')
    const allow = Array.from({ length: 100 }, (_, index) => `    - https://host${index}.example/\n`).join('')
    const comments = '# a word on it\n'.repeat(1_000)
    const text = `${comments}${good.replace('  Be exact.', lines)}network:\n  allow:\n${allow}`
    expect(parseDefinition(text).problems).toEqual([])
  })

  it('may speak of brackets as much as it likes', () => {
    const text = good.replace(/instructions: \|\n.*/, `instructions: "${'[{- '.repeat(60)}"`)
    expect(parseDefinition(text).problems).toEqual([])
    const block = good.replace(/Be exact\./, '[{- '.repeat(60))
    expect(parseDefinition(block).problems).toEqual([])
  })

  it('is refused when aliases would blow it up', () => {
    const levels = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`)
    const { problems } = parseDefinition(`a0: &a0 x\n${levels.join('\n')}\n`)
    expect(problems[0]?.message).toBe('uses too many aliases')
  })
})
