import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, routes } from '@coherex/contract'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCoherex } from './run-coherex.ts'
import { ownerKey, startRealServer } from './start-real-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'coherex-mcp-'))
let server: Awaited<ReturnType<typeof startRealServer>>
beforeAll(async () => {
  server = await startRealServer({ COHEREX_WARM: 'false' })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const main = join(import.meta.dirname, '../src/main.ts')
async function connect(revision: string): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    revision === '2025-11-25' ? {} : { versionNegotiation: { mode: 'auto' } },
  )
  const env = {
    PATH: process.env['PATH'] ?? '',
    COHEREX_URL: server.url,
    COHEREX_TOKEN: ownerKey,
    XDG_CONFIG_HOME: folder,
  }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env }))
  return client
}

describe.each(['2026-07-28', '2025-11-25'])('coherex mcp in revision %s', (revision) => {
  test('a client that starts it lists tools, calls one, hears progress and cancels', async () => {
    const client = await connect(revision)
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('run_code')
    const said: string[] = []
    // the client drops progress that comes in one piece with the result
    const pause = 'await new Promise((resolve) => setTimeout(resolve, 500))'
    const code = { language: 'javascript', code: `console.log("hällo"); ${pause}; 6 * 7` }
    const result = await client.callTool(
      { name: 'run_code', arguments: code },
      { onprogress: ({ message }) => void said.push(message ?? '') },
    )
    expect(JSON.stringify(result.content)).toContain('Result: 42')
    expect(said.join('')).toContain('hällo')

    const api = createClient({ baseUrl: server.url, fetch, key: ownerKey })
    const newest = async () => (await api(routes.runs.list, { query: { limit: 1 } })).items[0]?.status
    const abort = new AbortController()
    const called = client.callTool(
      { name: 'run_code', arguments: { language: 'javascript', code: 'for (;;) {}', timeoutSeconds: 60 } },
      { signal: abort.signal },
    )
    called.catch(() => undefined)
    await expect.poll(newest, { timeout: 20_000 }).toBe('running')
    abort.abort()
    await expect.poll(newest, { timeout: 20_000 }).toBe('cancelled')
    await client.close()
  })
})

test('the stdio door answers a line that is no message, and a refusal of the server, with an error', async () => {
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })
  const refused = await runCoherex(['mcp'], {
    env: { COHEREX_URL: server.url, COHEREX_TOKEN: 'a-key-that-nobody-ever-had', XDG_CONFIG_HOME: folder },
    stdin: `not json\n${ping}\n`,
  })
  const answers = refused.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect({ code: refused.code, answers }).toEqual({
    code: 0,
    answers: [
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'The message is not valid JSON' } },
      { jsonrpc: '2.0', id: 7, error: { code: -32000, message: 'The API key is not valid' } },
    ],
  })
  const unknown = await runCoherex(['mcp'], { env: { COHEREX_URL: server.url, XDG_CONFIG_HOME: folder } })
  expect(unknown).toMatchObject({ code: 3, stderr: expect.stringContaining('coherex login') })
})
