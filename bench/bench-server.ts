// A real server in a process of its own, for measuring it from outside.
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Quotas, Run, RunRequest } from '../packages/contract/src/index.ts'
import { createHttpClient } from './http-client.ts'

const main = fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url))
// as `npm start` does
const environmentModule: string = new URL('../scripts/server-environment.mjs', import.meta.url).href
const { serverEnvironment } = (await import(environmentModule)) as { serverEnvironment: Record<string, string> }
const token = 'bench_0123456789012345678901234567'

export interface BenchServer {
  url: string
  pid: number
  readyMs: number
  /** A key of the first team, then one for each team made. */
  key: string
  createTeamKey(name: string, quotas?: Partial<Quotas>): Promise<string>
  /** Throws when it does not succeed: what fails is quick, and its time is no figure. */
  run(key: string, body: RunRequest): Promise<Run>
  /** Of its first owner. */
  cookie(): Promise<string>
  /** Any other call. */
  call<T>(key: string, method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<T>
  /** Memory of the server and all its children, shared pages counted in proportion. */
  pssMb(): Promise<number>
  stop(): Promise<void>
}

export async function makeDataDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'coherex-bench-'))
  await chmod(path, 0o711)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

export async function startBenchServer(
  dataDirectory: string,
  settings: Record<string, string> = {},
  entry = main,
): Promise<BenchServer> {
  const began = performance.now()
  const child = spawn(process.execPath, [entry], {
    env: {
      ...serverEnvironment,
      // what is fetched in the background would be measured with the rest
      COHEREX_PACKAGES_AHEAD: '',
      PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
      PORT: '0',
      COHEREX_DATA_DIR: dataDirectory,
      COHEREX_TOKEN: token,
      COHEREX_REQUESTS_PER_SECOND: '100000',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url, linkToken] = await new Promise<[string, string]>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const [, address, link] = /ready in \S+ s at (\S+) .*\/link\/(\S+)/.exec(text) ?? []
      if (address && link) resolve([address, link])
    })
    child.once('exit', () => reject(new Error('the server did not start')))
  })
  const readyMs = performance.now() - began
  let cookie: Promise<string> | undefined
  const signedIn = () => (cookie ??= signIn(url, linkToken))
  const client = createHttpClient(url)

  return {
    url,
    pid: child.pid ?? 0,
    readyMs,
    key: token,
    cookie: signedIn,
    async createTeamKey(name, quotas) {
      const session = await signedIn()
      const call = async <T>(path: string, body: unknown, method: 'POST' | 'PATCH' = 'POST'): Promise<T> => {
        const headers = { 'content-type': 'application/json', cookie: session, origin: url }
        const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
        return (await response.json()) as T
      }
      const { id: teamId } = await call<{ id: string }>('/api/v1/teams', { name })
      await call('/api/v1/me/team', { teamId })
      if (quotas) await call('/api/v1/quotas', quotas, 'PATCH')
      const { key } = await call<{ key: string }>('/api/v1/keys', { name, scopes: ['run'] })
      return key
    },
    async run(key, body) {
      const run = await client.send<Run>({ method: 'POST', path: '/api/v1/runs', key, body })
      if (run.status !== 'succeeded') throw new Error(`A run of the bench failed: ${run.error?.message}`)
      return run
    },
    call: (key, method, path, body = {}) => client.send({ method, path, key, body }),
    pssMb: () => pssOf(child.pid ?? 0),
    async stop() {
      client.close()
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function signIn(url: string, linkToken: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/sign-in/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: linkToken }),
  })
  return response.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
}

async function pssOf(root: number): Promise<number> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') // ended meanwhile
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const family = [...parents.keys()].filter((pid) => {
    for (let one: number | undefined = pid; one; one = parents.get(one)) if (one === root) return true
    return false
  })
  let kb = 0
  for (const pid of family) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    kb += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
  }
  return kb / 1024
}
