import { expect, test } from 'vitest'
import type { Program } from '../runtime.ts'
import { readNeeds } from './refuse-program.ts'

const needsOf = (code: string, files: Record<string, string> = {}, entry = 'src/main.ts') => {
  const program = { language: 'typescript', code, entry, files, packages: [] } as unknown as Program
  return readNeeds(program, (specifier) => specifier === 'lodash')
}
const needsProcess = (code: string, files?: Record<string, string>) => needsOf(code, files).refusal !== undefined

test('readNeeds() asks for what the entry leads to, however far, and not for what lies beside it', () => {
  const beside = {
    'system.cjs': "require('node:os')",
    'other.ts': "import 'left-pad'",
    'src/word.ts': 'export const word = 1',
  }
  expect(needsOf("import { word } from './word'\nword", beside)).toEqual({ packages: [], refusal: undefined })
  expect(needsProcess("import '../other.ts'", beside)).toBe(true)
  expect(needsProcess("await import('../system.cjs')", beside)).toBe(true)
  const chain = {
    'a.ts': "export * from './b.js'",
    'b.ts': "import './a.ts'\nimport lodash from 'lodash'\nimport 'node:net'",
  }
  expect(needsOf("import '/a'", chain)).toEqual({
    packages: ['lodash'],
    refusal: 'the Node module "node:net" needs a process',
  })
})

test('readNeeds() asks for what lies anywhere when a name is put together', () => {
  const files = { 'plugins/net.ts': "import 'node:net'" }
  expect(needsProcess('await import(`../plugins/${name}.ts`)', files)).toBe(true)
  expect(needsProcess('await import (where)', files)).toBe(true)
  expect(needsProcess("await import( './main.ts' )", files)).toBe(false)
})
