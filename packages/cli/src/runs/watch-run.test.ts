import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FollowOptions, RunEvent, RunRequest } from '@coherex/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { connectTo } from '../connect.ts'
import { watchRun } from './watch-run.ts'

const id = `run_${'0'.repeat(26)}`
const ended = { id, status: 'failed', endedAt: '2026-11-15T10:00:00.000Z', output: [] }
const request: RunRequest = { language: 'bash', code: 'echo' }
const toEvent = (number: number, type: string, data: object) =>
  `id: ${number}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
const start = toEvent(0, 'run-start', { id })
const output = (number: number) => toEvent(number, 'run-output', { at: 0, stream: 'log', text: String(number) })

let close: (() => void) | undefined
afterEach(() => close?.())

/** A server that does what a real one only does when it is killed or its network fails. */
async function serve(answers: ((response: ServerResponse) => void)[]) {
  const calls: [method: string, path: string, last: string | undefined][] = []
  const server = createServer((call, response) => {
    const last = call.headers['last-event-id']
    calls.push([call.method ?? '', call.url ?? '', Array.isArray(last) ? last[0] : last])
    const answer = answers.shift()
    if (answer) answer(response)
    else response.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { calls, connection: connectTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key') }
}

async function collect(
  connection: Parameters<typeof watchRun>[0],
  options?: FollowOptions,
  note: (text: string) => void = () => undefined,
): Promise<string[]> {
  const told: string[] = []
  for await (const event of watchRun(connection, request, { note, ...options })) told.push(describe(event))
  return told
}

const describe = (event: RunEvent): string =>
  event.type === 'run-output' && event.output.stream === 'log' ? event.output.text : event.type

test('watchRun() asks for what comes after the last event it read', async () => {
  const { calls, connection } = await serve([
    (response) => response.write(start + output(1) + 'id: 2\nevent: run-output\n', () => response.destroy()),
    (response) => response.writeHead(503).end(),
    (response) => response.end(output(2) + toEvent(3, 'run-end', ended)),
  ])
  const notes: string[] = []
  const told = await collect(connection, {}, (text) => notes.push(text))
  expect(told).toEqual(['run-start', '1', '2', 'run-end'])
  expect(notes).toEqual(['coherex: the connection broke; trying to go on'])
  expect(calls).toEqual([
    ['POST', '/api/v1/runs', undefined],
    ['GET', `/api/v1/runs/${id}/events`, '1'],
    ['GET', `/api/v1/runs/${id}/events`, '1'],
  ])
})

test('watchRun() tells the end of a run whose server was killed and kept fewer events than it told', async () => {
  const { connection } = await serve([
    (response) => response.write(start + output(1) + output(2), () => response.destroy()),
    (response) => response.end(),
    (response) => response.end(JSON.stringify(ended)),
  ])
  expect(await collect(connection)).toEqual(['run-start', '1', '2', 'run-end'])
})

test('watchRun() takes a stream that has gone silent for one that broke', async () => {
  const { calls, connection } = await serve([
    (response) => void response.write(start),
    (response) => response.end(toEvent(1, 'run-end', ended)),
  ])
  // the silence begins with the first event, however long that took to come
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const events = watchRun(connection, request, { note: () => undefined })
    expect((await events.next()).value).toMatchObject({ type: 'run-start' })
    const next = events.next()
    await vi.advanceTimersByTimeAsync(45_000 + 250)
    expect((await next).value).toMatchObject({ type: 'run-end' })
    expect(calls).toHaveLength(2)
  } finally {
    vi.useRealTimers()
  }
})

test('watchRun() never sends a run twice, and says how to find it', async () => {
  const { calls, connection } = await serve([(response) => response.write('id: 0\n', () => response.destroy())])
  await expect(collect(connection)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The connection broke before the run had an id; coherex runs list shows whether it began',
  })
  expect(calls).toHaveLength(1)
})

test('watchRun() gives up on a server that stays away, and on one that refuses', async () => {
  const { connection } = await serve([(response) => response.write(start, () => response.destroy())])
  await expect(collect(connection, { patienceMs: 0 })).rejects.toThrow(`coherex runs logs ${id} -f`)
  close?.()
  const refusing = await serve([
    (response) => response.write(start, () => response.destroy()),
    (response) => response.writeHead(401).end('{"error":{"code":"unauthenticated","message":"revoked"}}'),
  ])
  await expect(collect(refusing.connection)).rejects.toThrow('revoked')
})
