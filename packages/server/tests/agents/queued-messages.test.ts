import { routes, type Thread } from '@coherex/contract'
import { describe, expect, it } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'
import type { ChatRequest } from '../harness/outside/chat-server.ts'
import type { TestPerson } from '../harness/test-server.ts'

const { chat, server, owner } = await startAgentServer()
const bash = (command: string) => ({ name: 'bash', arguments: { command } })

const nothing: ChatRequest = { model: '', messages: [], tools: [], stream: true, authorization: undefined }

/** What the model was sent, by role and in words. */
const wordsOf = ({ messages }: ChatRequest) =>
  messages
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .map(({ role, content }) => `${role}: ${typeof content === 'string' ? content : JSON.stringify(content ?? '')}`)

async function begin(text: string): Promise<string> {
  return (await owner.call(routes.threads.create, { body: { title: 'Queue', reach: 'team', message: { text } } })).id
}
const say = (person: TestPerson, id: string, text: string) =>
  person.call(routes.threads.turn, { params: { id }, query: { wait: 'false' }, body: { text } })
const get = (id: string): Promise<Thread> => owner.call(routes.threads.get, { params: { id } })
const untilIdle = (id: string) => {
  const look = async () => {
    const { activity, queued } = await get(id)
    return [activity, queued.length]
  }
  return expect.poll(look, { timeout: 30_000 }).toEqual(['idle', 0])
}
const textsOf = ({ messages }: Thread) =>
  messages.map(({ role, parts }) => [
    role,
    parts.flatMap(({ text }) => (text === undefined ? [] : String(text))).join(),
  ])

