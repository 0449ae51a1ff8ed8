import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { TestPostgres } from './test-database.ts'

const versions = '/usr/lib/postgresql'
/** Debian's PostgreSQL; undefined where it is not installed. */
const binaries = existsSync(versions)
  ? readdirSync(versions)
      .map((version) => join(versions, version, 'bin'))
      .find((path) => existsSync(join(path, 'initdb')))
  : undefined

export const hasExternalPostgres = binaries !== undefined
export const missingExternalPostgres = 'PostgreSQL is not installed: apt-get install postgresql'

/** A second PostgreSQL, of another version than ours, on a loopback port, as an unprivileged user. */
export async function startExternalPostgres(): Promise<TestPostgres & { stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'coherex-pg-'))
  await chmod(directory, 0o711)
  const password = 'external'
  const data = join(directory, 'data')
  const passwordFile = join(directory, 'password')
  await writeFile(passwordFile, password)
  await mkdir(data, { mode: 0o700 })
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  if (user.uid) await chown(data, user.uid, user.gid)

  const options = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8']
  const made = spawnSync(join(binaries ?? '', 'initdb'), [...options, '--locale=C.UTF-8', '--no-sync'], {
    ...user,
    cwd: '/',
    encoding: 'utf8',
    env: {},
  })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)

  const port = await freePort()
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', `port=${port}`, '-c', 'unix_socket_directories=']
  const child = spawn(join(binaries ?? '', 'postgres'), ['-D', data, ...settings, '-c', 'fsync=off'], {
    ...user,
    cwd: '/',
    env: {},
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await answers({ host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' }))) {
    if (child.exitCode !== null) throw new Error('the external PostgreSQL did not start')
    await delay(50)
  }
  return {
    host: '127.0.0.1',
    port,
    password,
    async stop() {
      child.kill('SIGINT')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function answers(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(config)
  client.on('error', () => undefined) // the answer says it
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
