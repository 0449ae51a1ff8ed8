import { createOpenAI } from '@ai-sdk/openai'
import { routes } from '@coherex/contract'
import { HumanMessage } from '@langchain/core/messages'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import * as ai7 from 'ai'
import * as ai6 from 'ai-6'
import { createOpenAI as createOpenAI3 } from 'ai-sdk-openai-3'
import OpenAI7 from 'openai'
import OpenAI6 from 'openai-6'
import { describe, expect, test } from 'vitest'
import { startAgentServer } from '../../harness/agent-server.ts'

const { chat, server, owner } = await startAgentServer({ COHEREX_EMBEDDING_MODEL: 'compatible/vectors' })
const { key: apiKey } = await owner.call(routes.keys.create, { body: { name: 'clients', scopes: ['run'] } })
const baseURL = `${server.url}/v1`

/** What every client does with an agent, each in its own words. */
interface Client {
  models?(): Promise<string[]>
  chat(model: string): Promise<string>
  chatStream(): Promise<string>
  respond(model: string): Promise<string>
  respondStream(): Promise<string>
  /** Says "One" and goes on from the answer with "Two". */
  goOn(): Promise<string>
  /** The same, with the conversation brought along as the client keeps it. */
  bringAlong(): Promise<string>
  /** Begins in the background, and cancels: the status after it. */
  cancel?(): Promise<string | undefined>
  /** Breaks off a stream after its first word. */
  breakOff(): Promise<void>
  embed(texts: string[]): Promise<number[][]>
}

const model = 'coder'

function official(OpenAI: typeof OpenAI7): Client {
  const { chat: chats, responses, ...client } = new OpenAI({ baseURL, apiKey, maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: 'Hello' }]
  return {
    async models() {
      const names = []
      for await (const { id } of client.models.list()) names.push(id)
      return names
    },
    chat: async (name) => (await chats.completions.create({ model: name, messages })).choices[0]?.message.content ?? '',
    async chatStream() {
      const stream = chats.completions.stream({ model, messages })
      return (await stream.finalContent()) ?? ''
    },
    respond: async (name) => (await responses.create({ model: name, input: 'Hello' })).output_text,
    // the helper that puts the events together again refuses what it does not expect
    async respondStream() {
      const { output } = await responses.stream({ model, input: 'Hello' }).finalResponse()
      return output
        .flatMap((item) => (item.type === 'message' ? item.content : []))
        .map(wordsOf)
        .join('')
    },
    async goOn() {
      const { id } = await responses.create({ model, input: 'One' })
      return (await responses.create({ model, input: 'Two', previous_response_id: id })).output_text
    },
    async bringAlong() {
      const said = { role: 'user' as const, content: 'One' }
      const { output } = await responses.create({ model, input: [said] })
      const before = output.filter((item) => item.type === 'message')
      return (await responses.create({ model, input: [said, ...before, { role: 'user', content: 'Two' }] })).output_text
    },
    async cancel() {
      const { id } = await responses.create({ model, input: 'Hello', background: true })
      return (await responses.cancel(id)).status
    },
    async breakOff() {
      for await (const { type } of await responses.create({ model, input: 'Hello', stream: true })) {
        if (type === 'response.output_text.delta') break
      }
    },
    async embed(texts) {
      const { data } = await client.embeddings.create({ model: 'vectors', input: texts })
      return data.map(({ embedding }) => embedding)
    },
  }
}

// what it puts together of a stream has no `output_text` in version 6
const wordsOf = (part: { type: string; text?: string }) => part.text ?? ''

function aiSdk({ generateText, streamText, embedMany }: typeof ai7, openai: ReturnType<typeof createOpenAI>): Client {
  const prompt = 'Hello'
  const maxRetries = 0
  return {
    chat: async (name) => (await generateText({ model: openai.chat(name), prompt, maxRetries })).text,
    chatStream: async () => streamText({ model: openai.chat(model), prompt }).text,
    respond: async (name) => (await generateText({ model: openai.responses(name), prompt, maxRetries })).text,
    respondStream: async () => streamText({ model: openai.responses(model), prompt }).text,
    async goOn() {
      const first = await generateText({ model: openai.responses(model), prompt: 'One' })
      const previousResponseId = String(first.providerMetadata?.['openai']?.['responseId'])
      const providerOptions = { openai: { previousResponseId } }
      return (await generateText({ model: openai.responses(model), prompt: 'Two', providerOptions })).text
    },
    async bringAlong() {
      const said = { role: 'user' as const, content: 'One' }
      const { response } = await generateText({ model: openai.responses(model), messages: [said] })
      const messages = [said, ...response.messages, { role: 'user' as const, content: 'Two' }]
      return (await generateText({ model: openai.responses(model), messages })).text
    },
    async breakOff() {
      const gone = new AbortController()
      const { textStream } = streamText({ model: openai.responses(model), prompt, abortSignal: gone.signal })
      for await (const _ of textStream) gone.abort()
    },
    embed: async (texts) => (await embedMany({ model: openai.embedding('vectors'), values: texts })).embeddings,
  }
}

