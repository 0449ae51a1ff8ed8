import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeSmallProject, writeInto } from './small-project.ts'

let project: string
beforeEach(() => {
  project = makeSmallProject()
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

async function runTests(...given: [Record<string, string>, ...string[]] | string[]) {
  const [more, ...args] =
    typeof given[0] === 'object' ? (given as [Record<string, string>, ...string[]]) : [{}, ...(given as string[])]
  // without the variables of the vitest that runs this test
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))
  const env = { ...Object.fromEntries(own), ...more }
  const child = spawn(process.execPath, [join(project, 'scripts/test.mjs'), ...args], { cwd: project, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output, last: output.trimEnd().split('\n').at(-1) }
}

const testFile = (...lines: string[]) => `import { describe, expect, test } from 'vitest'\n${lines.join('\n')}\n`
const passing = `test('holds', () => expect(1).toBe(1))`
const failing = `test('does not hold', () => expect(1).toBe(2))`
const skipping = `test('needs root', (context) => context.skip('needs root'))`

test('npm test ends with the counts and fails when one test fails', async () => {
  writeInto(project, 'a.test.ts', testFile(passing, failing))
  writeInto(project, 'b.test.ts', testFile(passing, skipping))
  const { code, last, output } = await runTests('a.test.ts', 'b.test.ts')
  expect({ code, last }).toEqual({ code: 1, last: '2 passed, 1 failed, 1 skipped' })
  expect(output).toContain('! Skipped, needs root:\n    needs root')
})

test('npm test succeeds when every test passes', async () => {
  writeInto(project, 'a.test.ts', testFile(passing))
  expect(await runTests('a.test.ts')).toMatchObject({ code: 0, last: '1 passed, 0 failed' })
})

test('a file that cannot be loaded and a hook that throws are failures', async () => {
  writeInto(project, 'a.test.ts', `throw new Error('broken')`)
  writeInto(
    project,
    'b.test.ts',
    testFile(
      `import { beforeAll } from 'vitest'`,
      `describe('x', () => { beforeAll(() => { throw new Error('no') })`,
      passing,
      '})',
    ),
  )
  const { code, last } = await runTests('a.test.ts', 'b.test.ts')
  expect(code).toBe(1)
  expect(last).toMatch(/^0 passed, [2-9] failed/)
})

test('an error outside every test is a failure', async () => {
  writeInto(
    project,
    'a.test.ts',
    testFile(
      `test('starts something', async () => { void Promise.reject(new Error('late')); await new Promise((r) => setTimeout(r, 20)) })`,
    ),
  )
  expect(await runTests('a.test.ts')).toMatchObject({ code: 1, last: '1 passed, 1 failed' })
})

test('a run without tests is a failure', async () => {
  expect(await runTests('nothing.test.ts')).toMatchObject({ code: 1, last: '0 passed, 1 failed' })
})

test('a test that passes when it is tried again is named and fails nothing', async () => {
  const tried = `test('holds at last', { retry: 1 }, () => expect(++tries).toBe(2))`
  writeInto(project, 'a.test.ts', testFile('let tries = 0', tried, passing))
  const { code, output, last } = await runTests('a.test.ts')
  expect({ code, last }).toEqual({ code: 0, last: '2 passed, 0 failed' })
  expect(output).toMatch(/\nflaky: a\.test\.ts > holds at last\n2 passed/)
})

test('a file whose process dies fails, and in CI is tried once more and named', async () => {
  const dies = `import { existsSync, writeFileSync } from 'node:fs'
if (!existsSync('died')) { writeFileSync('died', ''); process.kill(process.pid, 'SIGABRT'); await new Promise(() => {}) }`
  writeInto(project, 'vitest.config.ts', `export default { test: { pool: 'forks' } }`)
  writeInto(project, 'a.test.ts', testFile(dies, passing))
  writeInto(project, 'b.test.ts', testFile(passing))
  const inCi = await runTests({ CI: '1' }, 'a.test.ts', 'b.test.ts')
  expect(inCi).toMatchObject({ code: 0, last: '2 passed, 0 failed' })
  expect(inCi.output).toContain('\nflaky: a.test.ts (its process died)\n')
  rmSync(join(project, 'died'))
  expect(await runTests({ CI: '' }, 'a.test.ts', 'b.test.ts')).toMatchObject({ code: 1, last: '1 passed, 1 failed' })
})

test('a file that fails in CI is tried once more after the others, and each of its failures is named', async () => {
  const before = `import { existsSync, writeFileSync } from 'node:fs'
const isSecond = existsSync('tried'); writeFileSync('tried', '')`
  writeInto(project, 'a.test.ts', testFile(before, passing, `test('holds at last', () => expect(isSecond).toBe(true))`))
  writeInto(project, 'b.test.ts', testFile(passing))
  const inCi = await runTests({ CI: '1' }, 'a.test.ts', 'b.test.ts')
  expect(inCi).toMatchObject({ code: 0, last: '3 passed, 0 failed' })
  expect(inCi.output).toContain('\nflaky: a.test.ts > holds at last\n')
  writeInto(project, 'a.test.ts', testFile(passing, failing))
  expect(await runTests({ CI: '1' }, 'a.test.ts', 'b.test.ts')).toMatchObject({ code: 1, last: '2 passed, 1 failed' })
})

test('a test that needs only Node or a database has one try in CI too', async () => {
  writeInto(project, 'vitest.config.ts', `export default { test: { name: 'pure' } }`)
  const before = `import { existsSync, writeFileSync } from 'node:fs'
const isSecond = existsSync('tried'); writeFileSync('tried', '')`
  writeInto(project, 'a.test.ts', testFile(before, `test('holds at last', () => expect(isSecond).toBe(true))`))
  expect(await runTests({ CI: '1' }, 'a.test.ts')).toMatchObject({ code: 1, last: '0 passed, 1 failed' })
})

test('the ten slowest of many files are named', async () => {
  const names = Array.from({ length: 11 }, (_, at) => `${at}.test.ts`)
  for (const name of names) writeInto(project, name, testFile(passing))
  const { output } = await runTests('test.ts')
  expect(output.match(/^ +[\d.]+ m?s {2}\d+\.test\.ts$/gm)).toHaveLength(10)
})

test('tests that need nothing are run without the studio and without system packages', async () => {
  writeInto(project, 'a.test.ts', testFile(passing))
  const { output } = await runTests('a.test.ts')
  expect(output).not.toMatch(/studio|System packages|apt-get/)
})

test('a pure test that starts a process fails, whatever it makes of the refusal', async () => {
  writeInto(project, 'setup.ts', readFileSync(join(import.meta.dirname, 'testing/refuse-processes.ts'), 'utf8'))
  writeInto(project, 'vitest.config.ts', `export default { test: { setupFiles: ['setup.ts'] } }`)
  writeInto(
    project,
    'a.test.ts',
    `import { spawn } from 'node:child_process'\n${testFile(`test('spawns', () => { try { spawn('true') } catch {} })`)}`,
  )
  const { code, output } = await runTests('a.test.ts')
  expect(code).toBe(1)
  expect(output).toContain('processes that a pure test started')
})

test('--long is told to the tests', async () => {
  writeInto(project, 'a.test.ts', testFile(`test('long', () => expect(process.env['COHEREX_TEST_LONG']).toBe('1'))`))
  expect(await runTests('--long', 'a.test.ts')).toMatchObject({ last: '1 passed, 0 failed' })
})

test('the checks run without arguments, each is counted, and all run though one fails', async () => {
  writeInto(project, 'a.test.ts', testFile(passing))
  const { code, output, last } = await runTests()
  // nothing that checks is installed in the small project
  expect(output.match(/✗ (format|lint|types of \S+|unused code)/g)).toHaveLength(8)
  expect({ code, last }).toEqual({ code: 1, last: '1 passed, 8 failed' })
})
