import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIsolate, type IsolateSubject } from '../isolate/subject.ts'
import { TypeChecker } from '../isolate/typecheck/check-types.ts'
import { createLauncher, type Launcher } from '../launch/index.ts'
import type { PackageSet } from '../package-set.ts'
import { createFixture, defaults, type Fixture } from '../process/process-fixture.ts'
import { createRouter } from '../router.ts'
import { runProgram } from '../runtime.contract.ts'
import type { Program } from '../runtime.ts'
import { BundleStore } from './bundle-store.ts'
import { SetBundles } from './set-bundles.ts'

const root = mkdtempSync(join(tmpdir(), 'coherex-sets-'))
const setsDir = join(root, 'sets')
const folder = 'f'.repeat(64)
const outside = join(root, 'secret.js')
let launcher: Launcher
let isolate: IsolateSubject
let process_: Fixture
let setBundles: SetBundles

const files: Record<string, string> = {
  'esm/package.json':
    '{"name":"esm","version":"1.0.0","type":"module","exports":{".":{"types":"./index.d.ts","default":"./index.js"},"./deep":"./lib/deep.js"}}',
  'esm/index.js':
    'import { count } from "shared"\nexport const name = "esm"\nexport const next = () => count()\nexport default name',
  'esm/index.d.ts':
    'export declare const name: string\nexport declare const next: () => number\ndeclare const all: string\nexport default all',
  'esm/lib/deep.js': 'import { count } from "shared"\nexport const deep = () => count()',
  'shared/package.json': '{"name":"shared","version":"1.0.0","main":"index.js"}',
  'shared/index.js': 'let n = 0\nexports.count = () => ++n',
  '@scope/cjs/package.json': '{"name":"@scope/cjs","version":"2.0.0","main":"main.js"}',
  '@scope/cjs/main.js': 'module.exports = { two: 2, inner: require("inner") }',
  '@scope/cjs/node_modules/inner/package.json': '{"name":"inner","version":"1.0.0"}',
  '@scope/cjs/node_modules/inner/index.js': 'module.exports = "nested"',
  'needs-node/package.json': '{"name":"needs-node","version":"1.0.0"}',
  'needs-node/index.js': 'module.exports = require("node:os").EOL',
  'ms/package.json': '{"name":"ms","version":"99.0.0"}',
  'ms/index.js': 'module.exports = () => "ms of the set"',
  'path/package.json': '{"name":"path","version":"1.0.0"}',
  'path/index.js': 'module.exports = "a package named like a Node module"',
  'reads-host/package.json': '{"name":"reads-host","version":"1.0.0"}',
  'reads-host/index.js': `module.exports = require(${JSON.stringify(outside)})`,
  'reads-up/package.json':
    '{"name":"reads-up","version":"1.0.0","main":"../../../../secret.js","browser":"../../../../secret.js"}',
  'reads-passwd/package.json':
    '{"name":"reads-passwd","version":"1.0.0","main":"/etc/passwd","exports":"../../../etc/passwd"}',
  'never-ends/package.json': '{"name":"never-ends","version":"1.0.0"}',
  'never-ends/index.js': 'module.exports = 1; while (true) {}',
}
const modules = [
  '@scope/cjs',
  'esm',
  'shared',
  'needs-node',
  'ms',
  'path',
  'reads-host',
  'reads-up',
  'reads-passwd',
  'never-ends',
]
const set: PackageSet = { hash: folder, language: 'javascript', folder, modules }

beforeAll(async () => {
  chmodSync(root, 0o755)
  mkdirSync(setsDir, { mode: 0o711 })
  for (const [path, text] of Object.entries(files)) {
    const file = join(setsDir, folder, 'node_modules', path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 })
    writeFileSync(file, text)
  }
  writeFileSync(outside, 'module.exports = "secret of the host"')
  launcher = await createLauncher({ stateDir: join(root, 'state') })
  const bundles = new BundleStore(join(root, 'cache'))
  setBundles = new SetBundles({ launcher, setsDir, directory: bundles.directory })
  isolate = await openIsolate({ bundles, setBundles })
  await isolate.runtime.warm()
  process_ = await createFixture(0x70110000, { bundles, setsDir })
})
afterAll(async () => {
  await Promise.all([isolate.close(), process_.close()])
  await launcher.close()
  rmSync(root, { recursive: true, force: true })
})

