import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { CoherexError, routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
// oxlint-disable-next-line house/packages -- git's own server, which is a stand-in of the tests
import { startGitServer, type GitServer } from '../../server/tests/harness/outside/git-server.ts'
import { connectTo, type Connection } from '../src/connect.ts'
import { createState, createStateWriter } from '../src/workspaces/state-file.ts'
import { syncFolder, type SyncOptions } from '../src/workspaces/sync-folder.ts'
import { runCoherex, startCoherex } from './run-coherex.ts'
import { ownerKey, startRealServer } from './start-real-server.ts'

// many programs are started one after the other
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let home: string
let url: string
let stop: () => Promise<void>
let id: string
let git: GitServer

beforeAll(async () => {
  git = await startGitServer()
  const settings = { COHEREX_ALLOW_PRIVATE: `127.0.0.1:${git.port}`, COHEREX_WARM: 'false' }
  ;({ home, url, stop } = await startRealServer(settings))
  id = (await coherex(['create', 'Mine'])).stdout.trim()
})
afterAll(async () => {
  await stop()
  await git.stop()
})

const surroundings = (cwd: string) => ({ env: { COHEREX_URL: url, COHEREX_TOKEN: ownerKey }, cwd })
const coherex = (args: string[], cwd = home) => runCoherex(['workspace', ...args], surroundings(cwd))
const there = () => connectTo(url, ownerKey)
const write = (path: string, body: string) =>
  there().client(routes.workspaces.writeFile, { params: { id, path }, body })
const read = (path: string) => there().client(routes.workspaces.readFile, { params: { id, path } })
const paths = async () =>
  (await there().client(routes.workspaces.listFiles, { params: { id } })).items.map(({ path }) => path)

test('someone pulls, edits, pushes, merges with others, and keeps both where lines clash', async () => {
  await write('src/a.txt', 'one\ntwo\nthree\n')
  await write('b.txt', 'b\n')
  const folder = join(home, 'mine')
  expect(await coherex(['pull', 'mine', '-w', 'Mine'])).toMatchObject({ code: 0, stderr: '' })
  const a = join(folder, 'src/a.txt')
  expect(readFileSync(a, 'utf8')).toBe('one\ntwo\nthree\n')

  writeFileSync(a, 'ONE\ntwo\nthree\n')
  writeFileSync(join(folder, 'new.txt'), 'new\n')
  rmSync(join(folder, 'b.txt'))
  await write('src/a.txt', 'one\ntwo\nTHREE\n')
  const pushed = await coherex(['push', '-m', 'By hand'], folder)
  expect(pushed.stdout.split('\n').toSorted().join('\n').trim()).toMatch(
    /^deleted there +b\.txt\nmerged +src\/a\.txt\nuploaded +new\.txt$/,
  )
  expect(pushed.code).toBe(0)
  expect([await read('src/a.txt'), readFileSync(a, 'utf8')]).toEqual(['ONE\ntwo\nTHREE\n', 'ONE\ntwo\nTHREE\n'])
  expect(await paths()).toEqual(['new.txt', 'src/a.txt'])

  writeFileSync(a, 'ONE\nmine\nTHREE\n')
  await write('src/a.txt', 'ONE\ntheirs\nTHREE\n')
  expect(await coherex(['pull'], folder)).toMatchObject({ code: 1, stdout: expect.stringContaining('left') as string })
  const clash = await coherex(['push'], folder)
  expect(clash).toMatchObject({ code: 1, stdout: expect.stringContaining('yours is kept as') as string })
  expect(readFileSync(a, 'utf8')).toBe('ONE\ntheirs\nTHREE\n')
  const copy = readdirSync(join(folder, 'src')).find((name) => name.includes('.conflict-')) ?? ''
  expect(readFileSync(join(folder, 'src', copy), 'utf8')).toBe('ONE\nmine\nTHREE\n')
  expect((await coherex(['push'], folder)).stdout).toBe('')

  const log = await coherex(['log', '--json'], folder)
  const { items } = JSON.parse(log.stdout) as { items: { number: number; message: string; author: { door: string } }[] }
  const mine = items.find(({ message }) => message === 'By hand')
  expect(mine?.author.door).toBe('cli')
  expect((await coherex(['diff', '0', '1'], folder)).stdout).toContain('+two')
  expect(await coherex(['restore', '1', 'src/a.txt'], folder)).toMatchObject({ code: 0 })
  expect(await coherex(['pull'], folder)).toMatchObject({ code: 0 })
  expect(readFileSync(a, 'utf8')).toBe('one\ntwo\nthree\n')
})

test('nothing is deleted on doubt, written through a link, or put where it would run', async () => {
  await write('src/a.txt', 'a\n')
  await write('new.txt', 'new\n')
  const folder = join(home, 'careful')
  await coherex(['pull', 'careful', '-w', id])
  for (const name of readdirSync(folder)) if (name !== '.coherex') rmSync(join(folder, name), { recursive: true })
  expect(await coherex(['push'], folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is empty') as string,
  })
  expect((await paths()).length).toBeGreaterThan(0)

  mkdirSync(join(home, 'outside'))
  symlinkSync(join(home, 'outside'), join(folder, 'src'))
  await write('.git/hooks/post-checkout', 'echo gotcha\n')
  const pulled = await coherex(['pull', '--force'], folder)
  expect(pulled).toMatchObject({ code: 1, stdout: expect.stringContaining('a link is in the way') as string })
  expect(existsSync(join(folder, 'new.txt'))).toBe(true)
  expect(readdirSync(join(home, 'outside'))).toEqual([])
  expect(existsSync(join(folder, '.git'))).toBe(false)
  expect(await coherex(['pull', 'outside/..', '-w', id])).toMatchObject({ code: 2 })
})

/** A folder of a new workspace, synced as the commands do it. */
async function startSyncing() {
  const workspace = (await there().client(routes.workspaces.create, { body: { name: 'Synced', template: 'blank' } })).id
  const openFolder = (name: string) => {
    const folder = join(home, `${workspace}-${name}`)
    mkdirSync(join(folder, '.coherex'), { recursive: true })
    const state = createState(url, workspace)
    const file = (path: string) => join(folder, path)
    return {
      folder,
      file,
      text: (path: string) => readFileSync(file(path), 'latin1'),
      async sync(way: SyncOptions['way'] = 'both', connection: Connection = there()) {
        const lines: string[] = []
        const saveState = createStateWriter(folder, state)
        const onDone: SyncOptions['onDone'] = ({ did, path }) => void lines.push(`${did} ${path}`)
        await syncFolder({ connection, folder, state, saveState, way, onDone })
        return lines.toSorted()
      },
    }
  }
  const put = (path: string, body: string) =>
    there().client(routes.workspaces.writeFile, { params: { id: workspace, path }, body })
  const textThere = (path: string) => there().client(routes.workspaces.readFile, { params: { id: workspace, path } })
  return { workspace, openFolder, put, textThere }
}

test('two folders meet: a change wins over a deletion, what is no text is kept twice, folders take the place of files', async () => {
  const { openFolder, put } = await startSyncing()
  await put('text.txt', 'one\n')
  await put('image', '\0 first')
  await put('tool.sh', 'echo 1\n')
  const [mine, yours] = [openFolder('mine'), openFolder('yours')]
  await mine.sync()
  await yours.sync()
  rmSync(yours.file('text.txt'))
  writeFileSync(yours.file('image'), '\0 yours')
  await yours.sync()
  writeFileSync(mine.file('text.txt'), 'two\n')
  writeFileSync(mine.file('image'), '\0 mine')
  chmodSync(mine.file('tool.sh'), 0o755)
  await put('tool.sh', 'echo 2\n')
  expect(await mine.sync()).toEqual(['conflict image', 'downloaded tool.sh', 'uploaded text.txt'])
  expect([mine.text('image'), statSync(mine.file('tool.sh')).mode & 0o777]).toEqual(['\0 yours', 0o755])
  const copy = readdirSync(mine.folder).find((name) => name.startsWith('image.conflict-')) ?? ''
  expect(mine.text(copy)).toBe('\0 mine')

  rmSync(mine.file('text.txt'))
  mkdirSync(mine.file('text.txt'))
  writeFileSync(mine.file('text.txt/inside'), 'in\n')
  expect(await mine.sync()).toEqual(['deleted there text.txt', 'uploaded text.txt/inside'])
  await yours.sync()
  expect(yours.text('text.txt/inside')).toBe('in\n')
  rmSync(mine.file('text.txt'), { recursive: true })
  writeFileSync(mine.file('text.txt'), 'a file again\n')
  await mine.sync()
  await yours.sync()
  expect(yours.text('text.txt')).toBe('a file again\n')
  expect(await mine.sync()).toEqual([])
})

test('what is saved here while a sync is under way stays, and a workspace that is archived takes nothing away', async () => {
  const { workspace, openFolder, put, textThere } = await startSyncing()
  await put('a.txt', 'one\ntwo\nthree\n')
  const mine = openFolder('mine')
  await mine.sync()
  await put('a.txt', 'one\ntwo\nTHREE\n')
  const connection = there()
  const busy: Connection = {
    ...connection,
    async open(route, request, options) {
      const response = await connection.open(route, request, options)
      writeFileSync(mine.file('a.txt'), 'ONE\ntwo\nthree\n')
      return response
    },
  }
  expect(await mine.sync('both', busy)).toEqual(['left a.txt'])
  expect(mine.text('a.txt')).toBe('ONE\ntwo\nthree\n')
  expect(await mine.sync()).toEqual(['merged a.txt'])
  expect([mine.text('a.txt'), await textThere('a.txt')]).toEqual(['ONE\ntwo\nTHREE\n', 'ONE\ntwo\nTHREE\n'])

  const reader = await there().client(routes.keys.create, { body: { name: 'Reads', scopes: ['read'] } })
  writeFileSync(mine.file('a.txt'), 'not allowed\n')
  const refused = mine.sync('push', connectTo(url, reader.key))
  await expect(refused).rejects.toMatchObject({ code: 'forbidden' })
  expect(await mine.sync('pull', connectTo(url, reader.key))).toEqual([])

  await there().client(routes.workspaces.update, { params: { id: workspace }, body: { archived: true } })
  writeFileSync(mine.file('a.txt'), 'mine\n')
  expect(await mine.sync()).toEqual(['failed a.txt'])
  expect([mine.text('a.txt'), readdirSync(mine.folder)]).toEqual(['mine\n', ['.coherex', 'a.txt']])
})

test('a push of many files is one version, a rename included; a file that clashes or cannot go keeps nobody back', async () => {
  const { workspace, openFolder, put, textThere } = await startSyncing()
  const mine = openFolder('mine')
  for (const path of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) await put(path, `${path}\nand\nmore\n`)
  await put('e.bin', '\0')
  await mine.sync()
  writeFileSync(mine.file('a.txt'), 'A\nand\nmore\n')
  await put('a.txt', 'a.txt\nand\nMORE\n')
  rmSync(mine.file('b.txt'))
  writeFileSync(mine.file('ü b.txt'), 'b.txt\nand\nmore\n')
  writeFileSync(mine.file('c.txt'), 'mine\n')
  await put('c.txt', 'theirs\n')
  rmSync(mine.file('d.txt'))
  await put('d.txt', 'kept\n')
  // what was no text is one now
  writeFileSync(mine.file('e.bin'), 'text\n')
  const { version } = await there().client(routes.workspaces.get, { params: { id: workspace } })
  expect(await mine.sync('push')).toEqual([
    'conflict c.txt',
    'deleted there b.txt',
    'merged a.txt',
    'uploaded e.bin',
    'uploaded ü b.txt',
  ])
  const { items } = await there().client(routes.workspaces.listVersions, { params: { id: workspace } })
  expect(items[0]).toMatchObject({
    number: version + 1,
    changes: [
      { path: 'a.txt', change: 'changed' },
      { path: 'e.bin', change: 'changed' },
      { path: 'ü b.txt', change: 'moved', from: 'b.txt' },
    ],
  })
  expect([mine.text('a.txt'), await textThere('c.txt'), await textThere('d.txt')]).toEqual([
    'A\nand\nMORE\n',
    'theirs\n',
    'kept\n',
  ])

  await put('folder', 'a file\n')
  mkdirSync(mine.file('folder'))
  writeFileSync(mine.file('folder/inside'), 'cannot go\n')
  writeFileSync(mine.file('a.txt'), 'goes\n')
  expect(await mine.sync('push')).toEqual(['failed folder/inside', 'uploaded a.txt'])
})

test('a line that breaks before the answer is no conflict with oneself', async () => {
  const { openFolder, put, textThere } = await startSyncing()
  await put('a.txt', 'one\n')
  const mine = openFolder('mine')
  await mine.sync()
  const connection = there()
  const broken: Connection = {
    ...connection,
    async client(route, ...asked) {
      const answer = await connection.client(route, ...asked)
      if (route.method === 'get') return answer
      throw new CoherexError('unavailable', 'Cannot reach Coherex')
    },
  }
  writeFileSync(mine.file('a.txt'), 'two\n')
  writeFileSync(mine.file('new.txt'), 'new\n')
  await expect(mine.sync('push', broken)).rejects.toMatchObject({ code: 'unavailable' })
  writeFileSync(mine.file('a.txt'), 'three\n')
  writeFileSync(mine.file('new.txt'), 'newer\n')
  expect(await mine.sync('push')).toEqual(['uploaded a.txt', 'uploaded new.txt'])
  expect([await textThere('a.txt'), await textThere('new.txt')]).toEqual(['three\n', 'newer\n'])
})

test('a first pull that was killed goes on where it was', async () => {
  const { workspace, put } = await startSyncing()
  for (let number = 0; number < 20; number++) await put(`${number}.txt`, `${number}\n`)
  const pulling = startCoherex(['workspace', 'pull', 'killed', '-w', workspace], surroundings(home))
  await pulling.printed
  pulling.child.kill('SIGKILL')
  await pulling.ended
  expect(await coherex(['pull', 'killed', '-w', workspace])).toMatchObject({ code: 0, stderr: '' })
  expect(readdirSync(join(home, 'killed'))).toHaveLength(21)
  expect(readdirSync(join(home, 'killed/.coherex'))).toEqual(['workspace.json'])
})

test('watch keeps a folder and a workspace the same, both ways, until it is stopped', async () => {
  await write('new.txt', 'new\n')
  const folder = join(home, 'watched')
  const watching = startCoherex(['workspace', 'watch', 'watched', '-w', id], surroundings(home))
  await vi.waitFor(() => expect(existsSync(join(folder, 'new.txt'))).toBe(true), { timeout: 60_000 })
  writeFileSync(join(folder, 'from-here.txt'), 'here\n')
  await vi.waitFor(async () => expect(await paths()).toContain('from-here.txt'), { timeout: 60_000 })
  await write('from-there.txt', 'there\n')
  await vi.waitFor(() => expect(readFileSync(join(folder, 'from-there.txt'), 'utf8')).toBe('there\n'), {
    timeout: 60_000,
  })
  rmSync(join(folder, 'from-here.txt'))
  await vi.waitFor(async () => expect(await paths()).not.toContain('from-here.txt'), { timeout: 60_000 })
  watching.child.kill('SIGINT')
  expect(await watching.ended).toMatchObject({ code: 0 })
})

test('a workspace goes to git, comes back from it, and what was used last need not be said again', async () => {
  await git.make('tool')
  const { stdout } = await coherex(['create', 'To git', '-t', 'python-tool'])
  const named = ['-w', stdout.trim()]
  expect(await coherex(['push-git', ...named])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Say the address of the repository') as string,
  })
  expect(await coherex(['push-git', git.url('tool'), '-b', 'main', ...named])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Pushed 1 commits to main, which is at [0-9a-f]{10}\n$/) as string,
  })
  expect((await coherex(['push-git', ...named])).stdout).toMatch(/^Nothing new: main is at/)
  const cloned = await coherex(['clone', git.url('tool'), '-n', 'From git'])
  expect(cloned).toMatchObject({ code: 0, stdout: expect.stringMatching(/^wsp_\w+\n$/) as string })
  expect((await coherex(['import-git', '-w', cloned.stdout.trim()])).stdout).toMatch(/it is at version 1\n$/)
  expect(await coherex(['clone', git.url('nowhere')])).toMatchObject({
    stderr: expect.stringContaining('There is no repository at that address') as string,
  })
})
