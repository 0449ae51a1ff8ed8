import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultPackagePolicy } from '@coherex/contract'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../tests/harness/database/test-database.ts'
import type { TeamCaller } from '../../../access/index.ts'
import { createDiskBlobs, openStore, parseDatabaseUrl, type Database, type EventBus } from '../../../base/index.ts'
import { createEgress } from '../../../egress/index.ts'
import { createPackages, type PackageVerbs } from '../../../packages/index.ts'
import { createTestSource, type TestSource } from '../../../packages/test-source.ts'
import { createLauncher, createProcessRuntime, type Launcher, type Runtime } from '../../../runtimes/index.ts'
import { Allowances } from '../../allowances.ts'
import { openNetwork } from '../sandbox-network.ts'
import { Sandboxes, type SandboxesDeps } from '../sandboxes.ts'
import { createTemplateBuilder } from '../templates/build-template.ts'
import { Templates } from '../templates/templates.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const log = pino({ level: 'silent' })
const events: EventBus = { publish: async () => {}, subscribe: () => () => undefined, close: async () => {} }
const ann = {
  teamId: 'team_a',
  role: 'editor',
  person: { id: 'usr_ann', name: 'Ann', email: 'ann@example.org', operator: false },
  scopes: ['run'],
  ...{ ip: null, requestId: null, via: 'session', credentialId: 's' },
} as unknown as TeamCaller

let root: string
let own: TestDatabase
let database: Database
let superuser: pg.Client
let launcher: Launcher
let runtime: Runtime & Pick<SandboxesDeps, 'open'>
let python: TestSource
let javascript: TestSource
let packages: PackageVerbs
let sandboxes: Sandboxes
let templates: Templates
let build: ReturnType<typeof createTemplateBuilder>
let deps: SandboxesDeps

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'coherex-sandbox-packages-'))
  chmodSync(root, 0o755)
  own = await createTestDatabase()
  database = (await openStore({ owner: parseDatabaseUrl(own.url), log })).database
  superuser = await own.superuser()
  await superuser.query(`INSERT INTO coherex.team VALUES ('team_a', 'A');
    INSERT INTO coherex_auth.person (id, name, email) VALUES ('usr_ann', 'Ann', 'ann@example.org');
    INSERT INTO coherex.member (team_id, person_id, role) VALUES ('team_a', 'usr_ann', 'editor')`)
  launcher = await createLauncher({ stateDir: join(root, 'state') })
  python = pythonSource({ gift: ['1.0', '2.0'], other: ['3.1'], needed: ['0.1'] })
  javascript = createTestSource('javascript', { 'gift-js': ['1.0.0'] })
  packages = await createPackages({
    ...{ database, events, log, sources: [python, javascript], key: Buffer.alloc(32, 7) },
    ...{ directory: join(root, 'packages'), mostBytes: 1e9 },
  })
  runtime = await createProcessRuntime({ launcher, defaults, poolSize: 0, setsDir: packages.setsDirectory })
  const blobs = createDiskBlobs(join(root, 'blobs'))
  const egress = createEgress()
  templates = new Templates({ database, events, blobs, packages, releaseBlobs: () => undefined, directory: root })
  const open: SandboxesDeps['open'] = (spec) => runtime.open(spec)
  deps = {
    ...{ database, events, blobs, releaseBlobs: () => undefined, log, serverId: 'srv_1', templates, packages, open },
    allowances: new Allowances(database, events),
    machine: { capMb: 8192, overcommit: 4, usedMb: () => 0 },
    createNetwork: (rules, onSign) => openNetwork(egress, rules, onSign),
    packagesOfWorkspace: async () => [],
  }
  sandboxes = new Sandboxes(deps)
  build = createTemplateBuilder({ templates, packages, open })
})
afterAll(async () => {
  await sandboxes?.close()
  await runtime?.close()
  await launcher?.close()
  packages?.close()
  await superuser?.end()
  await database?.close()
  await own?.drop()
  rmSync(root, { recursive: true, force: true })
})

const defaults = {
  cpuMs: 10_000,
  timeoutMs: 10_000,
  memoryMb: 256,
  outputBytes: 1_000_000,
  processes: 64,
  openFiles: 256,
  diskMb: 64,
  inodes: 1000,
}

