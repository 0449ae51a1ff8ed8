import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeSmallProject, writeInto } from './small-project.ts'

let project: string
beforeEach(() => {
  project = makeSmallProject()
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

async function runTests(...args: string[]) {
  // without the variables of the vitest that runs this test
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
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