const programOf = (code: string, more: Partial<Program> = {}): Program => ({
  ...{ language: 'javascript', code, entry: 'main.js', files: {}, env: {}, packages: [], typecheck: false },
  ...{ readOnly: false, set },
  ...more,
})

const uses: [string, string, unknown][] = [
  ['a package', `import esm, { name } from 'esm'\n;[esm, name]`, ['esm', 'esm']],
  [
    'a pinned specifier',
    `import { name } from 'npm:esm@1'\nimport { deep } from 'npm:esm@^1.0.0/deep'\n;[name, typeof deep]`,
    ['esm', 'function'],
  ],
  [
    'one copy of what two packages share',
    `import { next } from 'esm'\nimport { deep } from 'esm/deep'\nimport { count } from 'shared'\n;[next(), deep(), count()]`,
    [1, 2, 3],
  ],
  ['CommonJS with a package of its own', `import cjs from '@scope/cjs'\ncjs`, { two: 2, inner: 'nested' }],
  ['a package that is built in too', `import ms from 'ms'\nms('2 days')`, 'ms of the set'],
  [
    'a built-in beside it',
    `import { decode } from 'he'\nimport ms from 'ms'\n;[decode('&lt;'), ms()]`,
    ['<', 'ms of the set'],
  ],
  ['the module of Node, not the package of that name', `import path from 'path'\npath.join('a', 'b')`, 'a/b'],
  ['import()', `const { name } = await import('esm')\nname`, 'esm'],
]

test.each(uses)('[isolate.16] an isolate has %s of its set', async (_, code, expected) => {
  expect(isolate.runtime.refuses(programOf(code))).toBeUndefined()
  const { result, error } = await runProgram(isolate.runtime, programOf(code))
  expect(error).toBeUndefined()
  expect(result).toEqual(expected)
})

test.each(uses)('[process.10] a process has %s of its set', async (_, code, expected) => {
  const { result, error } = await process_.run('javascript', `import 'node:os'\n${code}`, { set })
  expect(error).toBeUndefined()
  expect(result).toEqual(expected)
})

test('[process.10] require() finds packages of the set, in a script, in CommonJS and from a file', async () => {
  const script = `const { name } = require('esm')\nconst cjs = require('@scope/cjs');\n[name, cjs.inner, require('npm:esm@1').name]`
  expect(await process_.run('node', script, { set })).toMatchObject({ result: ['esm', 'nested', 'esm'] })
  const helper = { 'helper.cjs': `module.exports = require('@scope/cjs').two` }
  const entry = `module.exports = [require('./helper.cjs'), require('ms')()]`
  expect(await process_.run('node', entry, { set, entry: 'main.cjs', files: helper })).toMatchObject({
    result: [2, 'ms of the set'],
  })
})

test('[process.10] what the program brought comes before the set, and another set is not found', async () => {
  const own = {
    'node_modules/esm/index.js': 'module.exports = "own"',
    'node_modules/esm/package.json': '{"name":"esm"}',
  }
  expect((await process_.run('node', `require('esm')`, { set, files: own })).result).toBe('own')
  const imported = `import 'node:os'\nimport esm from 'esm'\nesm`
  expect((await process_.run('node', imported, { set, files: own, entry: 'lib/main.mjs' })).result).toBe('own')
  const none = await process_.run('node', `import 'esm'`)
  expect(none.error?.message).toContain(`Cannot find package 'esm'`)
  const listing = `import { readdirSync } from 'node:fs'\nimport 'esm'\nreaddirSync('/opt/sets')`
  expect((await process_.run('node', listing, { set })).error?.message).toContain('EACCES')
  const bundles = `import { readdirSync } from 'node:fs'\nreaddirSync('/opt/bundles/sets')`
  expect((await process_.run('node', bundles, { set })).error?.message).toContain('EACCES')
})