describe('a message that is said while the agent works', () => {
  it('[turns.12] steers the turn of the same person before its next model call, and is part of its answer', async () => {
    const heard = Promise.withResolvers<void>()
    const open = Promise.withResolvers<void>()
    chat.answer(async ({ messages }) => {
      if (messages.some(({ role }) => role === 'tool')) return { text: 'Both done.' }
      heard.resolve()
      await open.promise
      return { text: 'I begin.', calls: [bash('echo one')] }
    })
    const from = chat.requests.length
    const id = await begin('Do one thing')
    await heard.promise
    const { turnId } = await get(id)
    const said = await say(owner, id, 'And another')
    expect(said).toMatchObject({ id: turnId, queued: { text: 'And another', problem: null } })
    expect((await get(id)).queued).toMatchObject([{ text: 'And another', createdBy: { name: 'Olga Owner' } }])
    const stream = owner.fetch(`/api/v1/threads/${id}/stream`).then((response) => response.text())
    open.resolve()
    await untilIdle(id)

    const thread = await get(id)
    expect(textsOf(thread)).toEqual([
      ['user', 'Do one thing'],
      ['assistant', 'I begin.,Both done.'],
    ])
    expect(thread.messages[1]?.parts.map(({ type }) => type)).toEqual([
      ...['step-start', 'text', 'tool-bash', 'data-said', 'step-start', 'text'],
    ])
    expect((await stream).match(/"type":"data-said"/g)).toHaveLength(1)
    const last = chat.requests.slice(from).findLast(({ tools }) => tools.length > 0)
    expect(last && wordsOf(last)).toEqual(['user: Do one thing', 'assistant: I begin.', 'user: And another'])
    // found with the conversation, and told again in the next turn
    const found = await owner.call(routes.threads.list, { query: { search: 'And another' } })
    expect(found.items.map((one) => one.id)).toContain(id)
    chat.answer([{ text: 'Yes.' }])
    await say(owner, id, 'Thanks?')
    await untilIdle(id)
    expect(wordsOf(chat.requests.at(-1) ?? nothing)).toEqual([
      ...['user: Do one thing', 'assistant: I begin.', 'user: And another', 'assistant: Both done.', 'user: Thanks?'],
    ])
  }, 60_000)

  it('[turns.12] begins a turn of its own after one that makes no further call, however that ended', async () => {
    const heard = Promise.withResolvers<void>()
    chat.answer([{ text: 'on and on', hangs: true }])
    const id = await begin('First')
    await expect.poll(async () => (await get(id)).turnId).not.toBe(null)
    const { turnId } = await get(id)
    await say(owner, id, 'Second')
    await say(owner, id, 'Third')
    chat.answer(({ messages }) => {
      heard.resolve()
      return { text: `You said ${String(messages.at(-1)?.content)}` }
    })
    await owner.call(routes.threads.stop, { params: { id: turnId ?? '' } })
    await heard.promise
    await untilIdle(id)
    // the third steers the turn that the second has begun
    expect(wordsOf(chat.requests.at(-1) ?? nothing)).toEqual(['user: First', 'user: Second', 'user: Third'])
    expect(textsOf(await get(id))).toEqual([
      ...[
        ['user', 'First'],
        ['assistant', ''],
        ['user', 'Second'],
      ],
      ['assistant', 'You said Third'],
    ])
  }, 60_000)

  it('[turns.12] of another person or key steers nothing: it acts with its own rights, after the turn', async () => {
    const open = Promise.withResolvers<void>()
    chat.answer(async ({ messages }) => {
      if (messages.some(({ role }) => role === 'tool')) return { text: 'Done.' }
      await open.promise
      return { calls: [bash('echo one')] }
    })
    const editor = await server.invite(owner, 'editor')
    const id = await begin('Do it')
    await owner.call(routes.threads.change, { params: { id }, body: { title: 'For two' } })
    await say(editor, id, 'Do mine')
    open.resolve()
    await untilIdle(id)
    const { items } = await owner.call(routes.threads.turns, { query: { threadId: id } })
    expect(items.map(({ createdBy }) => createdBy.name).toReversed()).toEqual(['Olga Owner', 'editor 1'])
  }, 60_000)

  it('is changed and taken back by its author only, and one that cannot be said waits with the reason', async () => {
    chat.answer([{ text: 'never', hangs: true }])
    const editor = await server.invite(owner, 'editor')
    const id = await begin('Hang')
    const first = (await say(owner, id, 'One')).queued?.id ?? ''
    const second = (await say(owner, id, 'Two')).queued?.id ?? ''
    const change = (person: TestPerson, messageId: string, text: string) =>
      person.call(routes.threads.changeQueued, { params: { id, messageId }, body: { text } })
    const remove = (person: TestPerson, messageId: string) =>
      person.call(routes.threads.removeQueued, { params: { id, messageId } })
    await expect(change(editor, first, 'Mine')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(remove(editor, first)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await change(owner, first, 'Once')).toMatchObject({ id: first, text: 'Once' })
    await remove(owner, second)
    await expect(remove(owner, second)).rejects.toMatchObject({ code: 'not_found' })
    expect((await get(id)).queued.map(({ text }) => text)).toEqual(['Once'])
    for (let count = 1; count < 20; count++) await say(owner, id, `More ${count}`)
    await expect(say(owner, id, 'Too many')).rejects.toMatchObject({ code: 'quota_exceeded' })
    for (const { id: messageId } of (await get(id)).queued.slice(1)) await remove(owner, messageId)

    await owner.call(routes.threads.change, { params: { id }, body: { model: 'anthropic/claude-sonnet-5' } })
    await owner.call(routes.threads.stop, { params: { id: (await get(id)).turnId ?? '' } })
    await expect.poll(async () => String((await get(id)).queued[0]?.problem)).toMatch('Anthropic is not set up')
    await owner.call(routes.threads.change, { params: { id }, body: { model: null } })
    chat.answer([{ text: 'Now.' }])
    await change(owner, first, 'Once more')
    // it is idle, too, until the turn has begun
    await expect
      .poll(async () => textsOf(await get(id)).slice(-2))
      .toEqual([
        ['user', 'Once more'],
        ['assistant', 'Now.'],
      ])
    await untilIdle(id)
  }, 60_000)
})
