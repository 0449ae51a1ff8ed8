import { expect, test } from 'vitest'
import { setField } from '../definitions/edit-yaml.ts'
import { addTrigger, changeTrigger, readTrigger } from '../deliveries/triggers/edit-triggers.ts'
import { readFields, setPackages } from './edit-definition.ts'

const source = `# who
kind: agent
name: helper # the name
description: Helps # in short
instructions: |
  Look at the files first.

  Then say what you found.
limits: { steps: 3 } # few
`

test('setField changes one field, and comments and all else stay as they were written', () => {
  expect(readFields(source)).toEqual({
    description: 'Helps',
    instructions: 'Look at the files first.\n\nThen say what you found.',
    model: '',
    packages: [],
    limits: { steps: '3' },
  })
  expect(setField(source, ['description'], 'Finds')).toBe(source.replace('Helps', 'Finds'))
  expect(setField(source, ['instructions'], 'Look at the files first.\n\nThen stop.')).toBe(
    source.replace('say what you found', 'stop'),
  )
  expect(setField(source, ['limits', 'steps'], 5)).toBe(source.replace('steps: 3', 'steps: 5'))
  expect(setField(source, ['limits', 'steps'], undefined)).not.toContain('limits')
  const withModel = setField(source, ['model'], 'openai/gpt')
  expect(withModel).toBe(`${source}model: openai/gpt\n`)
  expect(setField(withModel, ['model'], undefined)).toBe(source)
})

test('setPackages keeps the packages of the other language', () => {
  const both = setPackages(setPackages(source, 'python', ['polars>=1']), 'javascript', ['es-toolkit@1'])
  expect(both).toBe(`${source}packages:\n  - polars>=1\n  - npm:es-toolkit@1\n`)
  expect(setPackages(setPackages(both, 'python', []), 'javascript', [])).toBe(source)
})

test('setField writes several lines as a block, and reads back what was typed', () => {
  const short = 'kind: agent\ninstructions: Work.\n'
  for (const text of ['One\nTwo', 'One\n', '  indented\nlines', '# no comment\n- no list', '']) {
    const changed = setField(short, ['instructions'], text)
    expect(readFields(changed)?.instructions).toBe(text)
    expect(readFields(setField(changed, ['instructions'], `${text}!`))?.instructions).toBe(`${text}!`)
  }
  expect(setField(short, ['instructions'], 'One\nTwo')).toBe('kind: agent\ninstructions: |\n  One\n  Two\n')
})

test('addTrigger adds to the list or begins it, and JSON stays JSON', () => {
  const first = addTrigger(source, { schedule: '0 9 * * 1-5', timezone: 'Europe/Berlin' })
  expect(first).toBe(`${source}triggers:\n  - schedule: 0 9 * * 1-5\n    timezone: Europe/Berlin\n`)
  const listed = 'triggers:\n  - webhook: {} # deploys\n'
  expect(addTrigger(listed, { event: 'run-failed' })).toBe(`${listed}  - event: run-failed\n`)
  expect(JSON.parse(addTrigger('{"name": "a"}', { webhook: {} }))).toEqual({ name: 'a', triggers: [{ webhook: {} }] })
})

test('readFields reads nothing of what is no definition', () => {
  expect(readFields('description: [a')).toBeUndefined()
  expect(readFields('- a list')).toBeUndefined()
})

test('changeTrigger replaces or removes the trigger of a name, and the others stay as they were written', () => {
  const listed = `triggers:
  - schedule: 0 9 * * 1 # Mondays
  - webhook: {}
    name: deploys
  - schedule: 0 12 * * 5
`
  expect(readTrigger(listed, 'schedule-2')).toEqual({ schedule: '0 12 * * 5' })
  expect(readTrigger(listed, 'deploys')).toEqual({ webhook: {}, name: 'deploys' })
  expect(changeTrigger(listed, 'schedule-2', { schedule: '0 8 * * 5' })).toBe(listed.replace('0 12', '0 8'))
  expect(changeTrigger(listed, 'schedule-1', undefined)).not.toContain('Mondays')
  expect(readTrigger(changeTrigger(listed, 'schedule-1', undefined), 'schedule-1')).toEqual({ schedule: '0 12 * * 5' })
  expect(changeTrigger('name: a\ntriggers:\n  - webhook: {}\n', 'webhook-1', undefined)).toBe('name: a\n')
  expect(() => changeTrigger(listed, 'webhook-9', undefined)).toThrow('no trigger "webhook-9"')
})
