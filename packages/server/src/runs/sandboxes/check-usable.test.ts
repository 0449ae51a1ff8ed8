import { expect, test } from 'vitest'
import { checkUsable } from './check-usable.ts'
import type { SandboxRow } from './sandbox.ts'

const usedAgo = (ms: number, change: Partial<SandboxRow> = {}) =>
  ({
    ...{ id: 'sandbox_1', status: 'running', reason: null, serverId: 'other', idleTimeoutMs: 60_000 },
    ...{ lastUsedAt: new Date(Date.now() - ms), ...change },
  }) as SandboxRow

test('one that this process holds or that sleeps can be used', () => {
  checkUsable(usedAgo(0, { serverId: 'own' }), 'own')
  checkUsable(usedAgo(0, { status: 'sleeping' }), 'own')
})

test('one that has ended says why', () => {
  expect(() => checkUsable(usedAgo(0, { status: 'ended', reason: 'deleted by Ann' }), 'own')).toThrow(
    'Cannot use sandbox "sandbox_1": it has ended, deleted by Ann',
  )
})

test('one of another process is its own, until that has been silent for longer than it could be', () => {
  // the row of one in use is up to a minute old
  for (const ms of [0, 60_000, 150_000]) {
    expect(() => checkUsable(usedAgo(ms), 'own')).toThrow('another server process holds it')
  }
  checkUsable(usedAgo(181_000), 'own')
})
