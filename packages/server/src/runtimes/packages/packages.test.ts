import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildScript } from '../build-script.ts'
import { type IsolateSubject, openIsolate } from '../isolate/subject.ts'
import { createFixture, type Fixture } from '../process/process-fixture.ts'
import { runProgram } from '../runtime.contract.ts'
import { allowedPackage, allowedPackages } from './allow-list.ts'
import { BundleStore } from './bundle-store.ts'

vi.mock(import('../build-script.ts'), { spy: true })

const cacheDir = mkdtempSync(join(tmpdir(), 'coherex-packages-'))
let subject: IsolateSubject
let process_: Fixture
beforeAll(async () => {
  // the sandboxes' users read what is in here
  chmodSync(cacheDir, 0o755)
  subject = await openIsolate()
  await subject.runtime.warm()
  process_ = await createFixture(0x700f0000, { bundles: new BundleStore(cacheDir) })
})
afterAll(async () => {
  await Promise.all([subject.close(), process_.close()])
  rmSync(cacheDir, { recursive: true, force: true })
})

/** One use of each package, and what it gives. A package on the list without a line here fails below. */
const uses: Record<string, [code: string, result: unknown]> = {
  ajv: [`import Ajv from 'ajv'\nconst A = Ajv.default ?? Ajv\nnew A().validate({ type: 'number' }, 5)`, true],
  'bignumber.js': [`import BigNumber from 'bignumber.js'\nnew BigNumber('0.1').plus('0.2').toString()`, '0.3'],
  'change-case': [`import { snakeCase } from 'change-case'\nsnakeCase('helloWorld')`, 'hello_world'],
  'csv-parse': [`import { parse } from 'csv-parse/sync'\nparse('a,b\\n1,2', { columns: true })`, [{ a: '1', b: '2' }]],
  'csv-stringify': [`import { stringify } from 'csv-stringify/sync'\nstringify([[1, 'a,b']])`, '1,"a,b"\n'],
  'd3-array': [`import { extent } from 'd3-array'\nextent([3, 1, 2])`, [1, 3]],
  'd3-format': [`import { format } from 'd3-format'\nformat('.1%')(0.123)`, '12.3%'],
  'd3-scale': [`import { scaleLinear } from 'd3-scale'\nscaleLinear([0, 10], [0, 100])(5)`, 50],
  'd3-time-format': [`import { utcFormat } from 'd3-time-format'\nutcFormat('%Y')(new Date(0))`, '1970'],
  'date-fns': [`import { addDays } from 'date-fns'\naddDays(new Date(0), 1).toISOString()`, '1970-01-02T00:00:00.000Z'],
  dayjs: [`import dayjs from 'dayjs'\ndayjs('2026-01-02').format('DD/MM/YYYY')`, '02/01/2026'],
  'decimal.js': [`import { Decimal } from 'decimal.js'\nnew Decimal(2).sqrt().toFixed(5)`, '1.41421'],
  diff: [`import { diffWords } from 'diff'\ndiffWords('a b', 'a c').length`, 3],
  'fast-deep-equal': [`import equal from 'fast-deep-equal'\nequal({ a: [1] }, { a: [1] })`, true],
  'fast-xml-parser': [
    `import { XMLParser } from 'fast-xml-parser'\nnew XMLParser().parse('<a><b>1</b></a>')`,
    { a: { b: 1 } },
  ],
  fflate: [
    `import { gunzipSync, gzipSync, strFromU8, strToU8 } from 'fflate'\nstrFromU8(gunzipSync(gzipSync(strToU8('hi'))))`,
    'hi',
  ],
  'fuse.js': [`import Fuse from 'fuse.js'\nnew Fuse(['apple', 'pear'], {}).search('aple')[0].item`, 'apple'],
  he: [`import { decode } from 'he'\ndecode('&lt;')`, '<'],
  immer: [`import { produce } from 'immer'\nproduce({ a: 1 }, (draft) => { draft.a = 2 })`, { a: 2 }],
  json5: [`import JSON5 from 'json5'\nJSON5.parse('{a: 1,}')`, { a: 1 }],
  lodash: [`import _ from 'lodash'\n_.chunk([1, 2, 3], 2)`, [[1, 2], [3]]],
  'lodash-es': [
    `import { groupBy } from 'lodash-es'\ngroupBy([1, 2, 3], (n) => n % 2 ? 'odd' : 'even')`,
    { odd: [1, 3], even: [2] },
  ],
  luxon: [
    `import { DateTime } from 'luxon'\nDateTime.fromISO('2026-01-02', { zone: 'utc' }).plus({ days: 1 }).toISODate()`,
    '2026-01-03',
  ],
  marked: [`import { marked } from 'marked'\nmarked('**b**').trim()`, '<p><strong>b</strong></p>'],
  mathjs: [`import { evaluate } from 'mathjs'\nevaluate('2 inch to cm').toString()`, '5.08 cm'],
  ms: [`import ms from 'ms'\nms('2 days')`, 172_800_000],
  mustache: [`import Mustache from 'mustache'\nMustache.render('{{a}}', { a: 1 })`, '1'],
  nanoid: [`import { nanoid } from 'nanoid'\nnanoid().length`, 21],
  'p-limit': [
    `import pLimit from 'p-limit'\nconst limit = pLimit(1)\nawait Promise.all([limit(() => 1), limit(async () => 2)])`,
    [1, 2],
  ],
  papaparse: [`import Papa from 'papaparse'\nPapa.parse('a,b\\n1,2', { header: true }).data`, [{ a: '1', b: '2' }]],
  ramda: [`import * as R from 'ramda'\nR.sum([1, 2])`, 3],
  remeda: [`import { unique } from 'remeda'\nunique([1, 1, 2])`, [1, 2]],
  semver: [`import semver from 'semver'\nsemver.gt('1.2.4', '1.2.3')`, true],
  'simple-statistics': [`import { median } from 'simple-statistics'\nmedian([3, 1, 2])`, 2],
  slugify: [`import slugify from 'slugify'\nslugify('Hello World', { lower: true })`, 'hello-world'],
  'smol-toml': [`import { parse } from 'smol-toml'\nparse('a = 1')`, { a: 1 }],
  uuid: [`import { v4, validate } from 'uuid'\nvalidate(v4())`, true],
  validator: [`import validator from 'validator'\nvalidator.isEmail('a@b.co')`, true],
  valibot: [`import * as v from 'valibot'\nv.parse(v.string(), 'x')`, 'x'],
  yaml: [`import { parse } from 'yaml'\nparse('a: [1, 2]')`, { a: [1, 2] }],
  zod: [`import { z } from 'zod'\nz.object({ a: z.number() }).parse({ a: 1 })`, { a: 1 }],
}