function langChain(): Client {
  const options = { apiKey, maxRetries: 0, configuration: { baseURL } }
  const speak = (name: string, useResponsesApi: boolean) => new ChatOpenAI({ ...options, model: name, useResponsesApi })
  const join = async (useResponsesApi: boolean) => {
    let text = ''
    for await (const { text: more } of await speak(model, useResponsesApi).stream('Hello')) text += more
    return text
  }
  return {
    chat: async (name) => (await speak(name, false).invoke('Hello')).text,
    chatStream: () => join(false),
    respond: async (name) => (await speak(name, true).invoke('Hello')).text,
    respondStream: () => join(true),
    async goOn() {
      const first = await speak(model, true).invoke('One')
      const previous_response_id = String(first.response_metadata['id'])
      return (await speak(model, true).invoke('Two', { previous_response_id })).text
    },
    async bringAlong() {
      const said = new HumanMessage('One')
      const first = await speak(model, true).invoke([said])
      return (await speak(model, true).invoke([said, first, new HumanMessage('Two')])).text
    },
    async breakOff() {
      const gone = new AbortController()
      const stream = await speak(model, true).stream('Hello', { signal: gone.signal })
      // it throws what it was aborted with
      try {
        for await (const { text } of stream) if (text !== '') gone.abort()
      } catch (error) {
        if (!gone.signal.aborted) throw error
      }
    },
    embed: (texts) => new OpenAIEmbeddings({ ...options, model: 'vectors' }).embedDocuments(texts),
  }
}

const settings = { baseURL, apiKey }
const clients: [string, Client][] = [
  ['openai 7', official(OpenAI7)],
  ['openai 6', official(OpenAI6 as unknown as typeof OpenAI7)],
  ['AI SDK 7', aiSdk(ai7, createOpenAI(settings))],
  [
    'AI SDK 6',
    aiSdk(ai6 as unknown as typeof ai7, createOpenAI3(settings) as unknown as ReturnType<typeof createOpenAI>),
  ],
  ['LangChain', langChain()],
]

const asked = () => chat.requests.at(-1)?.messages.slice(1) ?? []
const openTurns = async () =>
  (await owner.call(routes.threads.turns, { query: { limit: 20 } })).items.filter(({ endedAt }) => endedAt === null)

describe.each(clients)('%s', (_, client) => {
  test.skipIf(!client.models)('lists agents', async () => {
    expect(await client.models?.()).toContain('coder')
  })

  test('gets an answer and a stream by Chat Completions', async () => {
    chat.answer([{ text: 'one two three' }])
    expect(await client.chat(model)).toBe('one two three')
    expect(await client.chatStream()).toBe('one two three')
  })

  test('gets an answer and a stream by Responses, also where the agent used tools of its own', async () => {
    chat.answer([{ text: 'one two three' }])
    expect(await client.respond(model)).toBe('one two three')
    expect(await client.respondStream()).toBe('one two three')
    for (const ask of [() => client.respond(model), () => client.respondStream()]) {
      chat.answer([{ text: 'I look.', calls: [{ name: 'list_files', arguments: {} }] }, { text: 'Nothing.' }])
      expect(await ask()).toBe('I look.\n\nNothing.')
    }
  })

  test('goes on from a response', async () => {
    chat.answer(({ messages }) => ({ text: `Heard ${String(messages.at(-1)?.content)}.` }))
    expect(await client.goOn()).toBe('Heard Two.')
    expect(asked()).toMatchObject([{ content: 'One' }, { content: 'Heard One.' }, { content: 'Two' }])
  })

  test('brings a conversation along', async () => {
    chat.answer(({ messages }) => ({ text: `Heard ${String(messages.at(-1)?.content)}.` }))
    expect(await client.bringAlong()).toBe('Heard Two.')
    expect(asked()).toMatchObject([{ content: 'One' }, { content: 'Heard One.' }, { content: 'Two' }])
  })

  test('stops the agent', async () => {
    if (client.cancel) {
      chat.answer([{ hangs: true }])
      expect(await client.cancel()).toBe('cancelled')
    }
    chat.answer([{ text: 'one two three four five six', betweenMs: 400 }])
    await client.breakOff()
    await expect.poll(openTurns, { timeout: 20_000 }).toEqual([])
    const { items } = await owner.call(routes.threads.turns, { query: { limit: 1 } })
    expect(items[0]).toMatchObject({ status: 'stopped' })
  })

  test('hears that there is no such model', async () => {
    for (const ask of [client.chat, client.respond]) {
      await expect(ask('nobody')).rejects.toThrow(/The model "nobody" does not exist/)
    }
  })

  test('gets vectors', async () => {
    expect(await client.embed(['one', 'three'])).toEqual([
      [3, 0, 0, 0],
      [5, 0.125, 0.125, 0.125],
    ])
  })
})
