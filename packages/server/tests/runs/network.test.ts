import { routes, type RunRequest } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createNetworkPlaces, type NetworkPlaces } from '../harness/network-places.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

vi.setConfig({ testTimeout: 240_000 })

let places: NetworkPlaces
let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  // not 127.0.0.1, which is the sandbox itself to whoever is inside
  places = await createNetworkPlaces('127.0.0.2')
  server = await startTestServer({
    COHEREX_ALLOW_PRIVATE: `127.0.0.2:${places.plainPort},127.0.0.2:${places.securePort}`,
    COHEREX_WARM: 'true',
  })
  owner = await server.owner()
})
afterAll(async () => {
  await server?.stop()
  await places?.close()
})

const run = async (body: RunRequest) => {
  const ended = await owner.call(routes.runs.create, { body })
  const printed = ended.output.map((line) => ('text' in line ? line.text : '')).join('')
  return { ...ended, printed }
}

test('a person installs a package and clones a repository in a run, and the run tells every request', async () => {
  const { printed, status, requests } = await run({
    language: 'bash',
    code: `set -e
pip install -q --index-url ${places.plain}/simple/ --trusted-host 127.0.0.2 tinypkg
tiny
git clone -q ${places.plain}/git/tiny.git tiny
cat tiny/readme.txt
curl -sS -k ${places.secure}/`,
    network: { allow: [`${places.plain}/`, `${places.secure}/`] },
    limits: { timeoutMs: 180_000 },
    keep: [],
  })
  expect(status, printed).toBe('succeeded')
  expect(printed).toBe('tiny 42\ncloned through the proxy\nhello from /')
  const asked = requests.map(({ method, url, error }) => ({ method, url: url.replace(places.plain, ''), error }))
  expect(asked).toEqual(
    expect.arrayContaining([
      { method: 'GET', url: '/simple/tinypkg/', error: null },
      { method: 'POST', url: '/git/tiny.git/git-upload-pack', error: null },
      { method: 'CONNECT', url: places.secure, error: null },
    ]),
  )
})

test('what was not allowed is refused with a reason, and a storm of it is a sign', async () => {
  const { printed, requests, signs } = await run({
    language: 'bash',
    code: `curl -s ${places.plain}/secret; curl -s http://127.0.0.2:${places.canaryPort}/
for try in {1..20}; do curl -s -o /dev/null ${places.plain}/secret; done`,
    network: { allow: [`${places.plain}/git/`] },
  })
  const refusal = (url: string) => `Cannot fetch "${url}": it is not in the allow-list\n`
  expect(printed).toBe(refusal(`${places.plain}/secret`) + refusal(`http://127.0.0.2:${places.canaryPort}/`))
  expect(new Set(requests.map(({ error }) => error))).toEqual(new Set(['URL_NOT_ALLOWED']))
  expect(signs).toEqual([{ kind: 'egress-refusals', detail: '20 requests were refused' }])
  expect(places.seen.filter((line) => line.includes('/secret'))).toEqual([])
  expect(places.canaryHits()).toBe(0)
})

test('asking for a mining pool is a sign, by whatever client', async () => {
  const signs = [{ kind: 'mining', detail: 'it asked for the mining pool xmr.nanopool.org' }]
  const network = { allow: [`${places.plain}/git/`] }
  const byCurl = await run({ language: 'bash', code: 'curl -s https://xmr.nanopool.org:14444/', network })
  expect(byCurl.signs).toEqual(signs)
  const code = 'await env.FETCH.fetch("https://xmr.nanopool.org/").catch((error) => error.code)'
  const byFetch = await run({ language: 'javascript', code: `export default async (env) => ${code}`, network })
  expect(byFetch).toMatchObject({ status: 'succeeded', result: 'URL_NOT_ALLOWED', signs })
})

test('a place on a private network that the operator has not opened stays closed, even when it is listed', async () => {
  const url = `http://127.0.0.2:${places.canaryPort}/`
  const { printed, requests } = await run({ language: 'bash', code: `curl -s ${url}`, network: { allow: [url] } })
  expect(printed).toContain('the address is not on the public internet')
  expect(requests).toMatchObject([{ method: 'GET', url, error: 'URL_NOT_ALLOWED' }])
  expect(places.canaryHits()).toBe(0)
})