test.each(Object.keys(allowedPackages))('%s can be imported and used', async (name) => {
  const [code, expected] = uses[name] ?? ['throw new Error("no use of this package is written down")', undefined]
  const { result, error } = await runProgram(subject.runtime, { language: 'javascript', code, entry: 'main.js' })
  expect(error).toBeUndefined()
  expect(result).toEqual(expected)
})

test('[process.10] all of them can be imported and used in a process, beside what only a process has', async () => {
  const names = Object.keys(uses)
  const files = Object.fromEntries(
    Object.values(uses).map(([code], at) => [`use${at}.js`, code.replace(/\n(?=[^\n]*$)/, '\nexport default ')]),
  )
  const code = `import { cpus } from 'node:os'
const results = []
for (let at = 0; at < ${names.length}; at++) results.push((await import(\`./use\${at}.js\`)).default)
export default () => [cpus().length > 0, results]`
  const { result, error } = await process_.run('javascript', code, { files })
  expect(error).toBeUndefined()
  expect(result).toEqual([true, names.map((name) => uses[name]?.[1])])
})

test.each([
  [
    'typescript',
    `import { z } from 'zod'\nimport os from 'node:os'\nconst n: number = z.number().parse(3);\n[n, os.EOL]`,
  ],
  [
    'node',
    `const { z } = require('zod')\nconst ms = require('ms');\n[z.number().parse(3), ms === require('ms') ? '\\n' : 0]`,
  ],
  [
    'node',
    `import * as all from 'lodash'\nimport lodash from 'lodash';\n[lodash.sum([1, 2]), all.default === lodash ? '\\n' : 0]`,
  ],
] as const)('[process.10] %s has them by import and by require()', async (language, code) => {
  expect(await process_.run(language, code)).toMatchObject({ result: [3, '\n'] })
})

