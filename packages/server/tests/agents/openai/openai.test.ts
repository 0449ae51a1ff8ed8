import { routes } from '@coherex/contract'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { startAgentServer } from '../../harness/agent-server.ts'

const { chat, server, owner } = await startAgentServer()
const { key } = await owner.call(routes.keys.create, { body: { name: 'openai', scopes: ['run'] } })
const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: key, maxRetries: 0 })

test('the official client lists agents as models', async () => {
  const names = []
  for await (const model of client.models.list()) names.push(model.id)
  expect(names).toContain('coder')
})

test('the official client gets an answer with its usage, and earlier messages reach the model', async () => {
  chat.answer([{ text: 'You are Ann.', tokens: { input: 30, output: 4 } }])
  chat.requests.length = 0
  const completion = await client.chat.completions.create({
    model: 'coder',
    messages: [
      { role: 'system', content: 'Answer in one sentence.' },
      { role: 'user', content: 'I am Ann.' },
      { role: 'assistant', content: 'Hello Ann.' },
      { role: 'user', content: 'Who am I?' },
    ],
  })
  expect(completion.choices[0]?.message.content).toBe('You are Ann.')
  expect(completion.usage).toMatchObject({ prompt_tokens: 30, completion_tokens: 4 })
  const sent = chat.requests[0]?.messages.map(({ role }) => role)
  // the caller's system message is the caller's word: only the agent's own instructions are the system's
  expect(sent).toEqual(['system', 'user', 'user', 'assistant', 'user'])
})

test('an image of an earlier message is still seen', async () => {
  chat.answer([{ text: 'A dot.' }])
  chat.requests.length = 0
  const url =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const shown = { type: 'image_url' as const, image_url: { url } }
  await client.chat.completions.create({
    model: 'coder',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, shown] },
      { role: 'assistant', content: 'A picture.' },
      { role: 'user', content: 'Of what?' },
    ],
  })
  expect(chat.requests[0]?.messages[1]?.content).toContainEqual(shown)
})

test('the official client streams, with usage at the end when it asks for it', async () => {
  chat.answer([{ calls: [{ name: 'list_files', arguments: {} }] }, { text: 'one two three' }])
  const stream = await client.chat.completions.create({
    model: 'coder',
    messages: [{ role: 'user', content: 'Count' }],
    stream: true,
    stream_options: { include_usage: true },
  })
  let text = ''
  let usage: OpenAI.CompletionUsage | null | undefined
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? ''
    usage = chunk.usage ?? usage
  }
  expect(text).toBe('one two three')
  expect(usage?.total_tokens).toBe(220)
})

test('an agent that asks a person is waited for, and what its steps say stands apart', async () => {
  const source =
    'kind: agent\nname: careful\ndescription: Asks\ninstructions: Ask.\ntools: [bash]\napprovals: { bash: always }\n'
  await owner.call(routes.agents.create, { body: { source } })
  chat.answer([
    { text: 'Let me see.', calls: [{ name: 'bash', arguments: { command: 'ls' } }] },
    { text: 'I may not.' },
  ])
  const answered = client.chat.completions.create({ model: 'careful', messages: [{ role: 'user', content: 'Look' }] })
  const pending = () => owner.call(routes.approvals.list, { query: { status: 'pending' } })
  await expect.poll(async () => (await pending()).items.length, { timeout: 20_000 }).toBe(1)
  const [asked] = (await pending()).items
  await owner.call(routes.approvals.decide, { params: { id: asked?.id ?? '' }, body: { decision: 'reject' } })
  const { choices } = await answered
  expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Let me see.\n\nI may not.' } })
})

test('the official client gets one model, and one that is no active agent is not there', async () => {
  expect(await client.models.retrieve('coder')).toMatchObject({ id: 'coder', object: 'model', owned_by: 'coherex' })
  const source = 'kind: agent\nname: dozing\ndescription: Rests\ninstructions: Rest.\ntools: [files]\n'
  await owner.call(routes.agents.create, { body: { source } })
  await owner.call(routes.agents.change, { params: { name: 'dozing' }, body: { status: 'paused' } })
  for (const model of ['nobody', 'openai/gpt', 'dozing']) {
    const unknown = { status: 404, type: 'invalid_request_error', param: 'model', code: 'model_not_found' }
    await expect(client.models.retrieve(model)).rejects.toMatchObject(unknown)
    const asked = client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }] })
    await expect(asked).rejects.toMatchObject(unknown)
  }
})

