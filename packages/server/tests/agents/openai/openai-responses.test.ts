import { routes } from '@coherex/contract'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { startAgentServer } from '../../harness/agent-server.ts'

const { chat, server, owner } = await startAgentServer()
const { key } = await owner.call(routes.keys.create, { body: { name: 'openai', scopes: ['run'] } })
const clientWith = (apiKey: string) => new OpenAI({ baseURL: `${server.url}/v1`, apiKey, maxRetries: 0 })
const client = clientWith(key)
const { responses } = client

const lastRequest = () => chat.requests.at(-1)?.messages ?? []
const told = (error: unknown) => error as InstanceType<typeof OpenAI.APIError>
const countThreads = async () => (await owner.call(routes.threads.list, { query: { limit: 100 } })).items.length

test('a response has the text, the usage and what was asked for, and is read again by its id', async () => {
  chat.answer([{ text: 'You are Ann.', tokens: { input: 30, output: 4 } }])
  const response = await responses.create({
    model: 'coder',
    instructions: 'Answer in one sentence.',
    input: [
      { role: 'user', content: 'I am Ann.' },
      { role: 'assistant', content: 'Hello Ann.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Who am I?' }] },
    ],
    metadata: { ticket: '42' },
  })
  expect(response).toMatchObject({
    object: 'response',
    status: 'completed',
    model: 'coder',
    output_text: 'You are Ann.',
    instructions: 'Answer in one sentence.',
    metadata: { ticket: '42' },
    previous_response_id: null,
    error: null,
    incomplete_details: null,
    usage: { input_tokens: 30, output_tokens: 4, total_tokens: 34, input_tokens_details: { cached_tokens: 0 } },
  })
  expect(response.id).toMatch(/^resp_/)
  // the caller's instructions are the caller's word: only the agent's own are the system's
  expect(lastRequest().map(({ role }) => role)).toEqual(['system', 'user', 'user', 'assistant', 'user'])
  expect(await responses.retrieve(response.id)).toEqual(response)
})

test('the steps of an agent are one message, set apart, without its own calls', async () => {
  chat.answer([{ text: 'I look.', calls: [{ name: 'list_files', arguments: {} }] }, { text: 'Nothing there.' }])
  const { output } = await responses.create({ model: 'coder', input: 'Look' })
  expect(output).toMatchObject([
    { type: 'message', status: 'completed', content: [{ text: 'I look.\n\nNothing there.' }] },
  ])
})

test('previous_response_id goes on in the thread, without the instructions of before', async () => {
  chat.answer([{ text: 'First.' }])
  const first = await responses.create({ model: 'coder', input: 'One', instructions: 'Only for one.' })
  const threads = await countThreads()
  chat.answer([{ text: 'Second.' }])
  const second = await responses.create({
    model: 'coder',
    input: 'Two',
    instructions: 'Only for two.',
    previous_response_id: first.id,
  })
  expect(second).toMatchObject({ previous_response_id: first.id, output_text: 'Second.' })
  expect(lastRequest().slice(1)).toMatchObject([
    { role: 'user', content: 'One' },
    { role: 'assistant', content: 'First.' },
    { role: 'user', content: 'Only for two.' },
    { role: 'user', content: 'Two' },
  ])
  expect(await countThreads()).toBe(threads)

  // from the first answer again: a branch that knows nothing of the second
  chat.answer([{ text: 'Other.' }])
  const branch = await responses.create({ model: 'coder', input: 'Three', previous_response_id: first.id })
  expect(JSON.stringify(lastRequest())).not.toContain('Two')
  expect(lastRequest().at(-1)).toMatchObject({ content: 'Three' })
  expect(await countThreads()).toBe(threads)
  expect((await responses.retrieve(second.id)).output_text).toBe('Second.')
  expect((await responses.retrieve(branch.id)).output_text).toBe('Other.')
})

test('two branches from one answer at the same time are both answered', async () => {
  chat.answer([{ text: 'Go.' }])
  const { id } = await responses.create({ model: 'coder', input: 'Start' })
  chat.answer(({ messages }) => ({ text: `Heard ${String(messages.at(-1)?.content)}`, afterMs: 300 }))
  const both = await Promise.all(
    ['left', 'right'].map((input) => responses.create({ model: 'coder', input, previous_response_id: id })),
  )
  expect(both.map(({ output_text }) => output_text)).toEqual(['Heard left', 'Heard right'])
})

