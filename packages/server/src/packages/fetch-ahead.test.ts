import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fetchAhead } from './fetch-ahead.ts'
import type { PackageSource } from './package-source.ts'
import { createTestSource, type TestSource } from './test-source.ts'

let directory: string
let source: TestSource
let notes: string[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'coherex-ahead-'))
  source = createTestSource('python', { polars: ['1.0'], sympy: ['1.13'] })
  notes = []
})
afterEach(() => rm(directory, { recursive: true }))

const log = { info: (_: object, text: string) => notes.push(text) } as never
const fetch = (names: string[], from: PackageSource = source, signal = new AbortController().signal) =>
  fetchAhead({ source: from, names, directory, log, signal })

test('each name is fetched once, and nothing but what the source keeps stays', async () => {
  await fetch(['polars', 'sympy'])
  expect(source.calls).toEqual({ resolve: 2, layOut: 2 })
  expect(await readdir(join(directory, 'making'))).toEqual([])
  await fetch(['polars', 'sympy'])
  expect(source.calls).toEqual({ resolve: 2, layOut: 2 })
})

test('another Python fetches its own', async () => {
  await fetch(['polars'])
  await fetch(['polars'], { ...source, platform: 'python-3.12' })
  expect(source.calls.layOut).toBe(2)
})

test('one that fails keeps no other away, and is tried again at the next start', async () => {
  await fetch(['nowhere', 'polars'])
  expect(notes).toEqual(['a package was not fetched ahead'])
  source.releases.set('nowhere', ['2.0'])
  await fetch(['nowhere', 'polars'])
  expect(source.calls).toEqual({ resolve: 3, layOut: 2 })
})

test('without an index, or when the server stops, nothing is fetched', async () => {
  source.missing = 'uv is missing'
  await fetch(['polars'])
  expect(notes).toEqual(['no packages are fetched ahead'])
  source.missing = undefined
  await fetch(['polars'], source, AbortSignal.abort())
  expect(source.calls).toEqual({ resolve: 0, layOut: 0 })
})
