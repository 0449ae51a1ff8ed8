import { expect, test } from 'vitest'
import { checkMachine } from './machine-memory.ts'

const machine = (usedMb: number) => ({ capMb: 1000, overcommit: 2, usedMb: () => usedMb })

test('checkMachine() lets a sandbox in while there is memory and few promises', () => {
  expect(() => checkMachine(machine(900), 1000, 1000)).not.toThrow()
})

test('checkMachine() refuses one when those that are awake use what there is, and says when to come again', () => {
  expect(() => checkMachine(machine(950), 0, 64)).toThrow(
    expect.objectContaining({ code: 'unavailable', status: 503, retryAfterSeconds: 30 }),
  )
})

test('checkMachine() refuses one when more was promised than the machine can stand', () => {
  expect(() => checkMachine(machine(0), 1500, 501)).toThrow('1500 MB are promised to those that are awake, of 2000')
})