test('a history with calls of tools reaches the model as calls with their results', async () => {
  chat.answer([{ text: 'Take a coat.' }])
  chat.requests.length = 0
  const call = (id: string, city: string) => ({
    id,
    type: 'function' as const,
    function: { name: 'get_weather', arguments: JSON.stringify({ city }) },
  })
  await client.chat.completions.create({
    model: 'coder',
    messages: [
      { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', content: 'Is it cold?' },
      { role: 'assistant', content: null, tool_calls: [call('a', 'Oslo'), call('b', 'Rome')] },
      { role: 'tool', tool_call_id: 'a', content: '-4 degrees' },
      { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: '19 degrees' }] },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'I would rather not say.' }] },
      { role: 'user', content: 'What do I wear?' },
    ],
  })
  const sent = chat.requests[0]?.messages.slice(1) ?? []
  expect(sent.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'tool', 'tool', 'assistant', 'user'])
  expect(sent[2]?.tool_calls).toEqual([call('a', 'Oslo'), call('b', 'Rome')])
  expect(JSON.stringify(sent[3])).toContain('-4 degrees')
  expect(JSON.stringify(sent[4])).toContain('19 degrees')
  expect(JSON.stringify(sent[5])).toContain('I would rather not say.')
})

type Body = Partial<OpenAI.Chat.ChatCompletionCreateParamsNonStreaming>
const hello = { role: 'user' as const, content: 'Hello' }
const refused = (more: Body) =>
  client.chat.completions
    .create({ model: 'coder', messages: [hello], ...more })
    .catch((error: unknown) => error as InstanceType<typeof OpenAI.APIError>)
const openCall = { id: 'a', type: 'function' as const, function: { name: 'look', arguments: '{}' } }

test.each<[string, Body, string?]>([
  ['tools', { tools: [{ type: 'function', function: { name: 'look' } }] }],
  ['functions', { functions: [{ name: 'look' }] }],
  ['tool_choice', { tool_choice: 'required' }],
  ['tool_choice', { tool_choice: { type: 'function', function: { name: 'look' } } }],
  ['function_call', { function_call: { name: 'look' } }],
  ['n', { n: 2 }],
  ['response_format', { response_format: { type: 'json_object' } }],
  ['stop', { stop: 'END' }],
  ['stop', { stop: ['END'] }],
  ['seed', { seed: 1 }],
  ['logprobs', { logprobs: true }],
  ['top_logprobs', { top_logprobs: 2 }],
  ['logit_bias', { logit_bias: { 50: 1 } }],
  ['modalities', { modalities: ['text', 'audio'] }],
  ['audio', { audio: { format: 'mp3', voice: 'alloy' } }],
  ['web_search_options', { web_search_options: {} }],
  ['messages[0]', { messages: [{ role: 'assistant', content: 'I end it' }] }, 'invalid_value'],
  ['messages[1]', { messages: [hello, { role: 'tool', tool_call_id: 'x', content: '' }, hello] }, 'invalid_value'],
  ['messages[1]', { messages: [{ role: 'assistant', tool_calls: [openCall] }, hello] }, 'invalid_value'],
  ['messages[0].content', { messages: [{ role: 'user', content: 5 as unknown as string }] }, 'invalid_value'],
])('%s is refused by its name where it asks for what an agent does not do: %j', async (param, body, code) => {
  const told = await refused(body)
  expect(told).toMatchObject({ status: 400, type: 'invalid_request_error', param })
  expect(told).toMatchObject({ code: code ?? 'unsupported_parameter' })
  expect((told as Error).message).toMatch(/must be|must have|before it/)
})

test('fields that ask for nothing, and hints, are taken', async () => {
  chat.answer([{ text: 'Yes.' }])
  const { choices } = await client.chat.completions.create({
    ...{ model: 'coder', messages: [hello], tools: [], tool_choice: 'none', n: 1, stop: null, logprobs: false },
    ...{
      response_format: { type: 'text' },
      modalities: ['text'],
      temperature: 0,
      top_p: 1,
      max_tokens: 100,
      user: 'ann',
    },
  })
  expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Yes.' } })
})

