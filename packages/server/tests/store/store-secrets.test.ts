import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, routes } from '@coherex/contract'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeyRing, openSecret, rotateKeys } from '../../src/access/index.ts'
import { connectOwner, embeddedOwner, findEmbeddedPostgres } from '../../src/base/index.ts'
import { readConfig } from '../../src/config.ts'
import { openInstallation } from '../../src/open-installation.ts'
import { createSecretKey, loadSecretKey, settleSecretKey } from '../../src/secret-key.ts'
import { startServer, type RunningServer } from '../../src/server.ts'
import { makeTestDirectory, runOperate } from '../harness/server-process.ts'
import { createBrowser, type Browser } from '../harness/test-server.ts'

const log = pino({ level: 'silent' })
const token = 'a_fixed_token_for_this_test'
const planted = 'planted-7f3b9c1e-secret-value'
const names = ['FIRST', 'SECOND']

let directory: Awaited<ReturnType<typeof makeTestDirectory>>
let server: RunningServer | undefined
let teams: string[] = []
let owner: Browser

const settings = () => ({
  PORT: '0',
  COHEREX_DATA_DIR: directory.path,
  COHEREX_TOKEN: token,
  COHEREX_LOG_LEVEL: 'silent',
  // nothing is run here
  COHEREX_WARM: 'false',
})
const config = (more: Record<string, string> = {}) => readConfig({ ...settings(), ...more }, directory.path)

beforeAll(async () => {
  directory = await makeTestDirectory()
  server = await startServer(config())
  const call = createClient({ baseUrl: server.url, fetch, key: token })
  for (const name of names) await call(routes.secrets.put, { params: { name }, body: { value: planted } })
  owner = createBrowser(server.url)
  await owner.call(routes.signIn.withLink, { body: { token: server.signInLink.split('/').at(-1) ?? '' } })
  const other = await owner.call(routes.teams.create, { body: { name: 'Other team' } })
  const me = await owner.call(routes.signIn.switchTeam, { body: { teamId: other.id } })
  await owner.call(routes.secrets.put, { params: { name: 'FIRST' }, body: { value: `other ${planted}` } })
  teams = me.teams.map(({ id }) => id)
}, 120_000)
afterAll(async () => {
  await server?.stop()
  await directory.remove()
})

async function stopServer(): Promise<void> {
  await server?.stop()
  server = undefined
}

/** Opens the store the way a start does, and reads every planted secret with the key that start would use. */
async function readAll(more: Record<string, string> = {}): Promise<(string | undefined)[]> {
  const { directory: data, store, close } = await openInstallation(config(more), log)
  try {
    const setting = more['COHEREX_SECRET_KEY']
    const key = await settleSecretKey(data, store.database, { key: await loadSecretKey(data, setting), setting })
    const rooms = { database: store.database, keyRing: createKeyRing(key) }
    return await Promise.all([
      ...names.map((name) => openSecret(rooms, teams[0] ?? '', name)),
      openSecret(rooms, teams[1] ?? '', 'FIRST'),
    ])
  } finally {
    await close()
  }
}

const everything = [planted, planted, `other ${planted}`]
const keyFile = () => readFile(join(directory.path, 'secret.key'), 'utf8')