test('an item that a client refers to is the answer it was given before', async () => {
  chat.answer([{ text: 'The word is heron.' }])
  const { output } = await responses.create({ model: 'coder', input: 'A word?' })
  const [item] = output
  chat.answer([{ text: 'Heron.' }])
  await responses.create({
    model: 'coder',
    input: [
      { role: 'user', content: 'A word?' },
      { type: 'item_reference', id: item?.id ?? '' },
      { role: 'user', content: 'Which?' },
    ],
  })
  expect(lastRequest()[2]).toMatchObject({ role: 'assistant', content: 'The word is heron.' })
})

test('a history with calls and their results, and an image, reaches the model', async () => {
  chat.answer([{ text: 'Take a coat.' }])
  const image_url =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await responses.create({
    model: 'coder',
    input: [
      { role: 'user', content: 'Is it cold?' },
      { type: 'function_call', call_id: 'a', name: 'get_weather', arguments: '{"city":"Oslo"}' },
      { type: 'function_call', call_id: 'b', name: 'get_weather', arguments: '{"city":"Rome"}' },
      { type: 'function_call_output', call_id: 'a', output: '-4 degrees' },
      { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: '19 degrees' }] },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'And this?' },
          { type: 'input_image', image_url, detail: 'auto' },
        ],
      },
    ],
  })
  const sent = lastRequest().slice(1)
  expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user'])
  expect(sent[1]?.tool_calls).toHaveLength(2)
  expect(JSON.stringify(sent[2])).toContain('-4 degrees')
  expect(JSON.stringify(sent[3])).toContain('19 degrees')
  expect(sent[4]?.content).toContainEqual({ type: 'image_url', image_url: { url: image_url } })
})

test('a stream has the events of Responses, numbered without gaps', async () => {
  chat.answer([{ text: 'one two' }])
  const events = []
  for await (const event of await responses.create({ model: 'coder', input: 'Count', stream: true })) events.push(event)
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
  expect(events.map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ])
  expect(events[0]).toMatchObject({ response: { status: 'in_progress', output: [], usage: null } })
  expect(events.at(-1)).toMatchObject({
    response: { status: 'completed', output: [{ content: [{ text: 'one two' }] }], usage: { total_tokens: 110 } },
  })

  // read again, and from where a reader left
  const { response } = events.at(-1) as OpenAI.Responses.ResponseCompletedEvent
  const again = []
  for await (const event of await responses.retrieve(response.id, { stream: true })) again.push(event)
  expect(again).toEqual(events)
  const rest = []
  for await (const event of await responses.retrieve(response.id, { stream: true, starting_after: 4 })) rest.push(event)
  expect(rest).toEqual(events.slice(5))
})

test('an answer that was cut short is incomplete, and one whose model fails is failed', async () => {
  chat.answer([{ text: 'Once upon', finish: 'length' }])
  expect(await responses.create({ model: 'coder', input: 'Tell' })).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
  })
  chat.answer([{ text: 'Once', finish: 'content_filter' }])
  expect(await responses.create({ model: 'coder', input: 'Tell' })).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
  })
  chat.answer([{ status: 401 }])
  const types = []
  for await (const event of await responses.create({ model: 'coder', input: 'Tell', stream: true })) {
    types.push(event.type)
    if (event.type !== 'response.failed') continue
    expect(event.response).toMatchObject({ status: 'failed', error: { code: 'server_error' } })
    expect(await responses.retrieve(event.response.id)).toMatchObject({ status: 'failed' })
  }
  expect(types.at(-1)).toBe('response.failed')
  // one that is tried again would have the agent do everything again
  const error = told(await responses.create({ model: 'coder', input: 'Tell' }).catch(told))
  expect(error).toMatchObject({ status: 503, type: 'server_error' })
  expect(error.headers?.get('x-should-retry')).toBe('false')
})

test('a response in the background is read until it has ended, and cancelled', async () => {
  chat.answer([{ text: 'slow words', afterMs: 500 }])
  const begun = await responses.create({ model: 'coder', input: 'Work', background: true })
  expect(['queued', 'in_progress']).toContain(begun.status)
  const early = await responses
    .create({ model: 'coder', input: 'More', previous_response_id: begun.id })
    .catch((error: unknown) => told(error))
  expect(early).toMatchObject({ status: 400, param: 'previous_response_id' })
  const now = async () => (await responses.retrieve(begun.id)).status
  await expect.poll(now, { timeout: 20_000 }).toBe('completed')
  expect((await responses.retrieve(begun.id)).output_text).toBe('slow words')

  chat.answer([{ hangs: true }])
  const endless = await responses.create({ model: 'coder', input: 'Work on', background: true })
  expect(await responses.cancel(endless.id)).toMatchObject({ id: endless.id, status: 'cancelled', background: true })
  expect(await responses.retrieve(endless.id)).toMatchObject({ status: 'cancelled' })
  // once it has ended, it stays as it is
  expect(await responses.cancel(begun.id)).toMatchObject({ status: 'completed' })
})

