import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
// oxlint-disable-next-line house/packages -- git's own server, which is a stand-in of the tests
import { startGitServer, type GitServer } from '../../server/tests/harness/git-server.ts'
import { connectTo } from '../src/connect.ts'
import { runCoherex, startCoherex } from './run-coherex.ts'
import { ownerKey, startRealServer } from './start-real-server.ts'

// many programs are started one after the other
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let home: string
let url: string
let stop: () => Promise<void>
let id: string
let git: GitServer

beforeAll(async () => {
  git = await startGitServer()
  ;({ home, url, stop } = await startRealServer({ COHEREX_ALLOW_PRIVATE: `127.0.0.1:${git.port}` }))
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

test('watch keeps a folder and a workspace the same, both ways, until it is stopped', async () => {
  await write('new.txt', 'new\n')
  const folder = join(home, 'watched')
  const watching = startCoherex(['workspace', 'watch', 'watched', '-w', id], surroundings(home))
  await vi.waitFor(() => expect(existsSync(join(folder, 'new.txt'))).toBe(true), { timeout: 30_000 })
  writeFileSync(join(folder, 'from-here.txt'), 'here\n')
  await vi.waitFor(async () => expect(await paths()).toContain('from-here.txt'), { timeout: 30_000 })
  await write('from-there.txt', 'there\n')
  await vi.waitFor(() => expect(readFileSync(join(folder, 'from-there.txt'), 'utf8')).toBe('there\n'), {
    timeout: 30_000,
  })
  rmSync(join(folder, 'from-here.txt'))
  await vi.waitFor(async () => expect(await paths()).not.toContain('from-here.txt'), { timeout: 30_000 })
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
