import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCoherex } from './run-coherex.ts'

const main = join(import.meta.dirname, '../../server/src/main.ts')
const ownerKey = 'a-fixed-key-of-the-first-owner'

let home: string
let server: ChildProcess
let url: string

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'coherex-cli-story-'))
  chmodSync(home, 0o755) // the database runs as another user
  server = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      COHEREX_DATA_DIR: join(home, 'data'),
      COHEREX_TOKEN: ownerKey,
      COHEREX_HOME: home,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  url = await new Promise<string>((resolve, reject) => {
    server.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const address = /at (http:\/\/\S+)/.exec(text)?.[1]
      if (address) resolve(address)
    })
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
})

afterAll(async () => {
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  await ended
  rmSync(home, { recursive: true, force: true })
})

const coherex = (args: string[], stdin?: string) =>
  runCoherex(args, { env: { XDG_CONFIG_HOME: home }, cwd: home, ...(stdin ? { stdin } : {}) })

test('an owner signs in, makes a key for a pipeline, and revokes it', async () => {
  expect(await coherex(['login', url], ownerKey)).toMatchObject({ code: 0, stderr: '' })
  expect((await coherex(['status'])).stdout).toContain(`at ${url}: `)

  const made = await coherex(['keys', 'create', 'pipeline', '--scopes', 'read', '--expires', '30d'])
  expect(made.code).toBe(0)
  const asPipeline = { env: { COHEREX_URL: url, COHEREX_TOKEN: made.stdout.trim() }, cwd: home }
  expect(await runCoherex(['members', '--json'], asPipeline)).toMatchObject({ code: 0 })
  expect(await runCoherex(['keys', 'list'], asPipeline)).toMatchObject({ code: 5 }) // read is not admin

  const { items } = JSON.parse((await coherex(['keys', 'list', '--json'])).stdout) as {
    items: { id: string; name: string }[]
  }
  const { id } = items.find(({ name }) => name === 'pipeline')!
  expect(await coherex(['keys', 'revoke', id])).toMatchObject({ code: 0, stdout: `Revoked ${id}\n` })
  expect(await runCoherex(['members'], asPipeline)).toMatchObject({ code: 3 })

  const { stdout } = await coherex(['audit', '--action', 'key'])
  expect(stdout).toMatch(/key\.create\s+pipeline/)
  expect(stdout).toMatch(/key\.revoke\s+pipeline/)
})
