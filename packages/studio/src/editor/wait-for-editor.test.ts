// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { waitForEditor } from './wait-for-editor.ts'

test('waitForEditor() calls back once: at a sign of a person, or after a rest', () => {
  vi.useFakeTimers()
  vi.stubGlobal('requestIdleCallback', undefined)
  const load = vi.fn<() => void>()
  waitForEditor(load)
  dispatchEvent(new Event('pointermove'))
  dispatchEvent(new Event('keydown'))
  vi.advanceTimersByTime(60_000)
  expect(load).toHaveBeenCalledTimes(1)
  waitForEditor(load)
  vi.advanceTimersByTime(60_000)
  expect(load).toHaveBeenCalledTimes(2)
  waitForEditor(load)()
  dispatchEvent(new Event('pointermove'))
  vi.advanceTimersByTime(60_000)
  expect(load).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})