test('a client that hangs up stops the agent, and one that reads along does not', async () => {
  chat.answer([{ text: 'one two three four', betweenMs: 300 }])
  const stream = await responses.create({ model: 'coder', input: 'Count', stream: true })
  let id = ''
  for await (const event of stream) {
    if (event.type === 'response.created') id = event.response.id
    if (event.type === 'response.output_text.delta') break
  }
  const now = async () => (await responses.retrieve(id)).status
  await expect.poll(now, { timeout: 20_000 }).toBe('cancelled')

  const kept = await responses.create({ model: 'coder', input: 'Count', background: true })
  for await (const event of await responses.retrieve(kept.id, { stream: true })) {
    if (event.type === 'response.output_text.delta') break
  }
  await expect.poll(async () => (await responses.retrieve(kept.id)).status, { timeout: 20_000 }).toBe('completed')
})

test('store: false leaves nothing behind, also where it goes on from what is kept', async () => {
  chat.answer([{ text: 'Kept.' }])
  const first = await responses.create({ model: 'coder', input: 'Remember me' })
  const before = await countThreads()
  chat.answer([{ text: 'Forgotten.' }])
  for (const stream of [false, true]) {
    const asked = { model: 'coder', input: 'And now?', store: false, previous_response_id: first.id }
    let id = ''
    if (stream) {
      for await (const event of await responses.create({ ...asked, stream: true })) {
        if (event.type === 'response.completed') id = event.response.id
      }
    } else id = (await responses.create(asked)).id
    expect(JSON.stringify(lastRequest())).toContain('Remember me')
    await expect.poll(countThreads, { timeout: 20_000 }).toBe(before)
    await expect(responses.retrieve(id)).rejects.toMatchObject({ status: 404, code: 'response_not_found' })
  }
  expect((await responses.retrieve(first.id)).output_text).toBe('Kept.')
})

test('a deleted response takes its thread along only where it is alone there', async () => {
  chat.answer([{ text: 'Yes.' }])
  const before = await countThreads()
  const first = await responses.create({ model: 'coder', input: 'One' })
  const second = await responses.create({
    model: 'coder',
    instructions: 'Gone too.',
    input: [
      { role: 'assistant', content: 'An aside.' },
      { role: 'user', content: 'Two' },
    ],
    previous_response_id: first.id,
  })
  await expect(responses.delete(first.id)).rejects.toMatchObject({ status: 409 })
  await responses.delete(second.id)
  await expect(responses.retrieve(second.id)).rejects.toMatchObject({ status: 404 })
  const third = await responses.create({ model: 'coder', input: 'Three', previous_response_id: first.id })
  expect(JSON.stringify(lastRequest())).not.toContain('aside')
  await responses.delete(third.id)
  await responses.delete(first.id)
  await expect(responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 })
  expect(await countThreads()).toBe(before)
})

type Body = Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming>
const refused = (more: Body) => responses.create({ model: 'coder', input: 'Hello', ...more }).catch(told)

test.each<[string, Body, string?]>([
  ['tools', { tools: [{ type: 'function', name: 'look', parameters: {}, strict: true }] }],
  ['tool_choice', { tool_choice: 'required' }],
  ['text', { text: { format: { type: 'json_object' } } }],
  ['top_logprobs', { top_logprobs: 2 }],
  ['conversation', { conversation: 'conv_1' }],
  ['prompt', { prompt: { id: 'pmpt_1' } }],
  ['store', { background: true, store: false }, 'invalid_value'],
  ['input', { input: [] }, 'invalid_value'],
  ['input', { input: 5 as unknown as string }, 'invalid_value'],
  ['input[0]', { input: '' }, 'invalid_value'],
  ['input[0]', { input: [{ role: 'assistant', content: 'I end it' }] }, 'invalid_value'],
  ['input[0].type', { input: [{ type: 'computer_call' } as never] }, 'invalid_value'],
  [
    'input[0]',
    {
      input: [
        { type: 'function_call_output', call_id: 'x', output: '' },
        { role: 'user', content: 'a' },
      ],
    },
    'invalid_value',
  ],
  [
    'input[0].id',
    {
      input: [
        { type: 'item_reference', id: 'msg_nothing' },
        { role: 'user', content: 'a' },
      ],
    },
    'invalid_value',
  ],
  ['metadata.a', { metadata: { a: 'x'.repeat(513) } }, 'invalid_value'],
])('%s is refused by its name where it asks for what an agent does not do: %j', async (param, body, code) => {
  expect(await refused(body)).toMatchObject({
    status: 400,
    type: 'invalid_request_error',
    param,
    code: code ?? 'unsupported_parameter',
  })
})

