import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { CoherexError } from '@coherex/contract'
import { afterEach, expect, test } from 'vitest'
import { type AnswerGuard, type AnswerGuardOptions, createAnswerGuard, holdBehind } from './guard-answers.ts'

const megabyte = 1024 * 1024
let server: Server
let guard: AnswerGuard
let warnings: { broken: number }[]
const clients: Socket[] = []
const held: (() => void)[] = []

/** What was asked for by teams and is made now, each to be sent by whoever calls it. */
let making: { path: string; send: () => void }[]

/**
 * `/large` is answered with sixteen megabytes, `/behind` with a word that has as much behind it, a path below `/of/` likewise for the
 * team it names when the test says so, anything else with its path.
 */
async function open(limits: Partial<AnswerGuardOptions> = {}): Promise<number> {
  warnings = []
  guard = createAnswerGuard({
    log: { warn: (told: { broken: number }) => void warnings.push(told) },
    lookMs: 20,
    ...limits,
  })
  making = []
  server = createServer((request, response) => {
    if (!guard.admits(request, response)) return
    const path = request.url ?? ''
    if (path.startsWith('/of/')) {
      const [, , team = ''] = path.split('/')
      guard.enter(response, team).then(
        (made) => {
          const send = () => {
            if (path.endsWith('/small')) response.end('small')
            else {
              // not with the connection, whose kernel takes as much as it likes
              holdBehind(response, 16 * megabyte)
              response.write('first')
            }
            made()
          }
          making.push({ path, send })
        },
        (error: CoherexError) => response.writeHead(error.status).end(error.message),
      )
      return
    }
    if (request.url === '/behind') {
      held.push(holdBehind(response, 16 * megabyte))
      response.write('first')
    } else response.end(request.url === '/large' ? 'x'.repeat(16 * megabyte) : request.url)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

afterEach(async () => {
  guard.close()
  held.length = 0
  for (const client of clients.splice(0)) client.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** Sends its requests in one piece and reads nothing. */
async function askWithoutReading(port: number, ...paths: string[]): Promise<Socket> {
  const client = connect({ port, host: '127.0.0.1' }).pause()
  client.on('error', () => {})
  clients.push(client)
  await once(client, 'connect')
  const arrived = once(server, 'request')
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  await arrived
  return client
}

test('answers that nobody takes are broken off, the oldest first, when they hold too much', async () => {
  const port = await open({ mostBytes: 40 * megabyte })
  const left = await openConnections(port, 2)
  expect(warnings).toEqual([])
  const more = await openConnections(port, 3)
  // in one look or in several, and before anybody reads: one that is read may be through before the next look
  await expect.poll(() => warnings.reduce((sum, { broken }) => sum + broken, 0)).toBe(3)
  // whoever is broken off sees it when it reads; the last two fit
  const ends = await Promise.all([...left, ...more].map(bytesUntilEnd))
  const isWhole = ends.map((bytes) => bytes > 16 * megabyte)
  expect(isWhole).toEqual([false, false, false, true, true])
})

test('what waits behind an answer counts until it is let go', async () => {
  const port = await open({ mostBytes: 40 * megabyte })
  await askWithoutReading(port, '/behind')
  await askWithoutReading(port, '/behind')
  held.shift()?.()
  await askWithoutReading(port, '/behind')
  const [, second, third] = clients as [Socket, Socket, Socket]
  await askWithoutReading(port, '/behind')
  await once(second.resume(), 'close')
  expect(warnings).toEqual([{ broken: 1 }])
  expect(third.destroyed).toBe(false)
})

test('whoever reads gets all of it, while others do not', async () => {
  const port = await open({ mostBytes: 24 * megabyte })
  const idle = await askWithoutReading(port, '/large')
  const response = await new Promise<IncomingMessage>((resolve) =>
    get({ host: '127.0.0.1', port, path: '/large' }, resolve),
  )
  // both are there now, and more than may be
  await expect.poll(() => warnings.length).toBe(1)
  expect((await text(response)).length).toBe(16 * megabyte)
  expect(await bytesUntilEnd(idle)).toBeLessThan(16 * megabyte)
})

test('requests that are sent ahead are refused beyond a few, in their order, and the connection lives on', async () => {
  const port = await open({ mostAtOnce: 3 })
  const client = await askWithoutReading(port, '/1', '/2', '/3', '/4', '/5')
  let heard = ''
  client.on('data', (chunk: Buffer) => (heard += chunk.toString())).resume()
  await expect.poll(() => heard.match(/rate_limited/g)?.length).toBe(2)
  expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['200', '200', '200', '429', '429'].map((code) => `HTTP/1.1 ${code}`))
  client.write('GET /6 HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(() => heard.endsWith('/6')).toBe(true)
})

test('a team has a few answers made at once, and another team has its own', async () => {
  const port = await open({ mostMade: { team: 2, all: 3 } })
  for (let at = 0; at < 4; at++) await askWithoutReading(port, `/of/a/${at}/small`)
  await askWithoutReading(port, '/of/b/0/small')
  await askWithoutReading(port, '/of/b/1/small')
  await expect.poll(() => making.map(({ path }) => path)).toEqual(['/of/a/0/small', '/of/a/1/small', '/of/b/0/small'])
  await send('/of/a/0/small')
  await expect.poll(() => making.at(-1)?.path).toBe('/of/a/2/small')
  await send('/of/b/0/small')
  await expect.poll(() => making.at(-1)?.path).toBe('/of/b/1/small')
  expect(making).toHaveLength(5)
})

test('a team that leaves its answers unread gets no more made, until those that stall are broken off; others do', async () => {
  const port = await open({ mostBytes: 64 * megabyte, stalledMs: 2_000, patienceMs: 60_000 })
  const first = await askWithoutReading(port, '/of/a/1')
  await send('/of/a/1')
  await askWithoutReading(port, '/of/a/2')
  await askWithoutReading(port, '/of/b/1')
  // nobody waits for team b: its answer may stay
  await send('/of/b/1')
  expect(making.map(({ path }) => path)).toEqual(['/of/a/1', '/of/b/1'])
  await send('/of/a/2')
  expect(warnings).toEqual([{ broken: 1 }])
  await once(first.resume(), 'close')
  expect(clients.map(({ destroyed }) => destroyed)).toEqual([true, false, false])
})

test('a request that finds no room in time is told to come again', async () => {
  const port = await open({ mostBytes: 64 * megabyte, patienceMs: 100 })
  await askWithoutReading(port, '/of/a/1')
  await send('/of/a/1')
  const response = await new Promise<IncomingMessage>((resolve) =>
    get({ host: '127.0.0.1', port, path: '/of/a/2' }, resolve),
  )
  expect(response.statusCode).toBe(503)
  expect(await text(response)).toMatch(/no room for another answer/)
})

/** Sends what was asked for at a path, once it is its turn to be made. */
async function send(path: string): Promise<void> {
  await expect.poll(() => making.some((one) => one.path === path), { timeout: 30_000 }).toBe(true)
  making.find((one) => one.path === path)?.send()
}

async function openConnections(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let at = 0; at < count; at++) sockets.push(await askWithoutReading(port, '/large'))
  return sockets
}

async function bytesUntilEnd(client: Socket): Promise<number> {
  let bytes = 0
  client.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > 16 * megabyte) client.destroy()
  })
  client.resume()
  if (!client.destroyed) await once(client, 'close')
  return bytes
}
