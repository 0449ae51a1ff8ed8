import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Role, Scope } from '@coherex/contract'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startGitServer, type GitServer } from '../../../tests/harness/outside/git-server.ts'
import { createKeyRing, type TeamCaller } from '../../access/index.ts'
import { putSecret } from '../../access/secrets/secrets.ts'
import { createEgress } from '../../egress/index.ts'
import { anna, ben, startTestWorkspaces, textAt, type TestWorkspaces } from '../test-workspaces.ts'
import { WorkspaceGit } from './workspace-git.ts'

// a thread and git's own programs for each step
vi.setConfig({ testTimeout: 90_000 })

const keyRing = createKeyRing('a key of the installation, long enough')
const token = 'ghp_a-token-that-nobody-may-see'
let place: GitServer
let store: TestWorkspaces
let git: WorkspaceGit

beforeAll(async () => {
  place = await startGitServer()
  store = await startTestWorkspaces()
  const egress = createEgress({ allowPrivate: [{ host: '127.0.0.1', port: place.port }] })
  const { database, blobs, workspaces } = store
  await database.transaction({ team: store.teamId }, (transaction) =>
    transaction.execute(sql`
      INSERT INTO coherex.team_key (team_id, sealed) VALUES (${store.teamId}, ${keyRing.newTeamKey(store.teamId)})`),
  )
  git = new WorkspaceGit({ database, blobs, keyRing, egress, workspaces })
})
afterEach(() => {
  place.token = undefined
  place.intercept = undefined
  place.seen.length = 0
})
afterAll(async () => {
  await store.stop()
  await place.stop()
})

const callerOf = (role: Role, scopes: Scope[] = ['read', 'run', 'write', 'admin']): TeamCaller => ({
  ...{ teamId: store.teamId, role, scopes, setupDone: true, via: 'session', credentialId: 'ses_1' },
  ...{ ip: null, requestId: null },
  person: { id: anna.id, name: anna.name, email: 'anna@example.org', operator: false } as TeamCaller['person'],
})
const use = (name: string, role: Role = 'editor') => ({ caller: callerOf(role), author: anna, url: place.url(name) })
const write = (name: { teamId: string; workspaceId: string }, path: string, text: string, message?: string) =>
  store.workspaces.files.write(name, { path, bytes: [Buffer.from(text)], author: anna, message })

/** A repository with a commit made by git itself. */
async function seed(name: string, files: Record<string, string>): Promise<void> {
  await place.make(name)
  await commit(name, files)
}

