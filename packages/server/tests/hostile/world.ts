import { lstatSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, routes, scopes, type Client, type Run, type RunRequest } from '@coherex/contract'
import { expect } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../harness/database/test-database.ts'
import { watchWaits } from '../harness/load/core-time.ts'
import { watchStandstill } from '../harness/load/standstill.ts'
import { makeTestDirectory, startServerProcess, type ServerProcess } from '../harness/server-process.ts'
import { createBrowser } from '../harness/test-server.ts'
import { plantCanaries, type Canaries } from './canaries.ts'
import { watchConditions } from './conditions.ts'
import { startNameServer, type NameServer } from './name-server.ts'

/** The real product with two teams on it, and things planted where no guest may get. */
export interface World {
  canaries: Canaries
  server: ServerProcess
  /** Absent where port 53 cannot be bound. */
  names: NameServer | undefined
  attacker: Client
  victim: Client
  /** Runs as the attacker. The answer is searched for canaries and its time is checked. */
  run(request: RunRequest): Promise<Run>
  /** Any request as the attacker; its answer is searched as well. */
  send(path: string, init?: RequestInit): Promise<{ status: number; text: string }>
  /** Bytes on disk that the server's data has now. */
  diskBytes(): number
  /** What must hold after every hostile case. */
  checkConditions(): Promise<void>
  close(): Promise<{ log: string }>
}

const defaultTimeoutMs = 30_000

export async function createWorld(): Promise<World> {
  const canaries = await plantCanaries()
  const database = await createTestDatabase()
  const directory = await makeTestDirectory()
  const names = await startNameServer({
    'door.test': ['127.0.0.1'],
    'inside.test': ['127.0.0.1'],
    'rebind.test': ['192.88.98.1', '127.0.0.1'],
    'mixed.test': ['127.0.0.1', '192.88.98.1', '127.0.0.1'],
    'both.test': [['127.0.0.1', '10.0.0.1']],
  }).catch(() => undefined)
  const server = await startHostileServer({ canaries, database, directory, names })
  const { attacker, victim, key } = await makeTeams(server, canaries.rowText)
  const superuser = await database.superuser()
  const seen: string[] = []
  const machine = { pid: server.pid, port: Number(new URL(server.url).port), dataDirectory: directory.path }

  const send: World['send'] = async (path, init = {}) => {
    const response = await fetch(server.url + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
    })
    const text = await response.text()
    seen.push(text)
    return { status: response.status, text }
  }
  const run: World['run'] = async (request) => {
    const timeoutMs = request.limits?.timeoutMs ?? defaultTimeoutMs
    const overtime = watchOvertime(server.pid, timeoutMs)
    let waitedMs = 0
    const answer = await send('/api/v1/runs', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    }).finally(() => (waitedMs = overtime.stop()))
    expect(answer.status, answer.text.slice(0, 500)).toBe(200)
    const ended = JSON.parse(answer.text) as Run
    expect(ended.error?.kind, JSON.stringify(ended.error)).not.toBe('internal')
    expect(ended.durationMs).toBeLessThanOrEqual(timeoutMs + 1000 + waitedMs)
    for (const { path } of ended.files.slice(0, 5)) {
      await send(`/api/v1/runs/${ended.id}/files/${path.split('/').map(encodeURIComponent).join('/')}`)
    }
    return ended
  }

  const takeAnswers = () => seen.splice(0)
  const conditions = await watchConditions({ server, machine, superuser, canaries, victim, run, takeAnswers })

  return {
    canaries,
    server,
    names,
    attacker,
    victim,
    run,
    send,
    diskBytes: () => diskBytesOf(directory.path),
    checkConditions: () => conditions.check(),
    async close() {
      await conditions.stop()
      await superuser.end()
      server.kill('SIGTERM')
      const { stdout, stderr, code } = await server.ended
      names?.close()
      await canaries.close()
      await database.drop()
      await directory.remove()
      const log = stdout + stderr
      // of one that ended by itself its last words say why
      expect({ code, said: code === 0 ? '' : log.slice(-4000) }).toEqual({ code: 0, said: '' })
      return { log }
    },
  }
}

async function startHostileServer(options: {
  canaries: Canaries
  database: TestDatabase
  directory: { path: string }
  names: NameServer | undefined
}): Promise<ServerProcess> {
  const { canaries, database, directory, names } = options
  const doors = [`127.0.0.1:${canaries.door.port}`, `door.test:${canaries.door.port}`]
  const settings = {
    DATABASE_URL: database.url,
    COHEREX_DATA_DIR: directory.path,
    COHEREX_ALLOW_PRIVATE: doors.join(','),
    COHEREX_LOG_LEVEL: 'info',
    COHEREX_REQUESTS_PER_SECOND: '5000',
    CANARY: canaries.environmentText,
  }
  if (!names) return startServerProcess(settings, { isWatched: true, isOffline: true })
  // the server's own view of one file: it asks our name server, and the machine's others do not
  const resolv = join(directory.path, 'resolv.conf')
  await writeFile(resolv, `nameserver ${names.address}\n`)
  const bind = `mount --bind '${resolv}' /etc/resolv.conf && exec "$@"`
  const prefix = ['unshare', '--mount', '--', 'sh', '-c', bind, 'sh']
  return startServerProcess(settings, { prefix, isWatched: true, isOffline: true })
}

async function makeTeams({ url, signInLink }: ServerProcess, rowText: string) {
  const owner = createBrowser(url)
  await owner.call(routes.signIn.withLink, { body: { token: signInLink.split('/').at(-1) ?? '' } })
  await owner.call(routes.signIn.finishSetup, {
    body: { name: 'Olga', email: 'olga@example.com', password: 'a long owner password', teamName: 'Attackers' },
  })
  // all that a key can do: what must hold does not hang on rights within a team
  const makeKey = async () => (await owner.call(routes.keys.create, { body: { name: 'key', scopes: [...scopes] } })).key
  const key = await makeKey()
  const team = await owner.call(routes.teams.create, { body: { name: 'Victims' } })
  await owner.call(routes.signIn.switchTeam, { body: { teamId: team.id } })
  await owner.call(routes.secrets.put, { params: { name: 'SECRET' }, body: { value: rowText } })
  const theirKey = await makeKey()
  const victim = createClient({ baseUrl: url, fetch, key: theirKey })
  await victim(routes.runs.create, { body: { language: 'bash', code: `echo ${rowText} | tee kept.txt` } })
  return { key, attacker: createClient({ baseUrl: url, fetch, key }), victim }
}

// not the free space of the disk: others on the machine write there as well
function diskBytesOf(folder: string): number {
  const paths = readdirSync(folder, { recursive: true }).map((path) => join(folder, String(path)))
  return paths.reduce((sum, path) => sum + (lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512, 0)
}

/** How long a server had no core from the moment on at which a run should have ended, or nobody had: so much later it can end it. */
function watchOvertime(pid: number, timeoutMs: number): { stop(): number } {
  const standstill = watchStandstill()
  let waits: { stop(): number } | undefined
  const timer = setTimeout(() => (waits = watchWaits([pid])), timeoutMs)
  return {
    stop() {
      clearTimeout(timer)
      return (waits?.stop() ?? 0) + standstill.stop()
    },
  }
}
