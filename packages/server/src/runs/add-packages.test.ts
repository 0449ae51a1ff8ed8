import { setTimeout as wait } from 'node:timers/promises'
import { CoherexError, type PackageLock } from '@coherex/contract'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { TeamCaller } from '../access/index.ts'
import type { Packages } from '../packages/index.ts'
import { addPackages, checkNeeded, toComeSet, type Adding } from './add-packages.ts'
import type { NeededPackages } from './execute/needed-packages.ts'

const log = pino({ level: 'silent' })
const lock: PackageLock = {
  hash: 'h',
  language: 'javascript',
  requirements: ['a'],
  packages: [
    { name: 'a', version: '1.0.0', integrity: 'sha256-a', size: 1 },
    { name: 'b', version: '2.0.0', integrity: 'sha256-b', size: 1 },
  ],
}
const set = { hash: 'h', language: 'javascript' as const, folder: 'h', modules: ['a', 'b'] }
const needed = (change: Partial<NeededPackages>): NeededPackages => ({
  ...{ language: 'javascript', asked: [], implied: [], lockFile: undefined, isDeclared: false },
  ...change,
})

function world(packages: Partial<Packages>) {
  const printed: string[] = []
  const kept: unknown[] = []
  let waits = 0
  const add = (change: Partial<Adding>) =>
    addPackages(
      {
        packages: { keep: async (...what: unknown[]) => void kept.push(what), ...packages } as Packages,
        workspaces: { get: async () => ({ name: 'Reports' }) } as never,
        sandboxes: {} as never,
        log,
      },
      {
        ...{ caller: { teamId: 'team_a' } as TeamCaller, needed: needed({ asked: ['a'] }), lockHash: undefined },
        ...{ workspaceId: undefined, sandboxId: undefined, signal: new AbortController().signal },
        print: (line) => printed.push(line),
        onWait: () => void waits++,
        ...change,
      },
    )
  return { add, printed, kept, waits: () => waits }
}

test('packages that are there are added without a word, and keep their slot', async () => {
  const { add, printed, waits } = world({ prepare: async () => ({ lock, set }) })
  expect(await add({})).toEqual({ lock, set })
  expect([printed, waits()]).toEqual([[], 0])
})

test('packages that take a while say how far they are, and give their slot away', async () => {
  const { add, printed, waits } = world({
    async prepare(_caller, _asked, { onProgress }) {
      onProgress?.('Resolving a')
      await wait(500)
      onProgress?.('Fetching 1 of 2 packages, 8 MB')
      await wait(1200)
      return { lock, set }
    },
  })
  await add({})
  expect(printed).toEqual([
    'Resolving a',
    'Fetching 1 of 2 packages, 8 MB',
    expect.stringMatching(/^Added a 1\.0\.0 and 1 more in /),
  ])
  expect(waits()).toBe(1)
})

test('a package that was asked for ends the run where it cannot be had; one that is implied does not', async () => {
  const refuse = (code: 'forbidden' | 'unavailable') => {
    return world({ prepare: async () => Promise.reject(new CoherexError(code, 'There is none')) })
  }
  expect(await refuse('unavailable').add({})).toEqual({ error: { kind: 'validation', message: 'There is none' } })
  expect(await refuse('forbidden').add({})).toEqual({ error: { kind: 'denied', message: 'There is none' } })
  const { add, printed } = refuse('unavailable')
  expect(await add({ needed: needed({ implied: ['a'] }) })).toEqual({ notAdded: 'There is none' })
  expect(printed).toEqual(['Packages were not added: There is none'])
})

test('a run that is cancelled while it waits ends as cancelled', async () => {
  const stop = new AbortController()
  const { add } = world({
    prepare: (_caller, _asked, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  })
  const adding = add({ signal: stop.signal })
  await wait(20)
  stop.abort(new Error('cancelled'))
  expect(await adding).toMatchObject({ error: { kind: 'cancelled' } })
})

test('a run that is run again has the lock it had, or a new one where that is gone', async () => {
  const asked: string[] = []
  const prepare: Packages['prepare'] = async () => {
    asked.push('prepare')
    return { lock, set }
  }
  const prepareLock =
    (code?: 'not_found' | 'conflict'): Packages['prepareLock'] =>
    async (_caller, hash) => {
      asked.push(hash)
      if (code) throw new CoherexError(code, 'no')
      return { lock, set }
    }
  await world({ prepare, prepareLock: prepareLock() }).add({ lockHash: 'old' })
  await world({ prepare, prepareLock: prepareLock('not_found') }).add({ lockHash: 'gone' })
  expect(await world({ prepare, prepareLock: prepareLock('conflict') }).add({ lockHash: 'bad' })).toMatchObject({
    error: { message: 'no' },
  })
  expect(asked).toEqual(['old', 'gone', 'prepare', 'bad'])
})

test('the packages that a workspace’s files name are kept for it', async () => {
  const { add, kept } = world({ prepare: async () => ({ lock, set }) })
  await add({ workspaceId: 'wsp_1' })
  await add({ workspaceId: 'wsp_1', needed: needed({ implied: ['a'], isDeclared: true }) })
  await expect
    .poll(() => kept)
    .toEqual([['team_a', { kind: 'workspace', id: 'wsp_1', name: 'Reports' }, ['h'], 'javascript']])
})

test('checkNeeded() refuses what was asked for, and leaves out what is implied and not allowed', async () => {
  const refusal: Packages['refusal'] = async (_team, _language, [name]) => {
    if (name === 'broken name') throw new CoherexError('invalid_input', 'names no package')
    return name === 'evil' ? new CoherexError('forbidden', 'evil is not on the list') : undefined
  }
  const missing: Packages['missing'] = async (_team, { requirements }) =>
    requirements.includes('far') ? new CoherexError('unavailable', 'no registry answers') : undefined
  const check = (one: NeededPackages) => checkNeeded({ refusal, missing } as Packages, 'team_a', one)
  await expect(check(needed({ asked: ['evil'] }))).rejects.toMatchObject({ code: 'forbidden' })
  expect((await check(needed({ implied: ['a', 'evil', 'broken name'] })))?.implied).toEqual(['a'])
  expect(await check(needed({ implied: ['evil'] }))).toBeUndefined()
  expect(await check(needed({ implied: ['far'] }))).toBeUndefined()
  await expect(check(needed({ asked: ['far'] }))).rejects.toMatchObject({ code: 'unavailable' })
  expect(toComeSet(needed({ asked: ['npm:@s/a@1'], implied: ['b@^2'] })).modules).toEqual(['@s/a', 'b'])
})
