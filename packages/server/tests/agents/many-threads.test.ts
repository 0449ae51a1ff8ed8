import { createClient, routes, type Client } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../harness/database/test-database.ts'
import { readLiveHeap } from '../harness/load/live-heap.ts'
import { startChatServer, type ChatServer } from '../harness/outside/chat-server.ts'
import { makeTestDirectory, startServerProcess, type ServerProcess } from '../harness/server-process.ts'
import { watchAnswers, type AnswersWatch } from '../hostile/watch-answers.ts'

const token = 'a-fixed-token-for-many-threads'
const threads = 100

let chat: ChatServer
let database: TestDatabase
let directory: Awaited<ReturnType<typeof makeTestDirectory>>
let server: ServerProcess
let watch: AnswersWatch
let call: Client

beforeAll(async () => {
  chat = await startChatServer()
  database = await createTestDatabase()
  directory = await makeTestDirectory()
  const settings = {
    COHEREX_DATA_DIR: directory.path,
    DATABASE_URL: database.url,
    COHEREX_TOKEN: token,
    COHEREX_COMPATIBLE_BASE_URL: chat.url,
    COHEREX_WARM: 'false',
    NODE_OPTIONS: '--inspect=127.0.0.1:0',
  }
  server = await startServerProcess(settings, { isWatched: true })
  call = createClient({ baseUrl: server.url, fetch, key: token })
  watch = watchAnswers(server.url)
}, 60_000)
afterAll(async () => {
  await watch.stop()
  server.kill('SIGTERM')
  await server.ended
  await database.drop()
  await directory.remove()
  await chat.stop()
})

/** Every thread has a word of its own; each answer must have the word of its question. */
async function converse(index: number): Promise<string> {
  const { id } = await call(routes.threads.create, { body: { title: `Thread ${index}` } })
  const response = await fetch(`${server.url}/api/v1/threads/${id}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ text: `word-${index}-` }),
  })
  await response.text()
  const thread = await call(routes.threads.get, { params: { id } })
  return thread.messages
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? String(part['text']) : [])))
    .join(' | ')
}

test('a hundred threads at once all finish, each with its own answer, and nobody else waits for them', async () => {
  chat.answer(({ messages }) => {
    const word = /word-\d+-/.exec(JSON.stringify(messages))?.[0] ?? ''
    const isDone = messages.some(({ role }) => role === 'tool')
    return isDone
      ? { text: `You said ${word}`, afterMs: 50 }
      : { calls: [{ name: 'list_files', arguments: {} }], afterMs: 50 }
  })
  // what is loaded and compiled once is there before the first look
  await Promise.all(Array.from({ length: 10 }, (_, index) => converse(1_000 + index)))
  const before = await readLiveHeap(server.stderr())
  watch.look()
  await server.longestTick()
  const answers = await Promise.all(Array.from({ length: threads }, (_, index) => converse(index)))
  expect(answers).toEqual(answers.map((_, index) => `word-${index}- | You said word-${index}-`))
  expect(watch.look().failures).toBe(0)
  expect((await server.longestTick()).longest).toBeLessThan(250)
  const { items } = await call(routes.threads.turns, { query: { limit: 200 } })
  expect(items.filter(({ status }) => status === 'done')).toHaveLength(threads + 10)
  // what a hundred turns held is let go of: less than a quarter of a megabyte each stays. What is live is counted, and not
  // the process's memory: V8 keeps some 50 MB of room after a busy moment, as it likes
  const growth = async () => (await readLiveHeap(server.stderr())) - before
  await expect.poll(growth, { timeout: 20_000, interval: 1_000 }).toBeLessThan(25)
}, 120_000)