test('an answer that was cut short says so', async () => {
  const ask = async () => (await client.chat.completions.create({ model: 'coder', messages: [hello] })).choices[0]
  chat.answer([{ text: 'Once upon', finish: 'length' }])
  expect(await ask()).toMatchObject({ finish_reason: 'length' })
  chat.answer([{ text: 'Once', finish: 'content_filter' }])
  expect(await ask()).toMatchObject({ finish_reason: 'content_filter' })
})

test('a stream has its usage in the last chunk alone, and its failure as an error of the client', async () => {
  const params = { model: 'coder', messages: [hello], stream: true as const, stream_options: { include_usage: true } }
  chat.answer([{ text: 'one two' }])
  const usages: unknown[] = []
  for await (const { usage } of await client.chat.completions.create(params)) usages.push(usage)
  expect(usages.slice(0, -1).every((usage) => usage === null)).toBe(true)
  expect(usages.at(-1)).toMatchObject({ total_tokens: 110, prompt_tokens_details: { cached_tokens: 0 } })

  chat.answer([{ status: 401 }])
  const read = async () => {
    for await (const _ of await client.chat.completions.create(params));
  }
  await expect(read()).rejects.toMatchObject({ type: 'server_error', code: null, param: null })
})

test('every address below /v1 refuses in the words of OpenAI', async () => {
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${server.url}/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
    })
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code'])
    return [response.status, error['type'], error['code']]
  }
  expect(await ask('/audio/speech', { method: 'POST', body: '{}' })).toEqual([
    404,
    'invalid_request_error',
    'unknown_url',
  ])
  expect(await ask('')).toEqual([404, 'invalid_request_error', 'unknown_url'])
  expect(await ask('/chat/completions')).toEqual([405, 'invalid_request_error', 'method_not_allowed'])
  const noJson = { method: 'POST', body: '{"model":' }
  expect(await ask('/chat/completions', noJson)).toEqual([400, 'invalid_request_error', null])
  const wrong = { headers: { authorization: 'Bearer chx_wrong' } }
  expect(await ask('/models', wrong)).toEqual([401, 'authentication_error', 'invalid_api_key'])
  const { key: readKey } = await owner.call(routes.keys.create, { body: { name: 'reader', scopes: ['read'] } })
  const asReader = { method: 'POST', body: '{}', headers: { authorization: `Bearer ${readKey}` } }
  expect(await ask('/chat/completions', asReader)).toEqual([403, 'permission_error', 'insufficient_permissions'])
})

test('a team that has spent its month hears of its quota, and no empty thread is left', async () => {
  await owner.call(routes.teams.setQuotas, { body: { spendUsdPerMonth: 0 } })
  const count = async () => (await owner.call(routes.threads.list, {})).items.length
  const before = await count()
  const quota = { status: 429, type: 'rate_limit_error', code: 'insufficient_quota' }
  await expect(refused({})).resolves.toMatchObject(quota)
  expect(await count()).toBe(before)
  await owner.call(routes.teams.setQuotas, { body: { spendUsdPerMonth: 100 } })
})

test('what goes wrong is an error of the client', async () => {
  const ask = (model: string) =>
    client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }] })
  await expect(ask('nobody')).rejects.toMatchObject({ status: 404 })
  chat.answer([{ status: 401 }])
  // one that is tried again would have the agent do everything again
  const told = await ask('coder').catch((error: unknown) => error as InstanceType<typeof OpenAI.APIError>)
  expect(told).toMatchObject({ status: 503 })
  expect((told as { headers: Headers }).headers.get('x-should-retry')).toBe('false')
  const silent = client.chat.completions.create({ model: 'coder', messages: [{ role: 'user', content: '' }] })
  await expect(silent).rejects.toMatchObject({ status: 400 })
  const url = {
    role: 'user' as const,
    content: [{ type: 'image_url' as const, image_url: { url: 'http://127.0.0.1/x' } }],
  }
  await expect(client.chat.completions.create({ model: 'coder', messages: [url] })).rejects.toMatchObject({
    status: 400,
  })
})
