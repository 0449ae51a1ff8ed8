import { routes } from '@coherex/contract'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'

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
