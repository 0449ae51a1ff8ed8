import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noOptions } from '../../cell/options/typed-options.ts'
import { languageAt } from './program-place.ts'
import { besideEachOther, readDrafts } from './taken-drafts.ts'

const stored = new Map<string, string>()
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
}
beforeEach(() => {
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', { ...storage, getItem: () => null })
})
afterEach(() => {
  vi.unstubAllGlobals()
  stored.clear()
})

const keep = (language: string, draft: unknown) =>
  stored.set(`coherex.draft.scratch.${language}`, typeof draft === 'string' ? draft : JSON.stringify(draft))

test('a draft of the browser becomes files that run in its language, with its options', () => {
  keep('node', { entry: 'main.mjs', files: { 'main.mjs': 'process.exit()' }, options: { args: '--fast' } })
  keep('wasm', { entry: 'main.wasm', files: { 'main.wasm': 'AGFz\nbQE=\n' }, options: {} })
  keep('bash', {
    ...{ entry: 'program', files: { program: 'echo 1', 'a.txt': 'a' }, options: {} },
    binary: { 'b.bin': { base64: 'AA==' } },
  })
  keep('python', 'not JSON')
  stored.set('coherex.scratch.language', 'node')
  const { programs, forget } = readDrafts()
  expect(programs).toEqual([
    { entry: 'main.sh', files: { 'a.txt': 'a', 'b.bin': { base64: 'AA==' }, 'main.sh': 'echo 1' }, options: noOptions },
    { entry: 'main.wasm', files: { 'main.wasm': { base64: 'AGFzbQE=' } }, options: noOptions },
    {
      entry: 'main.mjs',
      files: { 'main.mjs': 'process.exit()' },
      options: { ...noOptions, args: '--fast', runtime: 'process' },
    },
  ])
  expect(programs.map(({ entry, options }) => languageAt(entry, options))).toEqual(['bash', 'wasm', 'node'])
  forget()
  expect([...stored.keys()]).toEqual(['coherex.scratch.language'])
})

test('a program whose files would replace others gets a folder of its own', () => {
  const program = (entry: string) => ({ entry, files: { [entry]: entry, 'rows.csv': '1' }, options: noOptions })
  const placed = besideEachOther(
    [program('main.py'), program('main.ts'), program('main.ts')],
    new Set(['python/a.txt']),
  )
  expect(placed.map(({ entry, files }) => [entry, Object.keys(files)])).toEqual([
    ['main.py', ['main.py', 'rows.csv']],
    ['typescript/main.ts', ['typescript/main.ts', 'typescript/rows.csv']],
    ['typescript-2/main.ts', ['typescript-2/main.ts', 'typescript-2/rows.csv']],
  ])
})
