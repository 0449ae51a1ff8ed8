// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { keepUnwritten, takeUnwritten, unwrittenRuns } from './unwritten-runs.ts'

test('takeUnwritten() gives a run to one window, and unwrittenRuns() those of one file', () => {
  const run = { runId: 'run_1', path: 'a.ipynb', key: 'one', source: 'x = 1' }
  expect(keepUnwritten('wsp_1', run)).toBe(true)
  keepUnwritten('wsp_1', { ...run, runId: 'run_2', path: 'b.ipynb' })
  keepUnwritten('wsp_2', { ...run, runId: 'run_3' })
  localStorage.setItem('coherex.draft.unwritten.wsp_1.run_4', 'no JSON')
  expect(unwrittenRuns('wsp_1', 'a.ipynb')).toEqual([run])
  expect([takeUnwritten('wsp_1', 'run_1'), takeUnwritten('wsp_1', 'run_1')]).toEqual([true, false])
  expect(unwrittenRuns('wsp_1', 'a.ipynb')).toEqual([])
})