describe('a secret', () => {
  test('is nowhere in the tables, the write-ahead log or any other file of the installation', async () => {
    const client = await connectOwner({
      ...embeddedOwner(await findEmbeddedPostgres(join(directory.path, 'postgres'))),
      user: 'postgres',
    })
    // so that a row which is found proves that the search would find a secret
    await client.query("UPDATE coherex.team SET name = 'canary-5d2a8e4f'")
    await client.query('CHECKPOINT')
    await client.end()
    const found = { planted: [] as string[], canary: [] as string[] }
    for await (const file of filesIn(directory.path)) {
      const bytes = await readFile(file).catch(() => Buffer.alloc(0)) // a temporary file that is gone
      const relative = file.slice(directory.path.length)
      for (const form of [planted, Buffer.from(planted).toString('hex'), Buffer.from(planted).toString('base64')])
        if (bytes.includes(form)) found.planted.push(relative)
      if (bytes.includes('canary-5d2a8e4f')) found.canary.push(relative)
    }
    expect(found.planted).toEqual([])
    expect(found.canary.some((file) => file.includes('/pg_wal/'))).toBe(true)
    expect(found.canary.some((file) => file.includes('/base/'))).toBe(true)
  })

  test('does not open when its sealed bytes are moved to another team or another name', async () => {
    const client = await connectOwner({
      ...embeddedOwner(await findEmbeddedPostgres(join(directory.path, 'postgres'))),
      user: 'postgres',
    })
    const key = createKeyRing((await keyFile()).trim())
    const { store, close } = await attach()
    try {
      const open = (team: string | undefined, name: string) =>
        openSecret({ database: store, keyRing: key }, team ?? '', name)
      expect(await open(teams[0], 'FIRST')).toBe(planted)
      await client.query('BEGIN')
      const { rows } = await client.query('SELECT team_id, name, sealed FROM coherex.secret')
      const sealedOf = (team: string | undefined, name: string) =>
        rows.find((row) => row.team_id === team && row.name === name).sealed as Buffer
      await client.query('COMMIT')
      const put = (team: string | undefined, name: string, sealed: Buffer) =>
        client.query('UPDATE coherex.secret SET sealed = $1 WHERE team_id = $2 AND name = $3', [sealed, team, name])

      await put(teams[1], 'FIRST', sealedOf(teams[0], 'FIRST'))
      await expect(open(teams[1], 'FIRST')).rejects.toThrow()
      await put(teams[0], 'SECOND', sealedOf(teams[0], 'FIRST'))
      await expect(open(teams[0], 'SECOND')).rejects.toThrow()
      const changed = Buffer.from(sealedOf(teams[0], 'FIRST'))
      changed[20] = (changed[20] ?? 0) ^ 1
      await put(teams[0], 'FIRST', changed)
      await expect(open(teams[0], 'FIRST')).rejects.toThrow()

      // also with the key of the team moved along
      const keys = await client.query('SELECT team_id, sealed FROM coherex.team_key')
      const keyOf = (team: string | undefined) => keys.rows.find((row) => row.team_id === team).sealed as Buffer
      await put(teams[1], 'FIRST', sealedOf(teams[0], 'FIRST'))
      await client.query('UPDATE coherex.team_key SET sealed = $1 WHERE team_id = $2', [keyOf(teams[0]), teams[1]])
      await expect(open(teams[1], 'FIRST')).rejects.toThrow()

      for (const row of rows) await put(row.team_id, row.name, row.sealed)
      await client.query('UPDATE coherex.team_key SET sealed = $1 WHERE team_id = $2', [keyOf(teams[1]), teams[1]])
      expect(await open(teams[1], 'FIRST')).toBe(`other ${planted}`)
    } finally {
      await close()
      await client.end()
    }
  })
})