async function commit(name: string, files: Record<string, string | null>, message = 'From git'): Promise<void> {
  const entries = Object.entries(files)
  const lines = ['commit refs/heads/main', 'committer Gita <gita@example.org> 1700000000 +0000', data(message)]
  const has = await place.git(`${name}.git`, 'rev-parse', '-q', '--verify', 'main').catch(() => '')
  if (has) lines.push('from refs/heads/main^0')
  for (const [path, text] of entries) {
    const [mode, at] = path.includes(' ') ? [path.split(' ')[0], path.slice(path.indexOf(' ') + 1)] : ['100644', path]
    if (text === null) lines.push(`D ${at}`)
    else if (mode === '160000') lines.push(`M 160000 ${text} ${at}`)
    else lines.push(`M ${mode} inline ${at}`, data(text))
  }
  await place.fastImport(`${name}.git`, `${lines.join('\n')}\n`)
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`
}

test('a repository becomes a workspace with one version that says from where it came', async () => {
  await seed('simple', { 'readme.md': 'hello\n', 'src/a.py': 'print(1)\n', 'blob.bin': '\u0000\u0001' })
  const { workspace, import: made } = await git.clone(use('simple'))
  const name = { teamId: store.teamId, workspaceId: workspace.id }
  expect(workspace).toMatchObject({ name: 'simple', version: 1 })
  expect(made).toEqual({
    version: 1,
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    branch: 'main',
    files: 3,
    leftOut: [],
  })
  expect(await textAt(store.workspaces, name, 'src/a.py')).toBe('print(1)\n')
  const { message, author } = await store.workspaces.versions.get(name, 1)
  expect(author).toEqual(anna)
  expect(message).toBe(`Imported main at ${made.commit.slice(0, 10)} from 127.0.0.1:${place.port}/simple.git`)
  expect(await git.remotes(name)).toMatchObject([
    { url: place.url('simple'), branch: 'main', version: 1, secret: null },
  ])
})

test('versions go out as commits with their authors, times and messages, and git itself reads them', async () => {
  await place.make('out')
  const name = await store.make()
  await write(name, 'a.txt', 'one\n', 'The first file')
  await write(name, 'dir/b.txt', 'two\n')
  await store.workspaces.files.write(name, { path: 'a.txt', bytes: [Buffer.from('ONE\n')], author: ben })
  await store.workspaces.files.remove(name, { path: 'dir/b.txt', author: ben })
  const pushed = await git.push(name, { ...use('out'), branch: 'main' })
  expect(pushed).toMatchObject({ branch: 'main', commits: 4, version: 4 })
  const folder = await place.clone('out')
  const log = await place.git('out.git', 'log', '--reverse', '--format=%an <%ae>|%cn|%s', 'main')
  expect(log.trim().split('\n')).toEqual([
    'Anna <per_anna@users.noreply.coherex.invalid>|Coherex|The first file',
    'Anna <per_anna@users.noreply.coherex.invalid>|Coherex|Add dir/b.txt',
    'Ben <per_ben@users.noreply.coherex.invalid>|Coherex|Change a.txt',
    'Ben <per_ben@users.noreply.coherex.invalid>|Coherex|Delete dir/b.txt',
  ])
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('ONE\n')
  await place.git('out.git', 'fsck', '--strict')
  const { at } = await store.workspaces.versions.get(name, 4)
  const when = await place.git('out.git', 'log', '-1', '--format=%at', 'main')
  expect(Number(when)).toBe(Math.floor(new Date(at).getTime() / 1000))

  // again: nothing to do; then only what is new
  expect(await git.push(name, { ...use('out'), branch: 'main' })).toMatchObject({ commits: 0, commit: pushed.commit })
  await write(name, 'c.txt', 'three\n')
  expect(await git.push(name, { ...use('out'), branch: 'main' })).toMatchObject({ commits: 1, version: 5 })
  expect((await place.git('out.git', 'rev-list', '--count', 'main')).trim()).toBe('5')
})

test('what both sides changed is merged by an import, and goes out on top of it', async () => {
  await seed('both', { 'a.txt': 'one\ntwo\nthree\n', 'old.txt': 'old\n', 'mine.txt': 'mine\n' })
  const { workspace } = await git.clone(use('both'))
  const name = { teamId: store.teamId, workspaceId: workspace.id }
  await write(name, 'a.txt', 'one\ntwo\nTHREE\n')
  await write(name, 'mine.txt', 'mine, changed\n')
  await commit('both', { 'a.txt': 'ONE\ntwo\nthree\n', 'old.txt': null, 'new.txt': 'new\n' })
  await expect(git.push(name, { ...use('both'), branch: 'main' })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('has commits that the workspace does not have'),
    details: [{ field: 'branch' }],
  })
  const made = await git.import(name, { ...use('both'), conflicts: 'refuse' })
  expect(made).toMatchObject({ version: 4, files: 3 })
  expect(await textAt(store.workspaces, name, 'a.txt')).toBe('ONE\ntwo\nTHREE\n')
  const { items } = await store.workspaces.files.list(name)
  expect(items.map(({ path }) => path)).toEqual(['a.txt', 'mine.txt', 'new.txt'])
  expect(await git.push(name, { ...use('both'), branch: 'main' })).toMatchObject({ commits: 1, version: 4 })
  expect(await place.git('both.git', 'show', 'main:a.txt')).toBe('ONE\ntwo\nTHREE\n')
  expect((await place.git('both.git', 'rev-list', '--count', 'main')).trim()).toBe('3')
  // both sides changed the same line
  await write(name, 'a.txt', 'ours\ntwo\nTHREE\n')
  await commit('both', { 'a.txt': 'theirs\ntwo\nTHREE\n' })
  await expect(git.import(name, { ...use('both'), conflicts: 'refuse' })).rejects.toMatchObject({
    code: 'conflict',
    details: { paths: ['a.txt'] },
  })
  expect(await textAt(store.workspaces, name, 'a.txt')).toBe('ours\ntwo\nTHREE\n')
  await git.import(name, { ...use('both'), conflicts: 'theirs' })
  expect(await textAt(store.workspaces, name, 'a.txt')).toBe('theirs\ntwo\nTHREE\n')
})

test('links, submodules and executable files are as they were after a push, and a new branch begins where the other is', async () => {
  const other = '1234567890123456789012345678901234567890'
  await seed('odd', {
    'a.txt': 'a\n',
    '100755 run.sh': '#!/bin/sh\n',
    '120000 link': '/etc/passwd',
    '160000 sub': other,
  })
  const { workspace, import: made } = await git.clone(use('odd'))
  const name = { teamId: store.teamId, workspaceId: workspace.id }
  expect(await git.push(name, { ...use('odd'), branch: 'same/as' })).toMatchObject({ commit: made.commit, commits: 0 })
  expect((await place.git('odd.git', 'rev-parse', 'same/as')).trim()).toBe(made.commit)
  await expect(git.push(name, { ...use('odd'), branch: 'same' })).rejects.toMatchObject({ code: 'conflict' })
  expect(made.leftOut).toEqual([
    { path: 'link', kind: 'link' },
    { path: 'sub', kind: 'submodule' },
  ])
  const { items } = await store.workspaces.files.list(name)
  expect(items.map(({ path }) => path)).toEqual(['a.txt', 'run.sh'])
  await write(name, 'run.sh', '#!/bin/sh\necho\n')
  await git.push(name, { ...use('odd'), branch: 'feature/x' })
  const tree = await place.git('odd.git', 'ls-tree', '-r', '--format=%(objectmode) %(path)', 'feature/x')
  expect(tree.trim().split('\n')).toEqual(['100644 a.txt', '120000 link', '100755 run.sh', '160000 sub'])
  const base = await place.git('odd.git', 'merge-base', 'main', 'feature/x')
  expect(base.trim()).toBe(made.commit)
})

test('a push whose end nobody heard of is found done by the next, and one that others overtook is never forced', async () => {
  await place.make('lost')
  const name = await store.make()
  await write(name, 'a.txt', 'one\n')
  place.intercept = (request, response) => {
    if (!request.url?.endsWith('/git-receive-pack')) return false
    // taken in full, and the line is cut before the answer
    const end = response.end.bind(response)
    response.end = (() => {
      response.destroy()
      return end()
    }) as never
    return false
  }
  await expect(git.push(name, { ...use('lost'), branch: 'main' })).rejects.toMatchObject({ code: 'unavailable' })
  place.intercept = undefined
  const tip = (await place.git('lost.git', 'rev-parse', 'main')).trim()
  await write(name, 'b.txt', 'two\n')
  expect(await git.push(name, { ...use('lost'), branch: 'main' })).toMatchObject({ commits: 1 })
  expect((await place.git('lost.git', 'rev-parse', 'main~1')).trim()).toBe(tip)
  const stranger = await store.make()
  await write(stranger, 'c.txt', 'of another workspace\n')
  await expect(git.push(stranger, { ...use('lost'), branch: 'main' })).rejects.toMatchObject({ code: 'conflict' })
  expect((await place.git('lost.git', 'rev-list', '--count', 'main')).trim()).toBe('2')
})

test('of many versions the last two hundred are commits of their own', async () => {
  await place.make('many')
  const name = await store.make()
  for (let number = 1; number <= 203; number++) await write(name, 'a.txt', `${number}\n`, `Number ${number}`)
  expect(await git.push(name, { ...use('many'), branch: 'main' })).toMatchObject({ commits: 200, version: 203 })
  const log = (await place.git('many.git', 'log', '--reverse', '--format=%s', 'main')).trim().split('\n')
  expect([log[0], log[1], log.at(-1)]).toEqual(['Versions 1 to 4', 'Number 5', 'Number 203'])
})

test('a token is shown to the host that an admin used it with, and to nobody else', async () => {
  await seed('private', { 'a.txt': 'secret plans\n' })
  const rooms = { database: store.database, keyRing }
  await putSecret(rooms, callerOf('admin'), { name: 'GIT_TOKEN', value: token })
  place.token = token
  await expect(git.clone(use('private'))).rejects.toMatchObject({
    code: 'invalid_input',
    details: [{ field: 'secret' }],
  })
  const withSecret = (role: Role) => ({ ...use('private', role), secret: 'GIT_TOKEN' })
  await expect(git.clone({ ...withSecret('editor'), secret: 'NO_SUCH' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(git.clone(withSecret('editor'))).rejects.toMatchObject({
    code: 'forbidden',
    details: [{ field: 'secret' }],
  })
  const key = { ...withSecret('admin'), caller: callerOf('admin', ['read', 'write']) }
  await expect(git.clone(key)).rejects.toMatchObject({ code: 'forbidden' })
  expect(place.seen.filter(({ authorization }) => authorization)).toEqual([])
  const { workspace } = await git.clone(withSecret('admin'))
  expect((await git.clone(withSecret('editor'))).import.files).toBe(1)
  const name = { teamId: store.teamId, workspaceId: workspace.id }
  expect(await git.remotes(name)).toMatchObject([{ secret: 'GIT_TOKEN' }])
  // nowhere in what is kept
  const kept = await store.database.transaction({ team: store.teamId }, async (transaction) => {
    const tables = ['audit_event', 'workspace_remote', 'workspace_version', 'git_secret_host']
    const found = await Promise.all(
      tables.map((table) => transaction.execute(sql.raw(`SELECT t::text AS row FROM coherex.${table} t`))),
    )
    return JSON.stringify(found.flatMap(({ rows }) => rows))
  })
  expect(kept).toContain('secret.open-host')
  expect(kept).not.toContain(token)
  expect(kept).not.toContain(Buffer.from(`git:${token}`).toString('base64'))
})
