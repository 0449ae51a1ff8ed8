import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateText } from 'ai'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database/test-database.ts'
import { startChatServer, type ChatServer } from '../../tests/harness/outside/chat-server.ts'
import { createKeyRing, ensureFirstOwner, type TeamCaller } from '../access/index.ts'
import { putSecret } from '../access/secrets/secrets.ts'
import { openStore, parseDatabaseUrl, type EventBus, type Store } from '../base/index.ts'
import { createEgress } from '../egress/index.ts'
import { findEmbeddingPrice } from './catalogue.ts'
import { countUse, readSpentUsd } from './model-use.ts'
import { createModels } from './models.ts'

let chat: ChatServer
let database: TestDatabase
let store: Store
let teamId: string
const keyRing = createKeyRing(randomBytes(32).toString('hex'))
const egress = createEgress()

beforeAll(async () => {
  chat = await startChatServer()
  database = await createTestDatabase()
  store = await openStore({ owner: parseDatabaseUrl(database.url), log: pino({ level: 'silent' }) })
  await ensureFirstOwner(store.database, keyRing)
  const superuser = await database.superuser()
  teamId = (await superuser.query<{ team_id: string }>('SELECT team_id FROM coherex.team')).rows[0]?.team_id ?? ''
  await superuser.end()
})
afterAll(async () => {
  await store.database.close()
  await database.drop()
  await chat.stop()
})

// nobody listens here
const events = { publish: async () => undefined } as unknown as EventBus
const modelsWith = (settings: Record<string, string>) =>
  createModels({
    database: store.database,
    events,
    keyRing,
    egress,
    settings: { OLLAMA_HOST: '127.0.0.1:9', ...settings },
  })

async function setSecret(name: string, value: string): Promise<void> {
  const caller = { teamId, person: { id: 'per_x', name: 'Ann' }, via: 'session' } as unknown as TeamCaller
  await putSecret({ database: store.database, keyRing }, caller, { name, value })
}

