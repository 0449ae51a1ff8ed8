import { CoherexError, type TurnChunk } from '@coherex/contract'
import type { UIMessage } from 'ai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startChatServer, type ChatServer } from '../../../tests/harness/outside/chat-server.ts'
import type { ResolvedModel } from '../../models/models.ts'
import { providers } from '../../models/providers.ts'
import type { Admission, CallToAdmit } from '../turn/admission.ts'
import { Budget } from '../turn/budget.ts'
import { TurnStop } from '../turn/ending.ts'
import type { StepRecord, StepRetry } from '../turn/step.ts'
import { defineTool, type ToolContext } from '../turn/tool.ts'
import { runTurn, type TurnWork } from './run-turn.ts'

let chat: ChatServer
let model: ResolvedModel

beforeAll(async () => {
  chat = await startChatServer()
  model = {
    name: 'compatible/scripted',
    model: await providers.compatible.connect('scripted', { baseUrl: chat.url, fetch }),
    price: { input: 10, output: 100 },
    contextTokens: 32_000,
    takesImages: false,
  }
})
afterAll(() => chat.stop())
beforeEach(() => {
  chat.requests.length = 0
})

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers',
  input: z.strictObject({ a: z.number(), b: z.number() }),
  scope: 'read',
  isReadOnly: true,
  async run({ a, b }) {
    if (a === 13) throw new CoherexError('conflict', 'Thirteen is refused')
    return { text: String(a + b) }
  },
})

function start(
  options: {
    limits?: Parameters<typeof Budget.of>[0]
    teamUsd?: number
    tools?: TurnWork['tools']
    history?: UIMessage[]
    admit?: (call: CallToAdmit) => Admission
  } = {},
) {
  const stop = new AbortController()
  const chunks: TurnChunk[] = []
  const steps: StepRecord[] = []
  const saved: UIMessage[] = []
  const retries: StepRetry[] = []
  const context = { budget: Budget.of(options.limits, Date.now(), options.teamUsd), signal: stop.signal } as ToolContext
  const turn = runTurn(
    {
      instructions: 'Be brief.',
      history: options.history ?? [{ id: 'msg_1', role: 'user', parts: [{ type: 'text', text: 'What is 2 + 3?' }] }],
      answer: { id: 'msg_2', role: 'assistant', parts: [] },
      lastStep: 0,
      model,
      tools: options.tools ?? [add],
      windowMessages: 50,
      context,
    },
    {
      stream: (chunk) => void chunks.push(chunk),
      stepDone: async (step, answer) => {
        steps.push(step)
        saved.push(structuredClone(answer))
      },
      checkRights: async () => undefined,
      takeSaid: async () => [],
      retried: async (retry) => void retries.push(retry),
      admit: async (call) => options.admit?.(call) ?? { kind: 'run', isApproved: false },
      callDone: async (_step, _call, answer) => void saved.push(structuredClone(answer)),
    },
  )
  return { turn, stop, chunks, steps, saved, retries }
}

const textOf = (message: UIMessage) => message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

