import { createOpener, followTurn, routes, turnChunk } from '@coherex/contract'
import { AbstractChat, DefaultChatTransport, type UIMessage } from 'ai'
import { expect, test } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'

const { chat, server, owner } = await startAgentServer()
const { key } = await owner.call(routes.keys.create, { body: { name: 'chat', scopes: ['run'] } })

/** What `useChat` keeps in React, kept in an object. */
class PlainChat extends AbstractChat<UIMessage> {
  constructor(threadId: string) {
    const messages: UIMessage[] = []
    super({
      transport: new DefaultChatTransport({
        api: `${server.url}/api/v1/threads/${threadId}/turns`,
        headers: { authorization: `Bearer ${key}` },
        prepareSendMessagesRequest: ({ messages: all }) => ({
          body: {
            text: all
              .at(-1)
              ?.parts.map((part) => (part.type === 'text' ? part.text : ''))
              .join(''),
          },
        }),
      }),
      state: {
        status: 'ready',
        error: undefined,
        messages,
        pushMessage: (message) => void messages.push(message),
        popMessage: () => void messages.pop(),
        replaceMessage: (index, message) => void (messages[index] = message),
        snapshot: structuredClone,
      },
    })
  }
}

const createChat = async (agent = 'coder') => {
  const { id } = await owner.call(routes.threads.create, { body: { agent, title: 'chat' } })
  return new PlainChat(id)
}
const partsOf = ({ lastMessage }: PlainChat) => lastMessage?.parts.map(({ type }) => type)

test('each chunk of a turn is a turnChunk of the contract', async () => {
  chat.answer([{ calls: [{ name: 'list_files', arguments: {} }] }, { status: 500 }, { text: 'Done' }, { status: 401 }])
  const { id: threadId } = await owner.call(routes.threads.create, { body: { agent: 'coder', title: 'chunks' } })
  const open = createOpener({ baseUrl: server.url, fetch, key })
  const types = new Set<string>()
  for (const text of ['Look', 'Again']) {
    for await (const { chunk } of followTurn({ open, routes }, { threadId, said: { text } })) {
      expect(turnChunk.parse(chunk)).toEqual(chunk)
      types.add(chunk.type)
    }
  }
  const ours = ['start', 'data-retry', 'data-ending', 'error', 'finish']
  expect([...types]).toEqual(expect.arrayContaining([...ours, 'tool-output-error', 'text-delta', 'finish-step']))
})

test('useChat shows the error of a model that failed, after the part that says how the turn ended', async () => {
  chat.answer([{ status: 401 }])
  const talk = await createChat()
  await talk.sendMessage({ text: 'Hello' })
  const message = expect.stringContaining('The provider refused the key') as string
  expect(talk).toMatchObject({ status: 'error', error: { message } })
  expect(partsOf(talk)).toEqual(['data-ending'])
})

test('useChat shows no error for a turn that met a limit', async () => {
  const source =
    'kind: agent\nname: brief\ndescription: Ends\ninstructions: Look.\ntools: [files]\nlimits: { steps: 1 }\n'
  await owner.call(routes.agents.create, { body: { source } })
  chat.answer([{ calls: [{ name: 'list_files', arguments: {} }] }])
  const talk = await createChat('brief')
  await talk.sendMessage({ text: 'Look' })
  expect(talk).toMatchObject({ status: 'ready', error: undefined })
  expect(partsOf(talk)).toContain('data-ending')
})

test('useChat shows the error of a turn that ended in the queue, where no server worked on it', async () => {
  const source = 'kind: agent\nname: brittle\ndescription: Goes\ninstructions: Go.\ntools: [files]\n'
  await owner.call(routes.agents.create, { body: { source } })
  await owner.call(routes.teams.setQuotas, { body: { turnsAtOnce: 1 } })
  const goOn = Promise.withResolvers<void>()
  chat.answer([{ text: 'One two', halfway: goOn.promise }])
  const first = await createChat()
  const working = first.sendMessage({ text: 'Work' })
  await expect.poll(() => first.status).toBe('streaming')
  const second = await createChat('brittle')
  const waiting = second.sendMessage({ text: 'Wait' })
  const queued = () => owner.call(routes.threads.turns, { query: { status: 'queued' } })
  await expect.poll(async () => (await queued()).items.length).toBe(1)
  await owner.call(routes.agents.remove, { params: { name: 'brittle' } })
  goOn.resolve()
  await Promise.all([working, waiting])
  expect(first.status).toBe('ready')
  expect(second).toMatchObject({ status: 'error', error: { message: expect.stringContaining('brittle') as string } })
})