test('an image that is an address is refused, so that no caller has the server fetch it', async () => {
  const content = [{ type: 'input_image' as const, detail: 'auto' as const, image_url: 'http://127.0.0.1/x' }]
  expect(await refused({ input: [{ role: 'user', content }] })).toMatchObject({ status: 400, param: 'input[0]' })
})

test('a model and a conversation that do not belong together are refused', async () => {
  expect(await refused({ model: 'nobody' })).toMatchObject({ status: 404, param: 'model', code: 'model_not_found' })
  const source = 'kind: agent\nname: other\ndescription: Another\ninstructions: Be brief.\ntools: [files]\n'
  await owner.call(routes.agents.create, { body: { source } })
  chat.answer([{ text: 'Yes.' }])
  const { id } = await responses.create({ model: 'coder', input: 'One' })
  expect(await refused({ model: 'other', previous_response_id: id })).toMatchObject({ status: 400, param: 'model' })
  for (const previous_response_id of ['resp_00000000000000000000000000', 'nonsense']) {
    expect(await refused({ previous_response_id })).toMatchObject({
      status: 404,
      code: 'previous_response_not_found',
    })
  }
})

test('rights are those of Chat Completions: by scope, role, team and reach', async () => {
  chat.answer([{ text: 'Yes.' }])
  const { id } = await responses.create({ model: 'coder', input: 'One' })
  const { key: readKey } = await owner.call(routes.keys.create, { body: { name: 'reader', scopes: ['read'] } })
  const reader = clientWith(readKey).responses
  expect((await reader.retrieve(id)).output_text).toBe('Yes.')
  const forbidden = { status: 403, code: 'insufficient_permissions' }
  await expect(reader.create({ model: 'coder', input: 'Two' })).rejects.toMatchObject(forbidden)
  await expect(reader.cancel(id)).rejects.toMatchObject(forbidden)
  await expect(reader.delete(id)).rejects.toMatchObject(forbidden)

  const editor = await server.invite(owner, 'editor')
  const { key: editorKey } = await editor.call(routes.keys.create, { body: { name: 'theirs', scopes: ['run'] } })
  const theirs = clientWith(editorKey).responses
  expect((await theirs.retrieve(id)).output_text).toBe('Yes.')
  // what a person says in private stays theirs
  const begun = await owner.call(routes.threads.create, { body: { agent: 'coder', message: { text: 'Secret' } } })
  const secretId = (begun.turn?.id ?? '').replace('turn_', 'resp_')
  await expect.poll(async () => (await responses.retrieve(secretId)).status, { timeout: 20_000 }).toBe('completed')
  const missing = { status: 404 }
  await expect(theirs.retrieve(secretId)).rejects.toMatchObject(missing)
  await expect(theirs.cancel(secretId)).rejects.toMatchObject(missing)
  await expect(theirs.delete(secretId)).rejects.toMatchObject(missing)
  const onward = { model: 'coder', input: 'Tell me', previous_response_id: secretId }
  await expect(theirs.create(onward)).rejects.toMatchObject(missing)
  const referring = [
    { type: 'item_reference' as const, id: secretId.replace('resp', 'msg') },
    { role: 'user' as const, content: 'Tell me' },
  ]
  await expect(theirs.create({ model: 'coder', input: referring })).rejects.toMatchObject({ status: 400 })

  const viewer = await server.invite(owner, 'viewer')
  const { key: viewerKey } = await viewer.call(routes.keys.create, { body: { name: 'viewer', scopes: ['run'] } })
  const watching = clientWith(viewerKey).responses
  await expect(watching.create({ model: 'coder', input: 'Two' })).rejects.toMatchObject({ status: 403 })
})