describe('secrets rotate', () => {
  test('leaves a running server with the new key, and nobody who uses secrets meanwhile fails', async () => {
    server ??= await startServer(config())
    const call = createClient({ baseUrl: server.url, fetch, key: token })
    const before = (await keyFile()).trim()
    let isOver = false
    const attempt = crypto.randomUUID()
    // sealing, opening and sealing again, all through the rotation
    const use = async (name: string) => {
      let round = 0
      for (; !isOver || round < 3; round++) {
        await call(routes.secrets.put, { params: { name }, body: { value: `value ${round}` } })
        const idempotencyKey = `${attempt}-${name}-${round}`
        const make = () => call(routes.workspaces.create, { body: { name } }, { idempotencyKey })
        expect(await make()).toEqual(await make())
      }
      return round
    }
    const used = ['USED_1', 'USED_2', 'USED_3']
    const rounds = Promise.all(used.map(use))
    rounds.catch(() => undefined) // told below
    const ran = await runOperate(['secrets', 'rotate', '--json'], settings())
    isOver = true
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(ran.stdout)).toMatchObject({ teams: 2, file: join(directory.path, 'secret.key') })
    for (const count of await rounds) expect(count).toBeGreaterThan(2)

    const after = (await keyFile()).trim()
    expect(after).not.toBe(before)
    expect(await readdir(directory.path)).not.toContain('secret.key.next')
    // a team that is made now gets a key that opens after the next start
    const made = await owner.call(routes.teams.create, { body: { name: 'Made after' } })
    await owner.call(routes.signIn.switchTeam, { body: { teamId: made.id } })
    await owner.call(routes.secrets.put, { params: { name: 'FIRST' }, body: { value: 'after' } })
    for (const name of used) await call(routes.secrets.remove, { params: { name } })
    await stopServer()
    expect(await readAll()).toEqual(everything)
    const { store, close } = await openInstallation(config(), log)
    const rooms = { database: store.database, keyRing: createKeyRing(after) }
    expect(await openSecret(rooms, made.id, 'FIRST').finally(close)).toBe('after')
    await expect(readAll({ COHEREX_SECRET_KEY: before })).rejects.toThrow('The secret key is not the one')
  }, 120_000)

  test('is refused while a server runs whose key is a setting, or of another directory', async () => {
    server ??= await startServer(config())
    const key = (await keyFile()).trim()
    const ran = await runOperate(['secrets', 'rotate'], { ...settings(), COHEREX_SECRET_KEY: key })
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toMatch(/^coherex: A running server cannot be given another COHEREX_SECRET_KEY: /)
    const postgres = embeddedOwner(await findEmbeddedPostgres(join(directory.path, 'postgres')))
    const client = await connectOwner(postgres)
    const { rows } = await client.query('SELECT password FROM coherex_auth.app_role')
    const other = await connectOwner({
      ...postgres,
      user: 'coherex_app',
      password: rows[0]?.password,
      application_name: 'coherex events',
    })
    const refused = await runOperate(['secrets', 'rotate'], settings())
    expect(refused.stderr).toMatch(/^coherex: A server of another data directory is connected/)
    await other.end()
    await client.end()
    expect((await keyFile()).trim()).toBe(key)
  }, 60_000)

  test('makes a new key file with which everything opens, and none with the old', async () => {
    await stopServer()
    const before = (await keyFile()).trim()
    const ran = await runOperate(['secrets', 'rotate', '--json'], settings())
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(ran.stdout)).toEqual({ teams: 3, secrets: 4, file: join(directory.path, 'secret.key') })
    expect(await keyFile()).not.toContain(before)
    expect((await stat(join(directory.path, 'secret.key'))).mode & 0o777).toBe(0o600)
    expect(await readdir(directory.path)).not.toContain('secret.key.next')
    expect(await readAll()).toEqual(everything)
    await expect(readAll({ COHEREX_SECRET_KEY: before })).rejects.toThrow('The secret key is not the one')
  }, 60_000)

  test('cut off after the database changed is finished by the next start', async () => {
    await stopServer()
    const from = (await keyFile()).trim()
    const to = createSecretKey()
    const { directory: data, store, close } = await openInstallation(config(), log)
    await data.replacePrivateFile('secret.key.next', to)
    await rotateKeys(store.database, { from, to })
    await close()

    expect(await readAll()).toEqual(everything)
    expect((await keyFile()).trim()).toBe(to)
    expect(await readdir(directory.path)).not.toContain('secret.key.next')
  }, 60_000)

  test('cut off before the database changed leaves the old key in force', async () => {
    await stopServer()
    const before = await keyFile()
    await writeFile(join(directory.path, 'secret.key.next'), createSecretKey(), { mode: 0o600 })
    expect(await readAll()).toEqual(everything)
    expect(await keyFile()).toBe(before)
    expect(await readdir(directory.path)).not.toContain('secret.key.next')
  }, 60_000)

  test('prints the key to set when it came from the setting, and the old setting is told what to do', async () => {
    await stopServer()
    const before = (await keyFile()).trim()
    const ran = await runOperate(['secrets', 'rotate'], { ...settings(), COHEREX_SECRET_KEY: before })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const next = ran.stdout.trim().split('\n').at(-1) ?? ''
    expect(ran.stdout).toContain('COHEREX_SECRET_KEY is set, so no file was written')
    expect(await readAll({ COHEREX_SECRET_KEY: next })).toEqual(everything)

    // as if it had been cut off before it could print
    await writeFile(join(directory.path, 'secret.key.next'), next, { mode: 0o600 })
    await expect(readAll({ COHEREX_SECRET_KEY: before })).rejects.toThrow(
      `The secret key was rotated: set COHEREX_SECRET_KEY to the content of ${join(directory.path, 'secret.key.next')}`,
    )
    expect(await readAll({ COHEREX_SECRET_KEY: next })).toEqual(everything)
    await writeFile(join(directory.path, 'secret.key'), next, { mode: 0o600 })
  }, 60_000)
})

