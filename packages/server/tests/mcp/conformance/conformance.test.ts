import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp, createMcpDoor, type Api } from '../../../src/api/index.ts'
import type { BusEvent } from '../../../src/base/index.ts'
import { revisions } from '../../harness/outside/mcp-client.ts'
import { createConformanceShelf } from './conformance-shelf.ts'

const suite = fileURLToPath(
  new URL('../../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)
const caller = {
  ...{ ip: null, requestId: null, setupDone: true, via: 'key', credentialId: 'key_suite', scopes: ['admin'] },
  ...{ teamId: 'team_suite', role: 'owner', person: { id: 'per_suite', name: 'Suite', operator: false } },
}
const listeners = new Set<(event: BusEvent) => void>()
const tellServers = async (event: BusEvent) => {
  for (const tell of listeners) tell(event)
}
const events = {
  subscribe(listener: (event: BusEvent) => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
const http = createServer()
let directory: string
let url: string
const log = pino({ level: 'silent' })
const identifyCaller = async () => caller as never
const door = createMcpDoor({
  ...{ version: '1.0.0', publicUrl: 'http://127.0.0.1', events, tellServers, identifyCaller, log },
  shelves: [createConformanceShelf((type) => void tellServers({ teamId: caller.teamId, type, id: null }))],
})

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'conformance-'))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  // the whole HTTP face, with things of the suite behind the door; it has no key, and everyone is let in
  const rooms = { access: {}, registry: {}, agents: {}, workspaces: {}, sandboxes: {} }
  const api = { ...rooms, publicUrl: url, studioDirectory: '/', log, identifyCaller, limitRate: () => undefined }
  const answers = { enter: async () => () => undefined }
  const app = createApp({ ...api, answers, mcp: door } as unknown as Api)
  http.on('request', getRequestListener(app.fetch, { overrideGlobalObjects: false }))
})
afterAll(async () => {
  await door.close()
  http.closeAllConnections()
  http.close()
  await rm(directory, { recursive: true, force: true })
})

test.each(revisions)(
  'the official conformance suite passes for revision %s',
  async (revision) => {
    const argv = ['server', '--url', `${url}/mcp`, '--requirements', revision]
    const { code, output } = await run([...argv, '-o', join(directory, revision)])
    expect(code, output).toBe(0)
  },
  180_000,
)

function run(argv: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [suite, ...argv],
      { cwd: directory, maxBuffer: 50_000_000 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? 1, output: `${stdout}\n${stderr}` }),
    )
  })
}