test('a storm of refusals in a sandbox that lives on is a sign of its cell and of the sandbox', async () => {
  const { id } = await owner.call(routes.sandboxes.create, {
    body: { name: 'stormy', network: { allow: [`${places.plain}/git/`] } },
  })
  const { signs } = await run({
    sandboxId: id,
    language: 'bash',
    code: `for try in {1..21}; do curl -s -o /dev/null ${places.plain}/secret; done`,
  })
  expect(signs).toEqual([{ kind: 'egress-refusals', detail: '20 requests were refused' }])
  const alerts = async () =>
    (await owner.call(routes.audit.list, { query: { limit: 50 } })).items
      .filter(({ action }) => action.endsWith('.alert'))
      .map(({ action, target }) => `${action} ${target?.name ?? ''}`)
  await expect.poll(alerts).toContain('sandbox.alert stormy')
  expect(await alerts()).toEqual(expect.arrayContaining([expect.stringMatching(/^run\.alert/)]))
  await owner.call(routes.sandboxes.remove, { params: { id } })
})

test('a run keeps the requests that its code clears from the log', async () => {
  const url = `${places.plain}/git/?kept`
  const network = { allow: [`${places.plain}/git/`] }
  const asked = [{ method: 'GET', url, error: null }]
  const code = `await env.FETCH.fetch("${url}"); await env.FETCH.clearLog(); return env.FETCH.log()`
  const js = await run({ language: 'javascript', code: `export default async (env) => { ${code} }`, network })
  expect(js).toMatchObject({ status: 'succeeded', result: [], requests: asked })
  const python = await run({
    language: 'python',
    code: `import coherex\ncoherex.FETCH.fetch("${url}")\ncoherex.FETCH.clear_log()\ncoherex.FETCH.log()`,
    network,
  })
  expect(python).toMatchObject({ status: 'succeeded', result: [], requests: asked })
})

test('a run that ends before its request is answered has the request', async () => {
  const url = `${places.plain}/silent`
  const code = `void env.FETCH.fetch("${url}").catch(() => {}); await env.FETCH.fetch("${url}ly")`
  const { status, requests } = await run({
    language: 'javascript',
    code: `export default async (env) => { ${code} }`,
    network: { allow: [`${places.plain}/`] },
  })
  expect(status).toBe('succeeded')
  expect(requests).toMatchObject([
    { url: `${url}ly`, status: 200, error: null },
    { url, status: null, error: 'FETCH_FAILED' },
  ])
})

test('a cell has its requests, however many its sandbox made before', async () => {
  const { id } = await owner.call(routes.sandboxes.create, { body: { network: { allow: [`${places.plain}/git/`] } } })
  const cell = (code: string) => run({ sandboxId: id, language: 'bash', code })
  const before = await cell(`curl -s -o /dev/null '${places.plain}/secret?[1-1001]'`)
  expect(before.requests).toHaveLength(1_000)
  const url = `${places.plain}/git/?after`
  expect((await cell(`curl -s -o /dev/null '${url}'`)).requests).toMatchObject([{ url, error: null }])
  await owner.call(routes.sandboxes.remove, { params: { id } })
})

test('a run with pandas that was granted a network is forked from the loaded template as well', async () => {
  const pandas = (network?: { allow: string[] }) =>
    run({
      language: 'python',
      code: `import os, sys
is_forked = "pandas" in sys.modules
import pandas, requests
print(requests.get("${places.plain}/git/").status_code if os.environ.get("HTTP_PROXY") else "no network")
[is_forked, len(pandas.DataFrame([1]))]`,
      ...(network && { network }),
    })
  // until the template is there, runs take the ordinary way
  await expect.poll(async () => (await pandas()).result, { timeout: 180_000 }).toEqual([true, 1])
  const { status, result, printed, requests } = await pandas({ allow: [`${places.plain}/`] })
  expect([status, result]).toEqual(['succeeded', [true, 1]])
  expect(printed).toMatch(/^\d+\n$/)
  expect(requests).toHaveLength(1)
})