test('[isolate.16] a package that needs Node takes its program to a process, and the next one goes there at once', async () => {
  const router = createRouter([isolate.runtime, process_.runtime])
  const program = programOf(`import eol from 'needs-node'\neol`)
  const routes: string[] = []
  const options = {
    ...{ limits: defaults, capabilities: {}, domain: 'test', signal: new AbortController().signal },
    ...{ onStart() {}, onOutput() {}, onRoute: ({ name }: { name: string }) => routes.push(name) },
  }
  expect((await router.run(program, options)).result).toBe('\n')
  expect(routes).toEqual(['isolate', 'process'])
  expect(isolate.runtime.refuses({ ...program })).toContain('they need "node:os", which is not among them')
  expect((await router.run({ ...program }, options)).result).toBe('\n')
  expect(routes).toEqual(['isolate', 'process', 'process'])
})

test.each(['reads-host', 'reads-up', 'reads-passwd'])('[isolate.16] %s finds no file of the host', async (name) => {
  const program = programOf(`import * as all from '${name}'\nJSON.stringify(all)`)
  const told = await runProgram(isolate.runtime, program).catch((error: Error) => error)
  expect(JSON.stringify(told instanceof Error ? told.message : told)).not.toMatch(/secret of|root:x/)
  const made = readdirSync(join(root, 'cache/bundles/sets')).map((file) =>
    readFileSync(join(root, 'cache/bundles/sets', file), 'utf8'),
  )
  expect(made.join('')).not.toMatch(/secret of|root:/)
})

test('[isolate.16] a package that never ends is ended with its run', async () => {
  const { error } = await runProgram(isolate.runtime, programOf(`import 'never-ends'`), { limits: { timeoutMs: 1500 } })
  expect(error?.kind).toBe('timeout')
})

test('a bundle is made once, found again by the next start, and cannot be listed', async () => {
  const specifiers = ['esm']
  const [first] = Object.values(await setBundles.ensure(set, specifiers))
  const file = join(root, 'cache/bundles', first ?? '')
  const { ino } = statSync(file)
  const again = new SetBundles({ launcher, setsDir, directory: join(root, 'cache/bundles') })
  expect(Object.values(await again.ensure(set, specifiers))).toEqual([first])
  expect(statSync(file).ino).toBe(ino)
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o711)
})

test('bundles for pages leave room for those of runs, and stop when nobody waits for them', async () => {
  const asked: string[] = []
  const held: (() => void)[] = []
  const holding: Launcher = {
    ...launcher,
    async launch(options) {
      const isForPage = options.argv.includes('--external:react')
      asked.push(isForPage ? 'page' : 'run')
      if (isForPage) await new Promise<void>((resolve) => held.push(resolve))
      return launcher.launch(options)
    },
  }
  const busy = new SetBundles({ launcher: holding, setsDir, directory: join(root, 'busy') })
  const leaving = new AbortController()
  const pages = ['esm', 'shared', 'ms', '@scope/cjs'].map((name) =>
    busy.forPage(set, [name], { ofPage: ['react'], signal: leaving.signal }).catch((error: unknown) => error),
  )
  await expect.poll(() => held.length).toBeGreaterThan(0)
  expect(Object.keys(await busy.ensure(set, ['esm']))).toEqual(['esm'])
  leaving.abort(new Error('left'))
  for (const go of held) go()
  expect(await Promise.all(pages)).toEqual(pages.map(() => expect.objectContaining({ message: 'left' })))
  expect(asked).toEqual(['page', 'run'])
})

test('[isolate.9] types of the set are known', async () => {
  const types = new TypeChecker({ launcher, cacheDir: join(root, 'types'), setsDir })
  const check = (code: string) =>
    types.check(programOf(code, { language: 'typescript', entry: 'main.ts' }), [], {
      limits: defaults,
      signal: AbortSignal.any([]),
    })
  expect(await check(`import { name } from 'esm'\nconst a: string = name\na`)).toBeUndefined()
  expect(await check(`import { name } from 'esm'\nconst a: number = name\na`)).toMatchObject({
    kind: 'syntax',
    line: 2,
  })
  expect(await check(`import { name } from 'npm:esm@1'\nconst a: number = name\na`)).toBeUndefined()
})
