import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runCoherex } from './run-coherex.ts'
import { ownerKey, startRealServer } from './start-real-server.ts'

// many programs are started one after the other
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let server: Awaited<ReturnType<typeof startRealServer>>
/** Of its own: beside it the server has its data. */
let folder: string

beforeAll(async () => {
  server = await startRealServer()
  folder = mkdtempSync(join(server.home, 'work-'))
})
afterAll(() => server.stop())

const coherex = (args: string[], stdin?: string) =>
  runCoherex(['sandbox', ...args], {
    env: { COHEREX_URL: server.url, COHEREX_TOKEN: ownerKey },
    cwd: folder,
    ...(stdin ? { stdin } : {}),
  })

test('someone makes a sandbox, moves files, runs cells, types into a shell and removes it', async () => {
  const made = await coherex(['create', '--name', 'mine'])
  expect(made).toMatchObject({ code: 0, stderr: '' })
  const id = made.stdout.trim()
  expect((await coherex(['list'])).stdout).toMatch(new RegExp(`${id}\\s+mine\\s+running`))

  mkdirSync(join(folder, 'data/deep'), { recursive: true })
  writeFileSync(join(folder, 'data/numbers.txt'), '1\n2\n3\n')
  writeFileSync(join(folder, 'data/deep/more.txt'), 'more')
  expect(await coherex(['cp', 'data', `${id}:`])).toMatchObject({ code: 0 })
  const listed = await coherex(['ls', `${id}:data`, '-r'])
  expect(listed.stdout).toMatch(/6 {2}data\/numbers\.txt/)

  expect(await coherex(['exec', id, '-l', 'python', 'x = sum(map(int, open("data/numbers.txt")))'])).toMatchObject({
    code: 0,
  })
  expect(await coherex(['exec', id, '-l', 'python', 'x * 7'])).toMatchObject({ code: 0, stdout: '42\n' })
  expect(await coherex(['exec', id, 'echo', 'made', '>', 'data/made.txt'])).toMatchObject({ code: 0 })
  // options of a command are the command's
  expect(await coherex(['exec', id, 'ls', '-la', 'data'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^total \d[\s\S]*made\.txt/) as string,
  })
  expect(await coherex(['exec', id, '-l', 'bash', '--', 'false'])).toMatchObject({ code: 1 })
  expect(await coherex(['exec', id, '-l', 'bash', '(exit 3)'])).toMatchObject({ code: 3 })
  expect(await coherex(['exec', id, '-l', 'python', '1 / 0'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ZeroDivisionError') as string,
  })
  expect(await coherex(['exec', id, '-t', '200ms', 'sleep 20'])).toMatchObject({ code: 124 })

  expect(await coherex(['cp', `${id}:data`, 'out'])).toMatchObject({ code: 0 })
  expect(readFileSync(join(folder, 'out/made.txt'), 'utf8')).toBe('made\n')
  expect(readFileSync(join(folder, 'out/deep/more.txt'), 'utf8')).toBe('more')
  expect(await coherex(['cp', `${id}:data/numbers.txt`, 'out/numbers.txt'])).toMatchObject({ code: 1 })
  expect(await coherex(['cp', 'data', 'elsewhere'])).toMatchObject({ code: 2 })

  const set = await coherex(['set', id, '--name', 'renamed', '--disk', '128', '--allow', 'https://example.com/'])
  expect(set).toMatchObject({ code: 0, stdout: 'Changed renamed; limits.diskMb when it next wakes\n' })
  expect(await coherex(['set', id])).toMatchObject({ code: 2 })

  const shell = await coherex(['shell', id], 'echo $((40 + 2)) > shell.txt\nexit 7\n')
  expect(shell.code).toBe(7)
  expect(await coherex(['cp', `${id}:shell.txt`, 'shell.txt'])).toMatchObject({ code: 0 })
  expect(readFileSync(join(folder, 'shell.txt'), 'utf8')).toBe('42\n')

  const own = await coherex(['shell'], 'exit 3\n')
  expect(own).toMatchObject({ code: 3, stderr: expect.stringMatching(/your sandbox Shell \(sbx_/) as string })
  const again = await coherex(['shell'], 'exit 4\n')
  expect(again).toMatchObject({ code: 4, stderr: own.stderr })
  writeFileSync(join(folder, 'in.txt'), 'ada\n')
  const asked = await coherex(['exec', id, '-l', 'python', 'input()'])
  expect(asked.stderr).toContain('coherex: run it again with --stdin FILE')
  expect(await coherex(['exec', id, '-l', 'python', '--stdin', 'in.txt', 'input()'])).toMatchObject({ code: 0 })

  expect(await coherex(['rm', id])).toMatchObject({ code: 0, stdout: `Deleted ${id}\n` })
  expect(await coherex(['shell', id])).toMatchObject({ code: 1 })
  expect(await coherex(['exec', 'nonsense', 'ls'])).toMatchObject({ code: 2 })
})
