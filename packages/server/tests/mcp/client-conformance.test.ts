import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runConformanceClient } from './conformance-client.ts'

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')
const suite = join(dirname(manifest), 'dist/index.js')
const relay = fileURLToPath(new URL('conformance-relay.mjs', import.meta.url))
// the suite writes what it saw where it is started
const directory = await mkdtemp(join(tmpdir(), 'coherex-conformance-'))
// each scenario starts the suite anew, which is compiled once
const env = { ...process.env, NODE_COMPILE_CACHE: join(directory, 'compiled') }
const socket = join(directory, 'client.socket')
const client = createServer((request, response) => {
  json(request)
    .then((asked) => asked as { url: string; context: string })
    .then(({ url, context }) => runConformanceClient(url, JSON.parse(context)))
    .then(
      () => response.end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
})
beforeAll(() => new Promise<void>((resolve) => client.listen(socket, resolve)))
afterAll(async () => {
  client.close()
  await rm(directory, { recursive: true, force: true })
})

/** All that the suite lists for a revision. Extensions are not part of one, and this client has none of them. */
const scenarios = {
  '2026-07-28': [
    'tools_call',
    'request-metadata',
    'auth/metadata-default',
    'auth/metadata-var1',
    'auth/metadata-var2',
    'auth/metadata-var3',
    'auth/basic-cimd',
    'auth/scope-from-www-authenticate',
    'auth/scope-from-scopes-supported',
    'auth/scope-omitted-when-undefined',
    'auth/scope-step-up',
    'auth/scope-retry-limit',
    'auth/token-endpoint-auth-basic',
    'auth/token-endpoint-auth-post',
    'auth/token-endpoint-auth-none',
    'auth/pre-registration',
    'auth/resource-mismatch',
    'auth/offline-access-scope',
    'auth/offline-access-not-supported',
    'auth/authorization-server-migration',
    'auth/iss-supported',
    'auth/iss-not-advertised',
    'auth/iss-supported-missing',
    'auth/iss-wrong-issuer',
    'auth/iss-unexpected',
    'auth/iss-normalized',
    'auth/metadata-issuer-mismatch',
    'sep-2322-client-request-state',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
    'json-schema-2020-12-preservation',
  ],
  '2025-11-25': [
    'initialize',
    'tools_call',
    'elicitation-sep1034-client-defaults',
    'sse-retry',
    'auth/metadata-default',
    'auth/metadata-var1',
    'auth/metadata-var2',
    'auth/metadata-var3',
    'auth/basic-cimd',
    'auth/scope-from-www-authenticate',
    'auth/scope-from-scopes-supported',
    'auth/scope-omitted-when-undefined',
    'auth/scope-step-up',
    'auth/scope-retry-limit',
    'auth/token-endpoint-auth-basic',
    'auth/token-endpoint-auth-post',
    'auth/token-endpoint-auth-none',
    'auth/pre-registration',
    'json-schema-2020-12-preservation',
  ],
}
/** They ask for input that a server wants in the middle of a call, which this client says it does not have. */
const notOffered = new Set(['sep-2322-client-request-state', 'elicitation-sep1034-client-defaults'])

const all = Object.entries(scenarios).flatMap(([version, names]) => names.map((name) => [version, name] as const))

test.each(Object.keys(scenarios) as (keyof typeof scenarios)[])('the suite lists no other for %s', async (version) => {
  const listed = await run(['list', '--client', '--spec-version', version])
  const names = [...listed.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name)
  expect(names).toEqual(scenarios[version])
})

test.each(all)('revision %s: our client passes %s', { timeout: 120_000 }, async (version, name) => {
  const command = `"${process.execPath}" "${relay}" "${socket}"`
  const wanted = ['client', '--command', command, '--scenario', name, '--spec-version', version, '--timeout', '90000']
  const said = await run(wanted)
  // one that passes after all is told by this as well
  expect(said).toContain(notOffered.has(name) ? 'OVERALL: FAILED' : 'OVERALL: PASSED')
})

function run(args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [suite, ...args], { cwd: directory, env }, (_, out, errors) => resolve(out + errors))
  })
}
