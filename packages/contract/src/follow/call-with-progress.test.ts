import { expect, test } from 'vitest'
import { callWithProgress, createOpener, routes } from '../index.ts'

function setUp(body: string, type = 'text/event-stream') {
  const sent: Record<string, string>[] = []
  const open = createOpener({
    baseUrl: 'http://server',
    async fetch(_url, { headers }) {
      sent.push(headers)
      return new Response(body, { headers: { 'content-type': type } })
    },
  })
  const lines: string[] = []
  const request = { body: { language: 'python' as const, requirements: ['polars'] } }
  const call = () =>
    callWithProgress(open, routes.packages.resolve, request, { onProgress: (line) => lines.push(line) })
  return { call, lines, sent }
}
const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`

test('callWithProgress() tells each line on the way, and answers with the end', async () => {
  const { call, lines, sent } = setUp(
    event('progress', { line: 'Resolving polars' }) +
      ': still here\n\n' +
      event('progress', { line: 'Fetching 0 of 1 packages, 8 MB' }) +
      event('end', { lock: { hash: 'a' } }),
  )
  expect(await call()).toEqual({ lock: { hash: 'a' } })
  expect(lines).toEqual(['Resolving polars', 'Fetching 0 of 1 packages, 8 MB'])
  expect(sent[0]).toMatchObject({ accept: 'text/event-stream' })
})

test('callWithProgress() throws what the server refused, and a stream without an end', async () => {
  const refused = setUp(event('error', { code: 'forbidden', message: 'The rules say no' }))
  await expect(refused.call()).rejects.toMatchObject({ code: 'forbidden', message: 'The rules say no' })
  const broken = setUp(event('progress', { line: 'Resolving polars' }))
  await expect(broken.call()).rejects.toMatchObject({ code: 'unavailable' })
})

test('callWithProgress() takes an answer that is no stream', async () => {
  const { call, lines } = setUp('{"lock":{"hash":"a"}}', 'application/json')
  expect(await call()).toEqual({ lock: { hash: 'a' } })
  expect(lines).toEqual([])
})
