import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runCoherex } from './run-coherex.ts'
import { ownerKey, startRealServer } from './start-real-server.ts'

// many programs are started one after the other
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let home: string
let url: string
let stop: () => Promise<void>

beforeAll(async () => {
  ;({ home, url, stop } = await startRealServer())
})
afterAll(() => stop())

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

/** As the operator on the server's machine; the folder is found because this program is part of it. */
const asOperator = (args: string[]) =>
  runCoherex(args, { env: { COHEREX_DATA_DIR: join(home, 'data'), PORT: new URL(url).port }, cwd: home })

test('the operator copies the store while the server runs', async () => {
  const { code, stdout, stderr } = await asOperator(['backup', 'create', 'copy.backup', '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ file: join(home, 'copy.backup'), holdsKey: false })
  expect(statSync(join(home, 'copy.backup')).size).toBeGreaterThan(0)
})

test('the operator lets a locked-out owner in again', async () => {
  const status = await runCoherex(['status', '--json'], {
    env: { COHEREX_URL: url, COHEREX_TOKEN: ownerKey },
    cwd: home,
  })
  const { me } = JSON.parse(status.stdout) as { me: { person: { email: string } } }
  const { code, stdout } = await asOperator(['user', 'reset', me.person.email])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^http:\/\/\S+$/m)
  expect(await asOperator(['user', 'reset', 'nobody@example.test'])).toMatchObject({ code: 1, stdout: '' })
})
