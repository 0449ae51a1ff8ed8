import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PackageSet } from '@coherex/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCoherex } from './run-coherex.ts'
import { startSmallServer, type Call } from './small-server.ts'

const packages = [
  { name: 'pandas', version: '2.2.3', integrity: 'sha256-a', size: 12_000_000, dependencies: ['numpy'] },
  { name: 'numpy', version: '2.2.1', integrity: 'sha256-b', size: 16_000_000, dependencies: [] },
]
const lock = { hash: 'a'.repeat(64), language: 'python', requirements: ['pandas>=2.2.3'], packages }
const set: PackageSet = {
  ...{ ...lock, language: 'python', diskBytes: 90_000_000, askedBy: null, usedBy: [] },
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: '2026-01-02T00:00:00.000Z',
}
const used: PackageSet = { ...set, usedBy: [{ kind: 'workspace', id: 'wsp_1', name: 'Report' }] }

let folder: string
let server: Awaited<ReturnType<typeof startSmallServer>>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'coherex-packages-'))
  server = await startSmallServer(({ method, path }: Call) => {
    if (path === '/api/v1/packages/resolve') return [200, { lock, file: { path: 'pylock.toml', text: 'locked\n' } }]
    if (path === '/api/v1/packages/prune') return [200, { removed: 1, freedBytes: 90_000_000 }]
    if (method === 'GET' && path.startsWith('/api/v1/packages')) return [200, { items: [set, used], nextCursor: null }]
    if (path === '/api/v1/sandboxes') {
      const events = `event: progress\ndata: {"line":"Fetching 0 of 1 packages, 8 MB: polars (32 MB)"}\n\nevent: end\ndata: {"id":"sbx_1"}\n\n`
      return [200, events, { 'content-type': 'text/event-stream' }]
    }
    return [500, { error: { code: 'internal', message: 'unexpected call' } }]
  })
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const coherex = (...args: string[]) =>
  runCoherex(args, {
    env: { COHEREX_URL: server.url, COHEREX_TOKEN: 'chx_good', XDG_CONFIG_HOME: folder },
    cwd: folder,
  })
const text = (name: string) => readFileSync(join(folder, name), 'utf8')

test('packages add writes the manifest with the resolved version, and the lock of what it then says', async () => {
  writeFileSync(join(folder, 'report.py'), 'import pandas')
  expect(await coherex('packages', 'add', 'pandas')).toEqual({
    code: 0,
    stdout: 'Added pandas 2.2.3\nrequirements.txt and pylock.toml are written: 2 packages, 28 MB\n',
    stderr: '',
  })
  expect(text('requirements.txt')).toBe('pandas>=2.2.3\n')
  expect(text('pylock.toml')).toBe('locked\n')
  expect(server.calls.map(({ body }) => body)).toEqual([
    { language: 'python', requirements: ['pandas'] },
    { language: 'python', requirements: ['pandas>=2.2.3'], lockFile: 'locked\n' },
  ])
})

test('packages add asks for the language of a folder that does not tell, and changes nothing', async () => {
  const { code, stderr } = await coherex('packages', 'add', 'pandas')
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'coherex: Cannot tell whether this folder is Python or JavaScript; give --language python or --language javascript\n',
  })
  writeFileSync(join(folder, 'pyproject.toml'), '[project]\ndynamic = ["dependencies"]\n')
  expect((await coherex('packages', 'add', 'pandas')).stderr).toContain('pyproject.toml: its dependencies are dynamic')
  expect(server.calls).toEqual([])
})

test('packages add writes dependencies of pyproject.toml and pylock.toml beside it', async () => {
  writeFileSync(join(folder, 'pyproject.toml'), '[project]\nname = "report"\n\n[tool.ruff]\n')
  expect((await coherex('packages', 'add', 'pandas')).stdout).toContain('pyproject.toml and pylock.toml are written')
  expect(text('pyproject.toml')).toBe(
    '[project]\nname = "report"\ndependencies = [\n    "pandas>=2.2.3",\n]\n\n[tool.ruff]\n',
  )
  expect(text('pylock.toml')).toBe('locked\n')
  expect((await coherex('packages', 'why', 'numpy')).stdout).toContain('pyproject.toml: pandas>=2.2.3 → numpy')
})

test('packages why says which requirement brings a package, and ends with 6 for one that is not there', async () => {
  writeFileSync(join(folder, 'requirements.txt'), 'pandas>=2.2.3\n')
  expect(await coherex('packages', 'why', 'numpy')).toEqual({
    code: 0,
    stdout: 'numpy 2.2.1, 16 MB\n  requirements.txt: pandas>=2.2.3 → numpy\n',
    stderr: '',
  })
  const { stdout } = await coherex('packages', 'why', 'pandas', '--json')
  expect(JSON.parse(stdout)).toEqual({
    packages: packages.slice(0, 1),
    ways: [{ requirement: 'pandas>=2.2.3', packages: ['pandas'] }],
  })
  const missing = await coherex('packages', 'why', 'polars')
  expect(missing).toMatchObject({ code: 6, stderr: 'coherex: polars is not among the 2 packages of this folder\n' })
})

test('packages ls lists the sets of the team, and prune removes them only with --yes', async () => {
  const listed = (await coherex('packages', 'ls')).stdout.split('\n')
  expect(listed[1]).toMatch(/^a{12} +python +pandas>=2.2.3 +2 +90 MB +- /)
  expect(listed[2]).toContain('workspace Report')
  const shown = await coherex('packages', 'prune', '--days', '7')
  expect(shown.stdout.trimEnd().split('\n')).toHaveLength(2)
  expect(shown.stderr).toBe('Nothing is removed yet: add --yes to remove them\n')
  expect(server.calls.some(({ method }) => method === 'POST')).toBe(false)
  expect((await coherex('packages', 'prune', '--days', '7', '--yes')).stdout).toBe('Removed 1 set, 90 MB\n')
  expect(server.calls.at(-1)?.body).toEqual({ unusedDays: 7 })
})

test('sandbox create says beside its id which packages are being fetched', async () => {
  expect(await coherex('sandbox', 'create', '--with', 'polars')).toEqual({
    code: 0,
    stdout: 'sbx_1\n',
    stderr: 'Fetching 0 of 1 packages, 8 MB: polars (32 MB)\n',
  })
})
