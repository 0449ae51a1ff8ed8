import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { groupOf, groupTests, needsOf, testFiles } from './test-needs.mjs'

const project = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'coherex-needs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const from = (path: string) => `from '${relative(folder, join(project, path))}'`
function plant(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const nothing = { database: false, processes: false, studio: false }

test('needsOf() follows imports through files beside the test', () => {
  plant(
    'scene.ts',
    `import { createTestDatabase } ${from('packages/server/tests/harness/database/test-database.ts')}\n`,
  )
  expect(needsOf([plant('a.test.ts', `import { scene } from './scene.ts'\n`)])).toEqual({ ...nothing, database: true })
})

test('needsOf() sees a process that a launcher behind a door starts, and none behind a function beside it', () => {
  const door = from('packages/server/src/runtimes/index.ts')
  expect(needsOf([plant('b.test.ts', `import { createLauncher } ${door}\n`)])).toEqual({ ...nothing, processes: true })
  // through a door of the door
  expect(needsOf([plant('g.test.ts', `import { memoryMbOf } ${door}\n`)])).toEqual(nothing)
  const base = from('packages/server/src/base/index.ts')
  expect(needsOf([plant('c.test.ts', `import {\n  CoherexError,\n  type EmbeddedPostgres,\n} ${base}\n`)])).toEqual(
    nothing,
  )
  expect(needsOf([plant('d.test.ts', `import type { startEmbeddedPostgres } ${base}\n`)])).toEqual(nothing)
  expect(needsOf([plant('e.test.ts', `import { startEmbeddedPostgres } ${base}\n`)]).processes).toBe(true)
})

test('needsOf() wants the studio for a browser and for a page, not for a server', () => {
  const server = plant(
    'f.test.ts',
    `import { startTestServer } ${from('packages/server/tests/harness/test-server.ts')}\n`,
  )
  expect(needsOf([server])).toEqual({ database: true, processes: true, studio: false })
  expect(needsOf(['packages/server/tests/studio/studio-runs.test.ts']).studio).toBe(true)
  expect(needsOf(['packages/server/tests/http/http-face.test.ts']).studio).toBe(true)
})

test('groupTests() gives every test file to one project', () => {
  const groups = groupTests()
  expect(Object.values(groups).flat().toSorted()).toEqual(testFiles().toSorted())
  expect(Object.keys(groups).map((name) => [name, groups[name as 'pure'].length > 10])).toEqual([
    ['pure', true],
    ['database', true],
    ['sandbox', true],
    ['stories', true],
  ])
  expect(groupOf('packages/contract/src/wire/client.test.ts')).toBe('pure')
  expect(groupOf('packages/server/src/base/database/migrate.test.ts')).toBe('database')
  expect(groupOf('packages/server/src/runtimes/isolate/isolate-runtime.test.ts')).toBe('sandbox')
  expect(groupOf('packages/server/tests/runs/runs.test.ts')).toBe('stories')
})

test('a file that shares its process with others replaces no module', () => {
  const { pure, stories } = groupTests()
  const mocks = [...pure, ...stories].filter((path) =>
    /\bvi\.(do)?mock\(/i.test(readFileSync(join(project, path), 'utf8')),
  )
  expect(mocks.filter((path) => path !== 'scripts/testing/test-needs.test.ts')).toEqual([])
})
