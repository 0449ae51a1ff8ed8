import { largestLimits, outgrewIsolate } from '@coherex/contract'
import { expect, test } from 'vitest'
import { defaultRunLimits } from '../run.ts'
import { largerLimits, movedReceipt } from './escalate.ts'

test('a program that is moved has four times as much, and all the time for its processor', () => {
  const limits = { ...defaultRunLimits, timeoutMs: 10_000, cpuMs: 5_000, memoryMb: 200 }
  expect(largerLimits(limits)).toEqual({ ...limits, timeoutMs: 40_000, cpuMs: 40_000, memoryMb: 800 })
})

test('it has at least what a process needs, and no more than anyone may ask', () => {
  expect(largerLimits({ ...defaultRunLimits, memoryMb: 64 }).memoryMb).toBe(512)
  const { timeoutMs, memoryMb } = largestLimits
  expect(largerLimits({ ...defaultRunLimits, timeoutMs, memoryMb })).toMatchObject({ timeoutMs, memoryMb })
})

test('its receipt says where it ran before, once', () => {
  const passedOver = [
    { name: 'isolate' as const, reason: 'not asked for' },
    { name: 'wasm' as const, reason: 'another language' },
  ]
  const from = { id: 'run_1', runtime: null, error: { kind: 'runtime' as const, message: 'no' } }
  expect(movedReceipt({ name: 'process', reason: 'r', passedOver }, from)).toEqual({
    name: 'process',
    reason: 'moved here from the isolate: someone asked for it',
    passedOver: [
      { name: 'isolate', reason: 'someone asked for it (run_1)' },
      { name: 'wasm', reason: 'another language' },
    ],
  })
})

test('a module of Node is a reason to move, and a name that nobody knows is none', () => {
  const runtime = { name: 'isolate' as const, reason: '', passedOver: [] }
  const refused = (why: string) => {
    const message = `CapabilityError: Cannot import "os": ${why}`
    return outgrewIsolate({ runtime, error: { kind: 'denied', message } })
  }
  expect(refused('it is a module of Node, which the isolate has not got')).toBe(
    'it needs a module that the isolate lacks',
  )
  expect(refused('it is not a file of this program or an allowed package')).toBeUndefined()
})
