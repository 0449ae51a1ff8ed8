import { definitionNouns, definitionVerbs, plainAuditActions } from '@coherex/contract'
import { expect, test } from 'vitest'
import { auditNouns, deedOf, objectOf } from './audit-words.ts'

const definitions = definitionNouns.flatMap((noun) => definitionVerbs.map((verb) => `${noun}.${verb}`))
const actions = [...plainAuditActions, ...definitions]

test('every action of the audit log has words, and no two the same', () => {
  expect(actions.filter((action) => deedOf(action) === action || /[.]|undefined/.test(deedOf(action)))).toEqual([])
  expect(new Set(actions.map(deedOf)).size).toBe(actions.length)
})

test('every noun that teams act on can be filtered by', () => {
  // these are about one person, and few
  const rare = ['person', 'session', 'setup', 'sign-out']
  const nouns = new Set(actions.map((action) => action.split('.')[0] ?? ''))
  expect([...nouns].filter((noun) => !auditNouns.some(({ value }) => value === noun)).toSorted()).toEqual(rare)
})

test('objectOf() names what has no name by its id, and nothing that people did to themselves', () => {
  const actor = { kind: 'person' as const, id: 'per_1', name: 'Ada' }
  expect(objectOf({ actor, target: { kind: 'run', id: 'run_01hxyzabcdef', name: null } })).toBe('…abcdef')
  expect(objectOf({ actor, target: { kind: 'person', id: 'per_1', name: 'Ada' } })).toBeUndefined()
})
