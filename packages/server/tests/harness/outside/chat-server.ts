import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** One request as the product sent it. */
export interface ChatRequest {
  model: string
  messages: { role: string; content: unknown; tool_calls?: unknown[]; tool_call_id?: string }[]
  tools: { type: string; function: { name: string; description: string; parameters: unknown } }[]
  stream: boolean
  authorization: string | undefined
}

/** What the model does next. */
export interface ChatReply {
  text?: string
  calls?: { id?: string; name: string; arguments: unknown }[]
  /** Sent instead of JSON arguments. */
  rawArguments?: string
  /** An error instead of an answer, in the words of `text`. */
  status?: number
  retryAfter?: number
  /** Waits before its first word. */
  afterMs?: number
  /** Waits between words. */
  betweenMs?: number
  /** Waits for this in the middle of its words. */
  halfway?: Promise<unknown>
  /** Accepts and never says a word. */
  hangs?: boolean
  /** Why it says no more, where that is not the end of its answer or its calls. */
  finish?: string
  /** Breaks the connection after its words. */
  cuts?: boolean
  /** Sends something that is no JSON after its words. */
  garbles?: boolean
  tokens?: { input: number; output: number }
}

export type ChatScript = (request: ChatRequest, turn: number) => ChatReply | Promise<ChatReply>

export interface ChatServer {
  /** Base URL, ending in /v1. */
  url: string
  hostPort: string
  requests: ChatRequest[]
  /** Replaces the script. A list is answered in order, its last one for ever. */
  answer(script: ChatScript | ChatReply[]): void
  stop(): Promise<void>
}

/** A model that does what a test says, over real HTTP, in the words of Chat Completions. */
export async function startChatServer(): Promise<ChatServer> {
  let script: ChatScript = () => ({ text: 'Hello.' })
  const requests: ChatRequest[] = []
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    void serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/v1/models') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ data: [{ id: 'scripted' }, { id: 'other' }] }))
      return
    }
    let body = ''
    for await (const piece of request) body += String(piece)
    if (request.url === '/v1/embeddings') return embed(response, JSON.parse(body) as EmbeddingAsked)
    const parsed = JSON.parse(body) as Omit<ChatRequest, 'authorization'>
    const chat = { ...parsed, tools: parsed.tools ?? [], authorization: request.headers.authorization }
    requests.push(chat)
    await reply(response, await script(chat, requests.length), chat)
  }

  return {
    url: `http://127.0.0.1:${port}/v1`,
    hostPort: `127.0.0.1:${port}`,
    requests,
    answer(next) {
      if (typeof next === 'function') script = next
      else {
        const left = [...next]
        script = () => (left.length > 1 ? left.shift() : left[0]) ?? { text: 'done' }
      }
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface EmbeddingAsked {
  input: string[]
  dimensions?: number
}

/** Vectors that tell texts apart: how long each is, and its place. One that says "too long" is refused. */
function embed(response: ServerResponse, { input, dimensions = 4 }: EmbeddingAsked): void {
  response.setHeader('content-type', 'application/json')
  if (input.includes('too long')) {
    response.writeHead(400).end(JSON.stringify({ error: { message: 'scripted 400' } }))
    return
  }
  const data = input.map(({ length }, index) => ({
    object: 'embedding',
    index,
    embedding: Array.from({ length: dimensions }, (_, at) => (at === 0 ? length : index / 8)),
  }))
  response.end(JSON.stringify({ object: 'list', data, usage: { prompt_tokens: 7, total_tokens: 7 } }))
}

async function reply(response: ServerResponse, said: ChatReply, { model, stream }: ChatRequest): Promise<void> {
  if (said.hangs) return
  if (said.afterMs) await delay(said.afterMs)
  if (said.status) {
    response.writeHead(said.status, {
      'content-type': 'application/json',
      ...(said.retryAfter !== undefined && { 'retry-after': String(said.retryAfter) }),
    })
    response.end(JSON.stringify({ error: { message: said.text ?? `scripted ${said.status}` } }))
    return
  }
  const { input, output } = said.tokens ?? { input: 100, output: 10 }
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  if (!stream) {
    const choice = { index: 0, message: { role: 'assistant', content: said.text ?? '' }, finish_reason: 'stop' }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: 'chat', object: 'chat.completion', created: 0, model, choices: [choice], usage }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (choice: unknown, rest: object = {}) => {
    const choices = choice === undefined ? [] : [choice]
    const chunk = { id: 'chat', object: 'chat.completion.chunk', created: 0, model, choices, ...rest }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  const words = (said.text ?? '').match(/\S+\s*/g) ?? []
  for (const [index, word] of words.entries()) {
    if (index === Math.floor(words.length / 2)) await said.halfway
    send({ index: 0, delta: { role: 'assistant', content: word }, finish_reason: null })
    if (said.betweenMs) await delay(said.betweenMs)
    if (response.destroyed) return
  }
  if (said.garbles) response.write('data: {"choices": [ this is no JSON\n\n')
  if (said.cuts) {
    await delay(20)
    response.destroy()
    return
  }
  for (const [index, call] of (said.calls ?? []).entries()) {
    const id = call.id ?? `call_${Math.random().toString(36).slice(2, 12)}`
    const text = said.rawArguments ?? JSON.stringify(call.arguments)
    const middle = Math.floor(text.length / 2)
    const head = { index, id, type: 'function', function: { name: call.name, arguments: text.slice(0, middle) } }
    send({ index: 0, delta: { tool_calls: [head] }, finish_reason: null })
    const tail = { index, function: { arguments: text.slice(middle) } }
    send({ index: 0, delta: { tool_calls: [tail] }, finish_reason: null })
  }
  send({ index: 0, delta: {}, finish_reason: said.finish ?? (said.calls?.length ? 'tool_calls' : 'stop') })
  send(undefined, { usage })
  response.end('data: [DONE]\n\n')
}
