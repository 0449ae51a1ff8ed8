import { expect, test } from 'vitest'
import { createBuiltins } from './guest/node/builtins.ts'
import { findMissingFunction } from './missing-functions.ts'

test.each([
  ['import { createReadStream } from "node:fs"', 'node:fs createReadStream'],
  ['import fs, { readFile, openSync as open } from "fs"', 'node:fs openSync'],
  ['import { parseArgs } from "node:util"\nparseArgs()', 'node:util parseArgs'],
  ['import fs from "node:fs"\nfs.readFileSync("a")\nfs.createWriteStream("b")', 'node:fs createWriteStream'],
  ['import * as path from "path"\npath.win32.join("a")', 'node:path win32'],
  ['import { promises as files } from "node:fs"\nawait files.open("a")', 'node:fs/promises open'],
  ['import { default as util } from "node:util"\nutil.styleText("red", "a")', 'node:util styleText'],
])('%j needs %j', (text, expected) => {
  expect(findMissingFunction(text)).toBe(expected)
})

test.each([
  'import { readFile, writeFileSync } from "node:fs"',
  'import { nothingNodeHas } from "node:fs"',
  'import type { ReadStream } from "node:fs"',
  'import { type ReadStream, readFileSync } from "node:fs"',
  'import fs from "node:fs"\nconst other = { fs: { openSync() {} } }\nother.fs.openSync()',
  'import fs from "./fs.js"\nfs.openSync("a")',
  'const fs = {}\nfs.openSync',
])('%j needs nothing', (text) => {
  expect(findMissingFunction(text)).toBeUndefined()
})

test('a text that names the same things without end is searched once', () => {
  const began = process.threadCpuUsage()
  expect(findMissingFunction('import x from "fs"\n'.repeat(600) + 'x.y;'.repeat(125_000))).toBeUndefined()
  // 12 seconds where each import had a search of its own
  expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(1500)
})

test('the lists are those of the modules, where Node has the same name', () => {
  const builtins = createBuiltins({ start: { capabilities: {} }, env: {}, URL } as never)
  for (const [id, make] of Object.entries(builtins)) {
    if (id === 'coherex') continue
    const own = make()
    const missing = Object.keys(process.getBuiltinModule(id) as object).filter(
      (name) => /^[A-Za-z]\w*$/.test(name) && findMissingFunction(`import { ${name} } from "${id}"`) !== undefined,
    )
    const absent = Object.keys(process.getBuiltinModule(id) as object).filter(
      (name) => /^[A-Za-z]\w*$/.test(name) && !Object.hasOwn(own, name) && name !== 'default',
    )
    expect([id, missing.toSorted()]).toEqual([id, absent.toSorted()])
  }
})

test('a text made to be slow is looked through at once', () => {
  const began = performance.now()
  for (const unit of ['import ', 'import {', 'import a, ', 'import * as fs from "fs"\n', 'import\n\n\n\n', 'fs.']) {
    findMissingFunction(unit.repeat(2_000_000 / unit.length))
  }
  expect(performance.now() - began).toBeLessThan(2000)
})
