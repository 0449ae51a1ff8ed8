import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OpenSandbox } from '../open-sandbox.ts'
import { BackgroundSaver } from './background-saver.ts'

const log = pino({ level: 'silent' })
const sandbox = (id: string, processes: { exit?: object }[]) =>
  ({ row: { id }, processes: () => processes }) as unknown as OpenSandbox

let awake: Map<string, OpenSandbox>
let saved: string[]
let saver: BackgroundSaver
let save: (open: OpenSandbox) => Promise<void>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  awake = new Map()
  saved = []
  save = async ({ row }) => void saved.push(row.id)
  const sandboxes = { all: () => [...awake.values()], get: (id: string) => awake.get(id) }
  saver = new BackgroundSaver({ awake: sandboxes, save: (open) => save(open), log })
})
afterEach(() => {
  saver.stop()
  vi.useRealTimers()
})

test('a sandbox is saved now and then while a command runs in it', () => {
  awake.set('busy', sandbox('busy', [{ exit: { code: 0 } }, {}]))
  awake.set('done', sandbox('done', [{ exit: { code: 0 } }]))
  awake.set('still', sandbox('still', []))
  vi.advanceTimersByTime(29_999)
  expect(saved).toEqual([])
  vi.advanceTimersByTime(1)
  expect(saved).toEqual(['busy'])
  vi.advanceTimersByTime(30_000)
  expect(saved).toEqual(['busy', 'busy'])
  saver.stop()
  vi.advanceTimersByTime(60_000)
  expect(saved).toEqual(['busy', 'busy'])
})

test('one that was closed meanwhile is left alone, also when it is open again as another', () => {
  const before = sandbox('one', [])
  saver.saveLater(before)
  awake.set('one', sandbox('one', []))
  saver.saveLater(before)
  expect(saved).toEqual([])
})

test('a failure to save is logged and nobody’s end', async () => {
  const warn = vi.spyOn(log, 'warn')
  const failure = new Error('The database is away')
  save = () => Promise.reject(failure)
  const open = sandbox('one', [])
  awake.set('one', open)
  saver.saveLater(open)
  await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce())
  expect(warn.mock.calls[0]?.[0]).toEqual({ error: failure, sandbox: 'one' })
})