describe('a turn', () => {
  it('calls tools, reads their results and answers', async () => {
    chat.answer([{ text: 'Let me see. ', calls: [{ name: 'add', arguments: { a: 2, b: 3 } }] }, { text: 'It is 5.' }])
    const { turn, steps, saved } = start()
    const { ending, answer } = await turn
    expect(ending.kind).toBe('answered')
    expect(textOf(answer)).toBe('Let me see. It is 5.')
    expect(chat.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: '5' })
    expect(steps.map(({ number, finishReason }) => [number, finishReason])).toEqual([
      [1, 'tool-calls'],
      [2, 'stop'],
    ])
    expect(steps[0]).toMatchObject({ tokens: { input: 100, output: 10 }, costUsd: 0.002 })
    expect(saved.at(-1)).toEqual(answer)
  })

  it('answers calls that were made together, each by its own id', async () => {
    const calls = [1, 2, 3].map((n) => ({ id: `call_${n}`, name: 'add', arguments: { a: n, b: n } }))
    chat.answer([{ calls }, { text: 'Done.' }])
    await start().turn
    const results = chat.requests[1]?.messages.filter(({ role }) => role === 'tool')
    expect(results?.map(({ tool_call_id, content }) => [tool_call_id, content])).toEqual([
      ['call_1', '2'],
      ['call_2', '4'],
      ['call_3', '6'],
    ])
  })

  it.each([
    ['a tool that refuses', { calls: [{ name: 'add', arguments: { a: 13, b: 1 } }] }, 'Thirteen is refused'],
    [
      'arguments that do not fit',
      { calls: [{ name: 'add', arguments: { a: 'x' } }] },
      /^The arguments are not valid\. a: .*; b: /,
    ],
    [
      'arguments that are no JSON',
      { calls: [{ name: 'add', arguments: {} }], rawArguments: '{"a": 1,' },
      /^The arguments are no JSON: \{"a": 1,$/,
    ],
    [
      'a tool that is not there',
      { calls: [{ name: 'rm', arguments: {} }] },
      /^There is no tool "rm"\. There are: add$/,
    ],
  ])('tells the model about %s and goes on', async (_, reply, told) => {
    chat.answer([reply, { text: 'I see.' }])
    const { ending, answer } = await start().turn
    expect(ending.kind).toBe('answered')
    expect(textOf(answer)).toBe('I see.')
    const result = chat.requests[1]?.messages.find(({ role }) => role === 'tool')
    if (typeof told === 'string') expect(result?.content).toContain(told)
    else expect(String(result?.content)).toMatch(told)
  })

  it('ends at its steps with the reason, and what was produced is kept', async () => {
    chat.answer(() => ({ text: 'Again. ', calls: [{ name: 'add', arguments: { a: 1, b: 1 } }] }))
    const { ending, answer } = await start({ limits: { steps: 3 } }).turn
    expect(ending).toEqual({ kind: 'steps', message: 'It took all of its 3 steps' })
    expect(chat.requests).toHaveLength(3)
    expect(textOf(answer)).toBe('Again. Again. Again. ')
  })

  it.each([
    ['tokens', { limits: { tokens: 150 } }, 'It took all of its 150 tokens'],
    ['cost', { limits: { costUsd: 0.003 } }, 'It cost as much as it may: 0.00 US dollars'],
    ['cost', { teamUsd: 0.003 }, 'It took what was left of the US dollars that the team may spend in a month'],
  ] as const)('makes no further call when %s are used up: %j', async (kind, options, message) => {
    chat.answer(() => ({ calls: [{ name: 'add', arguments: { a: 1, b: 1 } }] }))
    const { ending } = await start(options).turn
    expect(ending).toEqual({ kind, message })
    expect(chat.requests).toHaveLength(2)
  })

  it('tries again when a provider is busy or fails, and says so to those who watch', async () => {
    chat.answer([{ status: 429, retryAfter: 0 }, { status: 500, retryAfter: 0.01 }, { text: 'Back.' }])
    const { turn, chunks, retries, steps } = start()
    expect(textOf((await turn).answer)).toBe('Back.')
    expect(chunks.filter(({ type }) => type === 'data-retry')).toHaveLength(2)
    expect(retries.map(({ step, attempt }) => [step, attempt])).toEqual([
      [1, 1],
      [1, 2],
    ])
    expect(steps[0]?.firstTokenMs).toBeLessThanOrEqual(steps[0]?.durationMs ?? 0)
  })

  it('gives up on what will not pass, with words for people', async () => {
    chat.answer([{ status: 401 }])
    const message = 'The provider refused the key: an admin can set another one under Settings, Models'
    expect((await start().turn).ending).toEqual({ kind: 'model', message })
    expect(chat.requests).toHaveLength(1)
    chat.answer([{ status: 400, text: 'library/gemma:2b does not support tools' }])
    expect((await start().turn).ending.message).toMatch(/^The model \S+ cannot call tools, .*: choose another one$/)
  })

  it('[turns.6] has an answer said anew that breaks off or turns to nonsense, and keeps nothing of the tries before', async () => {
    chat.answer([
      { text: 'Half an ', cuts: true },
      { text: 'Another half ', garbles: true, cuts: true },
      { text: 'The whole.', calls: [{ name: 'add', arguments: { a: 1, b: 1 } }] },
      { text: 'Done.' },
    ])
    const { turn, chunks, retries, saved } = start()
    const { ending, answer } = await turn
    expect([ending.kind, textOf(answer)]).toEqual(['answered', 'The whole.Done.'])
    expect(answer.parts.map(({ type }) => type)).toEqual(['step-start', 'text', 'tool-add', 'step-start', 'text'])
    expect(saved.map(textOf)).toEqual(['The whole.', 'The whole.', 'The whole.Done.'])
    expect(retries.map(({ step }) => step)).toEqual([1, 1])
    const told = chunks.map(({ type }) => type).filter((type) => /^data-|start-step/.test(type))
    expect(told).toEqual([
      'start-step',
      ...['data-retry', 'data-restart', 'start-step', 'data-retry', 'data-restart', 'start-step'],
      'start-step',
    ])
  })

  it('[turns.6] keeps the words of an answer that breaks off for good, and calls none of its tools', async () => {
    chat.answer([
      { text: 'Half an ', cuts: true },
      { status: 500, retryAfter: 0.01 },
    ])
    const { ending, answer } = await start().turn
    expect(ending).toMatchObject({ kind: 'model', message: expect.stringContaining('error 500') })
    expect([chat.requests.length, textOf(answer)]).toEqual([4, 'Half an '])
  })

  it.each([
    ['withholds it', { finish: 'content_filter' }, 'The provider withheld the answer'],
    ['says nothing', {}, 'The model said nothing'],
  ])('ends with the reason when the model %s', async (_, reply, message) => {
    chat.answer([reply])
    expect((await start().turn).ending).toEqual({ kind: 'answered', message })
  })

  it('stops in the middle of a word when it is told to', async () => {
    chat.answer([{ text: 'one two three four five six seven eight', betweenMs: 5_000 }])
    const { turn, stop, chunks } = start()
    await expect.poll(() => chunks.some(({ type }) => type === 'text-delta')).toBe(true)
    stop.abort(new TurnStop({ kind: 'stopped', message: 'Ann stopped it' }))
    const { ending, answer } = await turn
    expect(ending).toEqual({ kind: 'stopped', message: 'Ann stopped it' })
    expect(textOf(answer)).toMatch(/^one/)
    expect(textOf(answer)).not.toContain('eight')
  })

  it('stops a tool that works', async () => {
    const started = Promise.withResolvers<void>()
    const wait = defineTool({
      name: 'wait',
      description: 'Waits',
      input: z.strictObject({}),
      scope: 'read',
      isReadOnly: true,
      run: (_, { signal }) => {
        started.resolve()
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      },
    })
    chat.answer([{ calls: [{ name: 'wait', arguments: {} }] }])
    const { turn, stop } = start({ tools: [wait] })
    await started.promise
    stop.abort()
    expect((await turn).ending.kind).toBe('stopped')
    expect(chat.requests).toHaveLength(1)
  })

  it('shortens a long result for the model and keeps it whole', async () => {
    const long = defineTool({
      name: 'long',
      description: 'Says much',
      input: z.strictObject({}),
      scope: 'read',
      isReadOnly: true,
      run: async () => ({ text: `begin ${'x'.repeat(50_000)} end` }),
    })
    chat.answer([{ calls: [{ id: 'call_long', name: 'long', arguments: {} }] }, { text: 'ok' }])
    const { answer } = await start({ tools: [long] }).turn
    const sent = String(chat.requests[1]?.messages.at(-1)?.content)
    expect(sent.length).toBeLessThan(13_000)
    expect(sent).toContain('read_result with id "call_long"')
    expect(JSON.stringify(answer)).toContain('x'.repeat(50_000))
  })

  it('goes on where it ended: open calls are answered before the model is asked again', async () => {
    chat.answer([{ calls: [{ id: 'call_1', name: 'add', arguments: { a: 4, b: 4 } }] }, { text: 'Eight.' }])
    const first = start({ limits: { steps: 1 } })
    const { answer } = await first.turn
    expect((await first.turn).ending.kind).toBe('steps')
    expect(JSON.stringify(answer)).toContain('"text":"8"')
  })
})
