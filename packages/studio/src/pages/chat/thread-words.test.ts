import { expect, test } from 'vitest'
import { activityLine } from './thread-words.ts'

const turn = { position: null, wakesAt: null }

test('who waits is told for how long, where that is known', () => {
  expect(activityLine('thinking', turn)).toBe('Thinking')
  expect(activityLine('queued', { ...turn, position: 3 })).toBe('Queued, number 3')
  expect(activityLine('queued', undefined)).toBe('Queued')
  expect(activityLine('sleeping', { ...turn, wakesAt: '2026-11-20T09:30:00' })).toBe(
    'Sleeping until 20 November at 09:30',
  )
  expect(activityLine('sleeping', turn)).toBe('Sleeping')
})
