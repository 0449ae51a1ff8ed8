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
  expect(needsOf("import { word } from './word'\nword", beside)).toEqual({
    packages: [],
    ofSet: [],
    refusal: undefined,
  })
  expect(needsProcess("import '../other.ts'", beside)).toBe(true)
  expect(needsProcess("await import('../system.cjs')", beside)).toBe(true)
  const chain = {
    'a.ts': "export * from './b.js'",
    'b.ts': "import './a.ts'\nimport lodash from 'lodash'\nimport 'node:net'",
  }
  expect(needsOf("import '/a'", chain)).toEqual({
    packages: ['lodash'],
    ofSet: [],
    refusal: 'the Node module "node:net" needs a process',
  })
})

test('readNeeds() asks for what lies anywhere when a name is put together', () => {
  const files = { 'plugins/net.ts': "import 'node:net'" }
  expect(needsProcess('await import(`../plugins/${name}.ts`)', files)).toBe(true)
  expect(needsProcess('await import (where)', files)).toBe(true)
  expect(needsProcess("await import('../plugins/' + name)", files)).toBe(true)
  expect(needsProcess("await import( './main.ts' )", files)).toBe(false)
})

test('readNeeds() sends CommonJS to a process, as the entry or imported', () => {
  expect(needsOf('with ({ a: 1 }) a', {}, 'main.cjs').refusal).toContain('CommonJS')
  expect(needsProcess("import { a } from './lib.cjs'\na", { 'src/lib.cjs': 'exports.a = 1' })).toBe(true)
})

test.each([
  ['process.stdout.write("a")', 'process.stdout'],
  ['const [, , name = "x"] = process?.argv ?? []', 'process.argv'],
  ['const all = [...process.argv]', 'process.argv'],
  ['const blob = new Blob(["a"])', 'Blob'],
  ['new ReadableStream({})', 'ReadableStream'],
  ['await crypto.subtle.digest("SHA-256", data)', 'crypto.subtle'],
  ['`${process.env.HOME}`', 'process.env'],
  ['import lodash from "lodash"\nlodash.keys(process.env)', 'process.env'],
])('readNeeds() sends what names a global of Node to a process: %s', (code, global) => {
  expect(needsOf(code).refusal).toBe(`the code uses ${global}, which only a process has`)
})

test.each([
  '// process.env',
  'const text = "process.env"',
  'typeof process',
  'this.process.env',
  'item.process.env',
  'const subprocess = {}\nsubprocess.env',
  'const process = { steps: 1 }\nprocess.steps',
  'class File { }\nnew File()',
  'import { Blob } from "./blob.ts"\nnew Blob()',
  'import {\n  Blob,\n  type Part,\n} from "./blob.ts"\nnew Blob()',
  'new Blob()\nfunction* process() {}\nclass Blob {}',
  'const process = {}\nprocess.toString()',
  'const Blob = class {}\nnew Blob()',
  'crypto.randomUUID()',
  'typeof process === "undefined" ? 1 : process.env.HOME',
  'function process(rows) {}\nprocess.env',
])('readNeeds() leaves to the isolate what names none: %s', (code) => {
  expect(needsOf(code, { 'src/blob.ts': 'export class Blob {}' }).refusal).toBeUndefined()
})

test('readNeeds() looks at each word of a text of a stranger once, whatever it declares and names', () => {
  const all = Object.getOwnPropertyNames(process).map((name) => `process.${name};`)
  const parts = [
    'process .',
    'new Blob ',
    'process ',
    'a.',
    '$_9',
    'import ',
    'import process ',
    'const process;',
    'new '.repeat(9),
  ]
  const texts = parts.map((part) => `${all.join('')}${part.repeat(480_000 / part.length)}\ntypeof process`)
  const began = performance.now()
  for (const text of texts) needsOf(text)
  expect(performance.now() - began).toBeLessThan(6000)
})

test('readNeeds() reads each file once, however many import everything', () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `f${index}.js`)
  const began = performance.now()
  needsOf('import(name)', Object.fromEntries(names.map((name) => [name, 'import(name)'])))
  // with a look at all files for each of them, most of a minute
  expect(performance.now() - began).toBeLessThan(6000)
})

test('readNeeds() reads the nearest 2 MB and 10,000 imports of a program, and tells no name without end', () => {
  const isRead = (files: Record<string, string>) => needsProcess("import './a.ts'", files)
  const blank = '\n'.repeat(500_000)
  const linked = Object.fromEntries(
    [...'abcdefg'].map((name, index) => [`src/${name}.ts`, `import './${'bcdefgh'[index]}.ts'${blank}`]),
  )
  expect(isRead({ ...linked, 'src/c.ts': "import 'node:net'" })).toBe(true)
  expect(isRead({ ...linked, 'src/h.ts': "import 'node:net'" })).toBe(false)
  const imports = (count: number) => Array.from({ length: count }, (_, index) => `import"./${index}"\n`).join('')
  expect(needsProcess(`${imports(9_999)}import 'node:net'`)).toBe(true)
  expect(needsProcess(`${imports(10_000)}import 'node:net'`)).toBe(false)
  expect(needsProcess(`import '${'a'.repeat(300)}'`)).toBe(true)
  expect(needsProcess(`import '${'a'.repeat(301)}'`)).toBe(false)
})
