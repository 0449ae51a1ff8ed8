import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { languages } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wasmLanguages } from '../../wasm/wasm-languages.ts'
import { findLanguages } from './find-languages.ts'
import { processLanguages } from './languages.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'coherex-languages-'))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/julia'), '#!/bin/sh\necho julia version 1.10.4\n')
  chmodSync(join(folder, 'bin/julia'), 0o755)
})
afterAll(() => rmSync(folder, { recursive: true }))

test('every language of the contract is in a table', () => {
  const known = new Set([...Object.keys(processLanguages), ...Object.keys(wasmLanguages)])
  expect(languages.filter((language) => !known.has(language))).toEqual([])
})

test('a language outside of /usr is shown to guests with its folder, and tells its version', async () => {
  const julia = findLanguages(processLanguages, [join(folder, 'bin')]).get('julia')
  expect(julia).toMatchObject({ binds: [{ host: folder, guest: folder }] })
  expect(julia?.missing).toBeUndefined()
  expect(julia?.command?.run).toEqual(expect.arrayContaining([join(folder, 'bin/julia'), '{entry}']))
  expect(await julia?.version()).toBe('julia version 1.10.4')
})

test('a missing language says what is missing and how to get it', () => {
  const found = findLanguages(processLanguages, [join(folder, 'bin')])
  expect(found.get('r')?.missing).toBe(
    'Rscript is missing: apt-get install -y --no-install-recommends r-base-core, then start Coherex again',
  )
  expect(findLanguages(processLanguages, []).get('julia')?.missing).toMatch(/^julia is missing: .*julialang\.org/)
  expect(findLanguages(wasmLanguages, []).get('c')?.missing).toMatch(
    /^clang and wasm-ld are missing: apt-get .* wasi-libc/,
  )
})