/** Modules that tell their version. */
function pythonSource(releases: Record<string, string[]>): TestSource {
  const source = createTestSource('python', releases)
  return Object.assign(source, {
    async layOut(...[locked, directory]: Parameters<TestSource['layOut']>) {
      source.calls.layOut++
      await mkdir(join(directory, 'site'), { recursive: true })
      for (const { name, version } of locked)
        await writeFile(join(directory, 'site', `${name}.py`), `version = '${version}'\n`)
      return { modules: locked.map(({ name }) => name) }
    },
  })
}

async function cell(
  id: string,
  code: string,
  language: 'python' | 'javascript' | 'bash' = 'python',
  context = language as string,
) {
  let text = ''
  const outcome = await sandboxes.use(ann.teamId, id, ({ inside }) =>
    inside.runCell(
      { context, language, code },
      {
        ...{ limits: { timeoutMs: 30_000, outputBytes: 100_000 }, signal: new AbortController().signal },
        ...{ capabilities: {}, onStart() {}, onOutput: (line) => void (text += 'text' in line ? line.text : '') },
      },
    ),
  )
  return outcome.error ? `${text}${outcome.error.message}` : text
}

const signal = () => ({ signal: AbortSignal.timeout(30_000) })
const add = (id: string, requirements: string[], remove: string[] = []) =>
  sandboxes.changePackages(ann, id, { language: 'python', requirements, remove, preparation: signal() })
const uses = async (kind: string) =>
  (await superuser.query(`SELECT owner_id, name FROM coherex.package_use WHERE kind = $1 ORDER BY 1`, [kind])).rows

test('a sandbox has packages by name, more of them later, and keeps them through sleep, fork and another server', async () => {
  const made = await sandboxes.create(ann, { packages: ['gift==2.0', 'npm:gift-js@1'] })
  expect(made.packages.map(({ language, requirements }) => ({ language, requirements }))).toEqual([
    { language: 'python', requirements: ['gift==2.0'] },
    { language: 'javascript', requirements: ['gift-js@1'] },
  ])
  expect(made.packages[0]?.packages).toMatchObject([{ name: 'gift', version: '2.0' }])
  expect(await cell(made.id, 'import gift\nprint(gift.version)')).toBe('2.0\n')
  expect(await cell(made.id, 'console.log(require("gift-js").version)', 'javascript')).toBe('1.0.0')

  const { lock, changed } = await add(made.id, ['other'])
  expect(changed).toEqual([{ name: 'other', version: '3.1' }])
  expect(lock?.requirements).toEqual(['gift==2.0', 'other'])
  expect(await cell(made.id, 'import other\nprint(gift.version, other.version)')).toBe('2.0 3.1\n')
  expect(await uses('sandbox')).toEqual([
    { owner_id: made.id, name: made.name },
    { owner_id: made.id, name: made.name },
  ])

  const fork = await sandboxes.fork(ann, made.id, undefined)
  expect(fork.packages).toEqual((await sandboxes.get(ann.teamId, made.id)).packages)
  expect(await cell(fork.id, 'import other\nprint(other.version)')).toBe('3.1\n')

  // as a server that is stopped does, and the next one on the same rows
  await sandboxes.close()
  sandboxes = new Sandboxes(deps)
  const laidOut = python.calls.layOut
  expect(await cell(made.id, 'import gift, other\nprint(gift.version, other.version)')).toBe('2.0 3.1\n')
  expect(await cell(made.id, 'console.log(require("gift-js").version)', 'javascript')).toBe('1.0.0')
  // one whose set was removed to make room fetches it again
  rmSync(join(packages.setsDirectory, (await folders(fork.id))[0] ?? 'none'), { recursive: true })
  await sandboxes.close()
  sandboxes = new Sandboxes(deps)
  expect(await cell(fork.id, 'import other\nprint(other.version)')).toBe('3.1\n')
  expect(python.calls.layOut).toBe(laidOut + 1)

  // what can be had no more is told, and the sandbox wakes all the same
  rmSync(join(packages.setsDirectory, (await folders(fork.id))[0] ?? 'none'), { recursive: true })
  await sandboxes.close()
  sandboxes = new Sandboxes(deps)
  python.missing = 'the index is away'
  expect(await cell(fork.id, 'print(1)')).toBe('1\n')
  expect((await sandboxes.get(ann.teamId, fork.id)).notice).toContain('its Python packages are missing')
  python.missing = undefined

  expect(await add(made.id, [], ['gift', 'Other'])).toEqual({ lock: null, changed: [] })
  expect(await cell(made.id, 'import other', 'python', 'fresh')).toContain('No module named')
  await expect(add(made.id, [], ['gift'])).rejects.toMatchObject({ code: 'not_found' })
  await sandboxes.remove(ann, made.id)
  await sandboxes.remove(ann, fork.id)
})