describe('a secret key that is gone', () => {
  test('a lost key file stops each start with a sentence, and no new file takes its place', async () => {
    await stopServer()
    const key = await keyFile()
    await rm(join(directory.path, 'secret.key'))
    for (let start = 0; start < 2; start++) {
      await expect(startServer(config())).rejects.toThrow(`The secret key is gone: put the secret.key`)
      expect((await readdir(directory.path)).filter((name) => name.startsWith('secret.key'))).toEqual([])
    }
    const rotate = await runOperate(['secrets', 'rotate'], settings())
    expect(rotate).toMatchObject({ code: 1, stderr: expect.stringContaining('The secret key is gone') })
    expect((await readdir(directory.path)).filter((name) => name.startsWith('secret.key'))).toEqual([])
    await writeFile(join(directory.path, 'secret.key'), key, { mode: 0o600 })
    expect(await readAll()).toEqual(everything)
  }, 60_000)
})

describe('user reset', () => {
  test('prints a link that works once, made while the server runs or not', async () => {
    await stopServer()
    const email = 'owner@localhost'
    const stopped = await runOperate(['user', 'reset', email, '--json'], { ...settings(), PORT: '4999' })
    expect({ code: stopped.code, stderr: stopped.stderr }).toEqual({ code: 0, stderr: '' })
    const first = JSON.parse(stopped.stdout) as { link: string }
    expect(first.link).toMatch(/^http:\/\/127\.0\.0\.1:4999\/reset\/[\w-]{32}$/)

    server = await startServer(config())
    const running = await runOperate(['user', 'reset', email], { ...settings(), COHEREX_PUBLIC_URL: server.url })
    expect(running).toMatchObject({ code: 0, stderr: '' })
    const link = running.stdout.trim().split('\n').at(-1) ?? ''
    const reset = (token: string, password: string) =>
      createBrowser(server?.url ?? '').call(routes.signIn.resetPassword, { body: { token, password } })
    // the second link took the place of the first
    await expect(reset(tokenOf(first.link), 'a brand new password')).rejects.toMatchObject({ code: 'unauthenticated' })
    await reset(tokenOf(link), 'a brand new password')
    await expect(reset(tokenOf(link), 'and once again, please')).rejects.toMatchObject({ code: 'unauthenticated' })

    const { items } = await createClient({ baseUrl: server.url, fetch, key: token })(routes.audit.list, {
      query: { action: 'password.reset-link' },
    })
    expect(items).toMatchObject([
      { actor: { kind: 'system', name: 'operator' } },
      { actor: { kind: 'system', name: 'operator' } },
    ])
  }, 120_000)
})

const tokenOf = (link: string) => link.split('/').at(-1) ?? ''

async function attach() {
  const { attachStore } = await import('../../src/base/index.ts')
  const owner = embeddedOwner(await findEmbeddedPostgres(join(directory.path, 'postgres')))
  const { database } = await attachStore({ owner, log })
  return { store: database, close: () => database.close() }
}

async function* filesIn(path: string): AsyncGenerator<string> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []) // a temporary folder that is gone
  for (const entry of entries) {
    const inside = join(path, entry.name)
    if (entry.isDirectory()) yield* filesIn(inside)
    else if (entry.isFile()) yield inside
  }
}
