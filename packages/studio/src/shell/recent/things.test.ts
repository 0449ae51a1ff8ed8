import { routes } from '@coherex/contract'
import { expect, test } from 'vitest'
import { noThings, readThings, thingAt, thingDeleted, visitThing } from './things.ts'

test('thingAt() and thingDeleted() know the pages and the deletion of everything that is kept', () => {
  const { workspaces, threads, agents, tools, sandboxes } = routes
  const removes = [workspaces.remove, threads.remove, agents.remove, tools.remove, sandboxes.remove]
  expect(removes.map(({ path }) => thingDeleted(path, { id: 'x', name: 'x' })?.kind)).toEqual([
    'workspace',
    'thread',
    'agent',
    'tool',
    'sandbox',
  ])
  expect(thingDeleted(workspaces.removeTag.path, { id: 'x', name: 'x' })).toBeUndefined()
  expect([thingAt('/agents/coder'), thingAt('/agents'), thingAt('/agents/new/blank')]).toEqual([
    { kind: 'agent', id: 'coder' },
    undefined,
    undefined,
  ])
})

test('visitThing() keeps the last twelve, each once', () => {
  const visits = Array.from({ length: 20 }, (_, index) => String(index % 15))
  const { recent } = visits.reduce((now, id) => visitThing(now, { kind: 'thread', id, title: id }), noThings)
  expect(recent.map(({ id }) => id)).toEqual(['4', '3', '2', '1', '0', '14', '13', '12', '11', '10', '9', '8'])
})

test('readThings() takes nothing but things from the store', () => {
  const kept = { kind: 'agent', id: 'coder', title: 'coder' }
  expect(readThings(JSON.stringify({ pinned: [kept, { kind: 'moon', id: 'x', title: '' }, 3], recent: 'x' }))).toEqual({
    pinned: [kept],
    recent: [],
  })
  expect([readThings('{'), readThings(undefined)]).toEqual([noThings, noThings])
})