test('[process.10] what is not on the list is not found, and what the program brought comes first', async () => {
  const { error } = await process_.run('javascript', `import 'node:os'\nimport 'left-pad'`)
  expect(error?.message).toContain(`Cannot find package 'left-pad'`)
  const missing = await process_.run('javascript', `import 'node:os'\nimport 'ms/no-such-file'`)
  expect(missing.error?.message).toContain('ms')
  const own = { 'node_modules/ms/index.js': 'module.exports = "own"', 'node_modules/ms/package.json': '{"name":"ms"}' }
  expect((await process_.run('javascript', `import ms from 'ms'\nms`, { files: own })).result).toBe('own')
})

test('[process.10] packages can be asked for by name, those of the list alone', () => {
  const asks = (packages: string[], language: 'node' | 'bash' = 'node') =>
    process_.runtime.refuses({ ...program, language, packages })
  expect(asks(['ms', 'lodash-es/chunk.js'])).toBeUndefined()
  expect(asks(['ms', 'left-pad'])).toBe('the package "left-pad" is not on its list')
  expect(asks(['ms'], 'bash')).toBe('packages are for JavaScript, TypeScript and Python')
})

const program = { code: '', entry: 'main.js', files: {}, env: {}, typecheck: false, readOnly: false }

test('at least 20 packages are allowed, each with one exact version', () => {
  const versions = Object.values(allowedPackages)
  expect(versions.length).toBeGreaterThanOrEqual(20)
  for (const version of versions) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
})

test.each([
  'left-pad',
  'isolated-vm',
  '../lodash',
  'lodash/../../x',
  '/lodash',
  'lodash\0',
  'constructor',
  '@coherex/server',
  'lodash/../package.json',
])('%j is not allowed', (specifier) => expect(allowedPackage(specifier)).toBeUndefined())

test('what a package does not have is not built', async () => {
  vi.mocked(buildScript).mockClear()
  expect(await new BundleStore(cacheDir).ensure(['lodash/zz1', 'zod/none', 'csv-parse/sync/none'])).toEqual({})
  expect(buildScript).not.toHaveBeenCalled()
})

test('a bundle is made once per version and found again by the next start', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'coherex-bundles-'))
  try {
    const first = new BundleStore(directory)
    await first.open()
    const made = await first.ensure(['ms', 'lodash-es/chunk.js', 'ms/no-such-file'])
    expect(Object.keys(made)).toEqual(['ms', 'lodash-es/chunk.js'])
    const { mtimeMs } = statSync(join(first.directory, made['ms'] ?? ''))
    const second = new BundleStore(directory)
    await second.open()
    expect(await second.ensure(['ms'])).toEqual({ ms: made['ms'] })
    expect(statSync(join(second.directory, made['ms'] ?? '')).mtimeMs).toBe(mtimeMs)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test('one program has at most 200 modules of packages, since each that it names is a build', async () => {
  const store = new BundleStore(cacheDir)
  const others = Array.from({ length: 200 }, (_, index) => `lodash/none${index}`)
  expect(Object.keys(await store.ensure(['ms', ...others]))).toEqual(['ms'])
  expect(await store.ensure([...others, 'ms'])).toEqual({})
})
