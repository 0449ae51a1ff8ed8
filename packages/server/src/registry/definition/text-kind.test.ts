import { expect, test } from 'vitest'
import type { TeamCaller } from '../../access/index.ts'
import { coherex } from './definition-tables.ts'
import { textHeadColumns, textKind, textVersionColumns } from './text-kind.ts'

const heads = coherex.table('recipe', textHeadColumns())
const versions = coherex.table('recipe_version', textVersionColumns<object>('recipe'))
const kind = textKind<typeof heads.$inferSelect, object>({ noun: 'recipe', heads, versions })
const caller = {} as TeamCaller
const head = {} as typeof heads.$inferSelect
const at = (state: 'draft' | 'proposed' | 'approved' | 'rejected') =>
  ({ name: 'soup', version: 2, state }) as typeof versions.$inferSelect

test('textKind() refuses to put a version in use that needs something', () => {
  const needs = [{ message: 'there is no pot' }]
  expect(() => kind.admit(caller, at('proposed'), { head, needs })).toThrow(
    '"soup" cannot be in use yet: there is no pot',
  )
  expect(() => kind.admit(caller, at('proposed'), { head, needs: [] })).not.toThrow()
})

test('textKind() restores only versions that were in use', () => {
  for (const state of ['proposed', 'rejected'] as const) {
    expect(() => kind.admitRestore(caller, at(state))).toThrow(`Version 2 of "soup" is ${state}: it was never in use`)
  }
  for (const state of ['draft', 'approved'] as const) {
    expect(() => kind.admitRestore(caller, at(state))).not.toThrow()
  }
})

test('textKind() gives another digest when what is in use is another one', () => {
  const [one, two] = [
    { source: 'one', definition: {} },
    { source: 'two', definition: {} },
  ]
  expect(kind.digest(one, two)).not.toBe(kind.digest(two, two))
  expect(kind.digest(undefined, two)).not.toBe(kind.digest(one, two))
})