describe('models', () => {
  it('of a server that the operator set are listed and answer, with the key', async () => {
    const models = modelsWith({ COHEREX_COMPATIBLE_BASE_URL: chat.url, COHEREX_COMPATIBLE_API_KEY: 'sk-operator' })
    const compatible = (await models.list(teamId)).find(({ id }) => id === 'compatible')
    expect(compatible).toMatchObject({
      setBy: 'operator',
      models: [{ name: 'compatible/other' }, { name: 'compatible/scripted' }],
    })
    expect(await models.firstUsable(teamId)).toBe('compatible/other')
    const { model, price } = await models.resolve(teamId, 'compatible/scripted')
    chat.answer([{ text: 'Hello.' }])
    expect((await generateText({ model, prompt: 'Hi' })).text).toBe('Hello.')
    expect(chat.requests.at(-1)?.authorization).toBe('Bearer sk-operator')
    expect(price).toBeUndefined()
  })

  it('that nobody set up say how to set them up', async () => {
    const models = modelsWith({})
    expect(await models.firstUsable(teamId)).toBeUndefined()
    await expect(models.resolve(teamId, 'anthropic/claude-sonnet-5-5')).rejects.toThrow(
      /Settings, Models.*ANTHROPIC_API_KEY/,
    )
    const refused = (await models.list(teamId)).filter(({ setBy }) => setBy !== null && setBy !== 'operator')
    expect(refused).toEqual([])
  })

  it('of a local Ollama are found by themselves', async () => {
    const models = modelsWith({ OLLAMA_HOST: chat.hostPort })
    expect(await models.firstUsable(teamId)).toBe('ollama/other')
  })

  it('are listed once for turns that begin one after the other, over one connection, and anew for whoever looks', async () => {
    let asked = 0
    let connections = 0
    const server = createServer((_, response) => {
      asked++
      response.end('{"data":[{"id":"small"}]}')
    }).on('connection', () => connections++)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const models = modelsWith({ COHEREX_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1` })
    for (let turn = 0; turn < 3; turn++) expect(await models.firstUsable(teamId)).toBe('compatible/small')
    expect(asked).toBe(1)
    await models.list(teamId)
    expect([asked, connections]).toEqual([2, 1])
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    // one that is gone is not remembered where someone looks
    const compatible = (await models.list(teamId)).find(({ id }) => id === 'compatible')
    expect(compatible).toMatchObject({ models: [], problem: 'It could not be reached' })
  })

  it('of a team never lead into the network of the operator, and never get the operator’s key', async () => {
    const hits: string[] = []
    const inner = createServer((request, response) => {
      hits.push(request.headers.authorization ?? 'none')
      response.end('{}')
    })
    await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve))
    const { port } = inner.address() as AddressInfo
    await setSecret('COHEREX_COMPATIBLE_BASE_URL', `http://127.0.0.1:${port}/v1`)
    const models = modelsWith({ COHEREX_COMPATIBLE_BASE_URL: chat.url, COHEREX_COMPATIBLE_API_KEY: 'sk-operator' })
    const compatible = (await models.list(teamId)).find(({ id }) => id === 'compatible')
    expect(compatible).toMatchObject({ setBy: 'team', models: [], problem: 'It could not be reached' })
    const { model } = await models.resolve(teamId, 'compatible/scripted')
    await expect(generateText({ model, prompt: 'Hi', maxRetries: 0 })).rejects.toThrow()
    expect(hits).toEqual([])
    await new Promise((resolve) => inner.close(resolve))
  })

  it('of a team whose address is none are told as a problem, without the address, and keep nobody from the others', async () => {
    await setSecret('COHEREX_COMPATIBLE_BASE_URL', 'models.example.org canary')
    const models = modelsWith({ OPENAI_API_KEY: 'sk' })
    const problem = 'Its address cannot be used: it looks like https://models.example.org/v1'
    const listed = await models.list(teamId)
    expect(listed.find(({ id }) => id === 'openai')).toMatchObject({ setBy: 'operator', ownNames: [] })
    expect(listed.find(({ id }) => id === 'compatible')).toMatchObject({
      setBy: 'team',
      ownNames: ['COHEREX_COMPATIBLE_BASE_URL'],
      problem,
    })
    expect(await models.firstUsable(teamId)).toMatch(/^openai\//)
    expect(await models.refuses(teamId, 'compatible/x')).toContain(problem)
    await expect(models.resolve(teamId, 'compatible/x')).rejects.toMatchObject({ code: 'unavailable' })
    expect(await models.check(teamId, 'compatible')).toEqual({ problem })
  })

  it.each(['line\nbreak', 'kéy', 'esc\u001b'])(
    'are not asked with a key that no request can carry: %j',
    async (key) => {
      const models = modelsWith({ OPENAI_API_KEY: `sk-canary-${key}` })
      const problem = expect.stringContaining('Its key cannot be used')
      expect(await models.check(teamId, 'openai')).toEqual({ problem })
      expect(await models.refuses(teamId, 'openai/gpt-5')).toEqual(problem)
      const resolving = models.resolve(teamId, 'openai/gpt-5')
      await expect(resolving).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.not.stringContaining('canary'),
      })
    },
  )

  it('are asked whether they take the key, each in its way', async () => {
    const shown: Record<string, unknown>[] = []
    const server = createServer(({ url, headers }, response) => {
      const { authorization, 'x-api-key': anthropic, 'x-goog-api-key': google } = headers
      shown.push({ url, authorization, anthropic, google })
      const isGood = [authorization, anthropic, google].some((one) => one?.includes('good'))
      // as Google says it
      const error = { error: { code: 400, message: 'API key not valid. Please pass a valid API key.' } }
      response.writeHead(isGood ? 200 : google ? 400 : 401).end(JSON.stringify(isGood ? {} : error))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    // the way to the makers of models is not ours; everything up to it is
    const fetchFor = () => (url: string, init: RequestInit) =>
      fetch(url.replace(/^https?:\/\/[^/]+/, `http://127.0.0.1:${port}`), init)
    const checkWith = async (key: string) => {
      const settings = { ANTHROPIC_API_KEY: key, OPENAI_API_KEY: key, GOOGLE_GENERATIVE_AI_API_KEY: key }
      const models = createModels({
        database: store.database,
        events,
        keyRing,
        egress: { fetchFor } as never,
        settings,
      })
      return Promise.all((['anthropic', 'openai', 'google'] as const).map((id) => models.check(teamId, id)))
    }
    expect(await checkWith('sk-good')).toEqual([{ problem: null }, { problem: null }, { problem: null }])
    expect(shown).toEqual(
      expect.arrayContaining([
        { url: '/v1/models', anthropic: 'sk-good' },
        { url: '/v1/models', authorization: 'Bearer sk-good' },
        { url: '/v1beta/models', google: 'sk-good' },
      ]),
    )
    const refused = { problem: 'It refused the key' }
    expect(await checkWith('sk-bad')).toEqual([refused, refused, refused])
    expect((await modelsWith({}).check(teamId, 'openai')).problem).toMatch(/^OpenAI is not set up/)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect(await checkWith('sk-good')).toEqual(Array(3).fill({ problem: 'It could not be reached' }))
  })

  it('have the price their makers ask', async () => {
    const { price } = await modelsWith({ OPENAI_API_KEY: 'sk' }).resolve(teamId, 'openai/gpt-5-mini')
    expect(price).toEqual({ input: 0.25, output: 2, cachedInput: 0.025 })
  })

  it('that make vectors are paid by what the texts took', async () => {
    const before = await readSpentUsd(store.database, teamId)
    const tokens = { input: 500_000, cachedInput: 0, output: 0 }
    for (const model of ['openai/text-embedding-3-large', 'compatible/of-unknown-price']) {
      const use = { teamId, purpose: 'embedding' as const, model, tokens, price: findEmbeddingPrice(model) }
      await countUse(store.database, use)
      await countUse(store.database, use)
    }
    expect((await readSpentUsd(store.database, teamId)) - before).toBeCloseTo(0.13)
  })
})