async function folders(id: string): Promise<string[]> {
  return sandboxes.use(ann.teamId, id, async (open) =>
    open.sets.filter(({ language }) => language === 'python').map(({ folder }) => folder),
  )
}

test('pip and npm in cells and programs add packages as the person who made the sandbox, within the rules of the team', async () => {
  const { id } = await sandboxes.create(ann, {})
  expect(await cell(id, '%pip install gift\nimport gift\nprint(gift.version)')).toMatch(/Added gift 2\.0\n2\.0\n$/)
  expect(await cell(id, 'pip install -q other && python3 -c "import gift, other; print(other.version)"', 'bash')).toBe(
    '3.1\n',
  )
  expect(await cell(id, '!npm install gift-js\n!node -p "String(require(\'gift-js\').version)"')).toMatch(
    /Added gift-js 1\.0\.0\n1\.0\.0\n$/,
  )
  expect(await cell(id, 'pip uninstall -y gift; python3 -c "import gift"', 'bash')).toMatch(
    /Removed gift\n[^]*No module/,
  )
  const { packages: locks } = await sandboxes.get(ann.teamId, id)
  expect(locks.flatMap(({ requirements }) => requirements)).toEqual(['gift-js', 'other'])
  const { rows } = await superuser.query(
    `SELECT actor_name FROM coherex.audit_event WHERE action = 'sandbox.change' AND target_id = $1`,
    [id],
  )
  expect(rows).toEqual(Array.from({ length: 4 }, () => ({ actor_name: 'Ann' })))

  await packages.setPolicy(ann, { ...defaultPackagePolicy, mode: 'none' })
  expect(await cell(id, 'pip install needed', 'bash')).toMatch(/ERROR: /)
  await packages.setPolicy(ann, defaultPackagePolicy)
  await superuser.query(`UPDATE coherex.member SET role = 'viewer' WHERE person_id = 'usr_ann'`)
  expect(await cell(id, 'pip install needed', 'bash')).toContain('Ann is a viewer now')
  await superuser.query(`UPDATE coherex.member SET role = 'editor' WHERE person_id = 'usr_ann'`)
  expect((await sandboxes.get(ann.teamId, id)).packages.flatMap(({ requirements }) => requirements)).toEqual([
    'gift-js',
    'other',
  ])
  await sandboxes.remove(ann, id)
})

test('a guest that speaks to the installer itself gets no further than its rules', async () => {
  const { id } = await sandboxes.create(ann, {})
  const resolved = python.calls.resolve
  const ask = (lines: string) => `
import json, os, socket
def ask(data):
    with socket.create_connection(("127.0.0.1", int(os.environ["COHEREX_INSTALLER"]))) as connection:
        try:
            connection.sendall(data)
        except OSError:
            pass
        return [json.loads(line)["type"] + " " + json.loads(line).get("code", "") for line in connection.makefile("rb")]
def request(*names, **more):
    return json.dumps({"language": "python", "requirements": names, **more}).encode() + b"\\n"
${lines}`
  const strange = [
    `b"nonsense\\n"`,
    `b"x" * 5_000_000`,
    `json.dumps({"language": "ruby", "requirements": ["gift"]}).encode() + b"\\n"`,
    `request()`,
    `request("--index-url=http://127.0.0.1/")`,
    `request("-r/etc/passwd")`,
    `request("../../etc")`,
    `request("file:///etc/passwd")`,
    `request("gift @ https://example.invalid/gift.whl")`,
    `request("gift\\n--index-url http://127.0.0.1")`,
    `request(*["gift"] * 51)`,
    `request({"gift": 1})`,
    `json.dumps([1]).encode() + b"\\n"`,
  ]
  const told = await cell(id, ask(`print([ask(data) for data in (${strange.join(', ')},)])`))
  expect(told).toBe(
    `${JSON.stringify(strange.map(() => ['error invalid_input']))
      .replaceAll('"', "'")
      .replaceAll(',', ', ')}\n`,
  )
  expect(python.calls.resolve).toBe(resolved)

  // a flood: one at a time, a few that wait, and then no more for a while
  const flood = await cell(
    id,
    ask(`
from concurrent.futures import ThreadPoolExecutor
import collections
with ThreadPoolExecutor(20) as pool:
    print(dict(collections.Counter(answer for told in pool.map(ask, [request("gift")] * 200) for answer in told if "progress" not in answer)))`),
  )
  const counts = JSON.parse(flood.replaceAll("'", '"')) as Record<string, number>
  expect(counts['error quota_exceeded']).toBeGreaterThan(140)
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(200)
  expect(counts['done '] ?? 0).toBeLessThanOrEqual(60)
  expect(python.calls.resolve).toBeLessThanOrEqual(resolved + 1)
  // what it says of itself changes nothing for the host
  expect(
    await cell(id, 'import os\nos.remove("/tmp/.coherex/python")\nos.symlink("/etc", "/tmp/.coherex/python")'),
  ).toBe('')
  expect((await sandboxes.get(ann.teamId, id)).packages).toHaveLength(1)
  await sandboxes.remove(ann, id)
})

