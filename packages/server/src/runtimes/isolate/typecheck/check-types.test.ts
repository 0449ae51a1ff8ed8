import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLauncher, type Launcher } from '../../launch/index.ts'
import { defaults as limits } from '../../process/process-fixture.ts'
import type { Program } from '../../runtime.ts'
import { TypeChecker } from './check-types.ts'

const directory = mkdtempSync(join(tmpdir(), 'coherex-typecheck-'))
let launcher: Launcher

beforeAll(async () => {
  // mkdtemp keeps it to the owner, and the sandbox's user is another
  chmodSync(directory, 0o755)
  launcher = await createLauncher({ stateDir: join(directory, 'state') })
})

afterAll(async () => {
  await launcher.close()
  rmSync(directory, { recursive: true, force: true })
})

test('[isolate.9] files that come later than the compiler starts are waited for', async () => {
  const late = checkWith(async (spec) => {
    const launched = await launcher.launch(spec)
    const stdin = new PassThrough()
    void sleep(1000).then(() => stdin.pipe(launched.stdin))
    return { ...launched, stdin }
  })
  expect(await late('const a: number = 1\na')).toBeUndefined()
  expect(await late('const a: string = 1\na')).toMatchObject({ kind: 'syntax', line: 1, column: 7 })
})

test('[isolate.9] a compiler without enough memory is told from one that failed', async () => {
  const small = checkWith((spec) => launcher.launch({ ...spec, limits: { ...spec.limits, memoryMb: 24 } }))
  expect(await small('export {}')).toMatchObject({ kind: 'memory', message: expect.stringContaining('memory') })
  const broken = checkWith((spec) => launcher.launch({ ...spec, argv: [...spec.argv.slice(0, 1), '/app/none.mjs'] }))
  expect(await broken('export {}')).toMatchObject({ kind: 'internal', message: expect.stringContaining('gave up') })
})

test('[isolate.9] only what the entry leads to is checked, also by an import() that is written out', async () => {
  const check = checkWith((spec) => launcher.launch(spec))
  const files = { 'half.ts': 'export const value: number = (1 +', 'wrong.ts': 'export const value: string = 1' }
  expect(await check("const name: string = './half.ts'\nawait import(name)", files)).toBeUndefined()
  expect(await check("await import('./wrong.ts')", files)).toMatchObject({
    stack: expect.stringContaining('wrong.ts:1'),
  })
})

function checkWith(
  launch: Launcher['launch'],
): (code: string, files?: Program['files']) => ReturnType<TypeChecker['check']> {
  const checker = new TypeChecker({ launcher: { ...launcher, launch }, cacheDir: join(directory, 'cache') })
  return (code, files = {}) => checker.check({ ...programOf(code), files }, [], { limits, signal: AbortSignal.any([]) })
}

function programOf(code: string): Program {
  return {
    language: 'typescript',
    code,
    entry: 'main.ts',
    files: {},
    env: {},
    packages: [],
    typecheck: true,
    readOnly: false,
  }
}
