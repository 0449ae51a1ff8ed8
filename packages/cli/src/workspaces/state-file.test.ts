import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createState, createStateWriter, readState } from './state-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coherex-state-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a folder remembers files whatever they are called', async () => {
  const state = createState('http://127.0.0.1:1', 'wsp_1')
  expect([state.files['constructor'], state.files['__proto__']]).toEqual([undefined, undefined])
  state.files['__proto__'] = { hash: 'a', version: 1 }
  state.sent['toString'] = 'b'
  await createStateWriter(folder, state)()
  const read = await readState(folder)
  expect(Object.entries(read?.files ?? {})).toEqual([['__proto__', { hash: 'a', version: 1 }]])
  expect([read?.files['constructor'], read?.sent['toString']]).toEqual([undefined, 'b'])
})

test('what a folder remembers is written when it is new, or a watched folder would never rest', async () => {
  const state = createState('http://127.0.0.1:1', 'wsp_1')
  const save = createStateWriter(folder, state)
  const written = () => statSync(join(folder, '.coherex/workspace.json')).ino
  await save()
  const first = written()
  await save()
  expect(written()).toBe(first)
  state.files['a'] = { hash: 'a', version: 1 }
  await save()
  expect(written()).not.toBe(first)
})
