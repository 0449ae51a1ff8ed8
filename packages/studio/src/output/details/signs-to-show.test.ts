import { expect, test } from 'vitest'
import { signsToShow } from './signs-to-show.ts'

const kill = { kind: 'limit-kill', detail: 'The run took longer than 1500 ms' }
const denied = { kind: 'denied-syscall', detail: 'refused: mount' }

test('the limit that ended a run is told once, as its error', () => {
  const error = { kind: 'timeout', message: kill.detail } as const
  expect(signsToShow({ signs: [kill], error })).toEqual([])
  expect(signsToShow({ signs: [kill, denied], error })).toEqual([denied])
})

test('what was ended at a limit while the run went on is told', () => {
  expect(signsToShow({ signs: [kill] })).toEqual([kill])
  expect(signsToShow({ signs: [kill], error: { kind: 'runtime', message: 'Exited with code 1' } })).toEqual([kill])
})
