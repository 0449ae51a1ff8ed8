import { routes } from '@coherex/contract'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { startAgentServer } from '../../harness/agent-server.ts'

const { chat, server, owner } = await startAgentServer()
const { key } = await owner.call(routes.keys.create, { body: { name: 'openai', scopes: ['run'] } })
const clientWith = (apiKey: string) => new OpenAI({ baseURL: `${server.url}/v1`, apiKey, maxRetries: 0 })
const { embeddings } = clientWith(key)
const model = 'compatible/vectors'
const setModel = (name: string | null) => owner.call(routes.models.setEmbedding, { body: { model: name } })

test('without an embedding model the error says who sets one', async () => {
  await expect(embeddings.create({ model, input: 'Hello' })).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
    param: 'model',
    message: expect.stringMatching(/No embedding model is set: an admin chooses one/),
  })
})

test('the official client gets vectors in the order of the texts, as numbers and in base64', async () => {
  expect(await setModel(model)).toMatchObject({ embeddingModel: model, isEmbeddingChosen: true })
  const vectors = [
    [3, 0, 0, 0],
    [5, 0.125, 0.125, 0.125],
  ]
  // the client asks for base64 unless told otherwise, and reads it
  for (const encoding_format of [undefined, 'float'] as const) {
    const asked = { model: 'vectors', input: ['one', 'three'], ...(encoding_format && { encoding_format }) }
    const made = await embeddings.create(asked)
    expect(made.data.map(({ embedding }) => embedding)).toEqual(vectors)
    expect(made).toMatchObject({ object: 'list', model: 'vectors', usage: { prompt_tokens: 7, total_tokens: 7 } })
  }
  const [one] = (await embeddings.create({ model, input: 'one', dimensions: 2 })).data
  expect(one).toMatchObject({ index: 0, embedding: [3, 0] })
})

const refused = (body: object) =>
  embeddings.create({ model, input: 'Hello', ...body }).catch((error: unknown) => error as Error)

test.each<[string, object, string]>([
  ['an empty text', { input: '' }, 'input[0]'],
  ['no text', { input: [] }, 'input'],
  ['an empty text among others', { input: ['a', ''] }, 'input[1]'],
  ['tokens', { input: [[1, 2]] }, 'input[0]'],
  ['more texts than 2048', { input: Array.from({ length: 2049 }, () => 'a') }, 'input'],
  ['a text beyond 100000 characters', { input: 'a'.repeat(100_001) }, 'input[0]'],
  ['a million characters and more', { input: Array.from({ length: 11 }, () => 'a'.repeat(95_000)) }, 'input'],
  ['another encoding', { encoding_format: 'hex' }, 'encoding_format'],
  ['no dimension', { dimensions: 0 }, 'dimensions'],
])('%s is refused by its name', async (_, body, param) => {
  expect(await refused(body)).toMatchObject({ status: 400, type: 'invalid_request_error', param })
})

test('embeddings pass a refusal of the provider to the caller, and know no other model', async () => {
  expect(await refused({ input: 'too long' })).toMatchObject({ status: 400, type: 'invalid_request_error' })
  expect(await refused({ model: 'gpt-5' })).toMatchObject({ status: 404, code: 'model_not_found' })
  await expect(setModel('anthropic/claude-sonnet-5')).rejects.toMatchObject({ code: 'invalid_input' })
  await setModel('google/gemini-embedding-001')
  expect(await refused({ model: 'gemini-embedding-001' })).toMatchObject({ status: 503 })
  await setModel(model)
})

test('rights are those of Chat Completions, and a choice is one team’s', async () => {
  const { key: readKey } = await owner.call(routes.keys.create, { body: { name: 'reader', scopes: ['read'] } })
  await expect(clientWith(readKey).embeddings.create({ model, input: 'a' })).rejects.toMatchObject({ status: 403 })
  const viewer = await server.invite(owner, 'viewer')
  const { key: viewerKey } = await viewer.call(routes.keys.create, { body: { name: 'viewer', scopes: ['run'] } })
  await expect(clientWith(viewerKey).embeddings.create({ model, input: 'a' })).rejects.toMatchObject({ status: 403 })
  const stranger = await server.stranger(owner)
  expect(await stranger.call(routes.models.list, {})).toMatchObject({ embeddingModel: null })
})

test('what vectors cost counts in the month, and what a deleted conversation cost stays in it', async () => {
  const spent = async () => (await owner.call(routes.teams.quotas, {})).used.spendUsdPerMonth
  const superuser = await server.database.superuser()
  const { rows } = await superuser.query<{ calls: number; input_tokens: number }>(
    `SELECT calls, input_tokens FROM coherex.model_use WHERE model = $1`,
    [model],
  )
  expect(rows).toEqual([{ calls: 3, input_tokens: 21 }])
  const before = (await spent()) ?? 0
  await superuser.query('UPDATE coherex.model_use SET cost_usd = 2 WHERE model = $1', [model])
  expect(await spent()).toBeCloseTo(before + 2)

  chat.answer([{ text: 'Yes.' }])
  const { responses } = clientWith(key)
  const { id } = await responses.create({ model: 'coder', input: 'One' })
  await superuser.query(`UPDATE coherex.turn SET cost_usd = 3 WHERE id = $1`, [id.replace('resp', 'turn')])
  expect(await spent()).toBeCloseTo(before + 5)
  await responses.delete(id)
  expect(await spent()).toBeCloseTo(before + 5)

  await owner.call(routes.teams.setQuotas, { body: { spendUsdPerMonth: 4 } })
  expect(await refused({})).toMatchObject({ status: 429, code: 'insufficient_quota' })
  await superuser.end()
})