test('a package that pip installs by itself is outside of the lock, and the sandbox says so', async () => {
  const { id, outsideLock } = await sandboxes.create(ann, {})
  expect(outsideLock).toBe(false)
  const folder = '.local/lib/python3.11/site-packages/own-1.0.dist-info'
  await cell(id, `mkdir -p ${folder} && touch ${folder}/RECORD`, 'bash')
  await sandboxes.use(ann.teamId, id, (open) => sandboxes.save(open))
  expect((await sandboxes.get(ann.teamId, id)).outsideLock).toBe(true)
  await cell(id, `rm -r ${folder}`, 'bash')
  await sandboxes.use(ann.teamId, id, (open) => sandboxes.save(open))
  expect((await sandboxes.get(ann.teamId, id)).outsideLock).toBe(false)
  await sandboxes.remove(ann, id)
})

test('a template has locks from its build, which its sandboxes begin with and add to', async () => {
  const first = await build(ann, { name: 'data', packages: ['gift', 'npm:gift-js'] })
  expect(first).toMatchObject({ version: 1, packages: ['gift', 'npm:gift-js'] })
  expect(first.locks.map(({ requirements }) => requirements)).toEqual([['gift'], ['gift-js']])
  expect(first.bytes).toBe(200)
  expect(await uses('template')).toEqual([
    { owner_id: 'data@1', name: 'data@1' },
    { owner_id: 'data@1', name: 'data@1' },
  ])
  const made = await sandboxes.create(ann, { template: 'data', packages: ['other'] })
  expect(made.packages.map(({ requirements }) => requirements).sort()).toEqual([['gift', 'other'], ['gift-js']])
  expect(await cell(made.id, 'import gift, other\nprint(gift.version, other.version)')).toBe('2.0 3.1\n')
  expect(await cell(made.id, 'console.log(require("gift-js").version)', 'javascript')).toBe('1.0.0')

  await expect(build(ann, { name: 'lost', packages: ['surely-not-there'] })).rejects.toMatchObject({
    message: expect.stringContaining('surely-not-there') as string,
  })
  // without a registry, what the machine has is enough
  python.missing = 'the index is away'
  expect(await build(ann, { name: 'plain', packages: ['pip'] })).toMatchObject({ locks: [], bytes: 0 })
  await expect(build(ann, { name: 'lost', packages: ['needed'] })).rejects.toMatchObject({ code: 'unavailable' })
  python.missing = undefined
  // a version from before locks has its packages as files
  const hash = await deps.blobs.put('team_a', bytes('answer = 42'))
  await superuser.query(
    `INSERT INTO coherex.template (team_id, name, version, description, packages, files, bytes, person_id, person_name)
     VALUES ('team_a', 'old', 1, '', '["gone"]', '{}', 11, 'usr_ann', 'Ann')`,
  )
  await superuser.query(`INSERT INTO coherex.template_file VALUES ('team_a', 'old', 1, 'gone.py', 11, $1)`, [hash])
  const old = await sandboxes.create(ann, { template: 'old', packages: ['other'] })
  expect(await cell(old.id, 'import gone, other\nprint(gone.answer, other.version)')).toBe('42 3.1\n')
  await sandboxes.remove(ann, old.id)

  await templates.remove(ann, 'data')
  expect(await uses('template')).toEqual([])
  await sandboxes.remove(ann, made.id)
})

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
