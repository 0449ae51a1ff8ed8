import { request } from 'node:http'
import { createClient, routes } from '@coherex/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  embeddedPid,
  isAlive,
  makeTestDirectory,
  startServerProcess,
  type ServerProcess,
} from './harness/server-process.ts'

const token = 'a_fixed_token_for_this_test'
let directory: Awaited<ReturnType<typeof makeTestDirectory>>
const running: ServerProcess[] = []

beforeEach(async () => {
  directory = await makeTestDirectory()
})
afterEach(async () => {
  for (const one of running.splice(0)) {
    one.kill('SIGTERM')
    await one.ended
  }
  await directory.remove()
})

async function start(settings: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServerProcess({ COHEREX_DATA_DIR: directory.path, COHEREX_TOKEN: token, ...settings })
  running.push(server)
  return server
}

test('one line says where it is and how to sign in, and it answers there', { timeout: 120_000 }, async () => {
  const server = await start()
  expect(await (await fetch(`${server.url}/healthz`)).json()).toMatchObject({ status: 'ok' })
  expect(server.signInLink).toMatch(new RegExp(`^${server.url}/link/[\\w-]{32}$`))

  const call = createClient({ baseUrl: server.url, fetch, key: token })
  await call(routes.secrets.put, { params: { name: 'KEPT' }, body: { value: 'kept over the restart' } })
  const pid = await embeddedPid(directory.path)
  server.kill('SIGINT')
  expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  expect(isAlive(pid)).toBe(false)

  const again = await start()
  const { items } = await createClient({ baseUrl: again.url, fetch, key: token })(routes.secrets.list, { query: {} })
  expect(items.map(({ name }) => name)).toEqual(['KEPT'])
})

test(
  'a run that is stopped with the server says so, to whoever waits and afterwards',
  { timeout: 120_000 },
  async () => {
    const server = await start()
    const call = createClient({ baseUrl: server.url, fetch, key: token })
    const waited = call(routes.runs.create, { body: { language: 'python', code: 'import time\ntime.sleep(60)' } })
    const statuses = async () => (await call(routes.runs.list, { query: {} })).items.map(({ status }) => status)
    await expect.poll(statuses, { timeout: 60_000 }).toEqual(['running'])
    server.kill('SIGTERM')
    const stopped = {
      status: 'cancelled',
      error: { kind: 'cancelled', message: 'The server was stopped before the run ended' },
    }
    const run = await waited
    expect(run).toMatchObject(stopped)
    expect(await server.ended).toMatchObject({ code: 0, signal: null })
    const again = createClient({ baseUrl: (await start({ COHEREX_WARM: 'false' })).url, fetch, key: token })
    expect(await again(routes.runs.get, { params: { id: run.id } })).toMatchObject(stopped)
  },
)

test('SIGTERM lets a slow request finish, takes no new one, and ends with 0', { timeout: 120_000 }, async () => {
  // nothing is run here, so nothing is warmed
  const settings = { COHEREX_WARM: 'false' }
  const server = await start(settings)
  const pid = await embeddedPid(directory.path)
  const body = JSON.stringify({ value: 'sent slowly' })
  const { slow, answered } = sendSlowly(`${server.url}/api/v1/secrets/SLOW`, body)
  slow.write(body.slice(0, 5))
  // its head has arrived once another request, sent after it, is answered
  await fetch(`${server.url}/healthz`)

  server.kill('SIGTERM')
  while (await accepts(server.url));
  let over = false
  void server.ended.then(() => (over = true))
  expect(isAlive(pid)).toBe(true)
  expect(over).toBe(false)
  slow.end(body.slice(5))
  expect(await answered).toMatchObject({ status: 200, body: { name: 'SLOW' } })
  expect(await server.ended).toMatchObject({ code: 0, signal: null })
  expect(isAlive(pid)).toBe(false)

  // what was answered was kept
  const again = await start(settings)
  const { items } = await createClient({ baseUrl: again.url, fetch, key: token })(routes.secrets.list, { query: {} })
  expect(items.map(({ name }) => name)).toEqual(['SLOW'])
})

function sendSlowly(url: string, body: string) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': body.length,
  }
  const slow = request(url, { method: 'PUT', headers })
  const answered = new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    slow.once('error', reject)
    slow.once('response', async (response) => {
      let text = ''
      for await (const chunk of response) text += String(chunk)
      resolve({ status: response.statusCode, body: JSON.parse(text) })
    })
  })
  return { slow, answered }
}

const accepts = (url: string) =>
  fetch(url, { headers: { connection: 'close' } }).then(
    () => true,
    () => false,
  )
