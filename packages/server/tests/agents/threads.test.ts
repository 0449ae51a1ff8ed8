import { routes, type Thread } from '@coherex/contract'
import { describe, expect, it } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'
import { watchStretch } from '../harness/load/machine-stretch.ts'
import { startTestServer } from '../harness/test-server.ts'

const { chat, server, owner } = await startAgentServer()

const create = (body: object = {}) => owner.call(routes.threads.create, { body })

/** Says something and reads the whole stream. */
async function say(id: string, text: string, more: object = {}): Promise<{ id: string; data: string }[]> {
  const response = await owner.fetch(`/api/v1/threads/${id}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text, ...more }),
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
  return parseEvents(await response.text())
}

function parseEvents(text: string): { id: string; data: string }[] {
  return text
    .split('\n\n')
    .filter((event) => event.includes('data: '))
    .map((event) => ({
      id: /^id: (.*)$/m.exec(event)?.[1] ?? '',
      data: /^data: (.*)$/m.exec(event)?.[1] ?? '',
    }))
}

const textOf = (thread: Thread, index: number) =>
  thread.messages
    .at(index)
    ?.parts.map((part) => (part.type === 'text' ? String(part['text']) : ''))
    .join('')

describe('a thread', () => {
  it('begins with its first message in one request, and one that cannot be said leaves nothing behind', async () => {
    let say = () => {}
    const asked = new Promise<void>((resolve) => (say = resolve))
    chat.answer((request) =>
      request.tools.length > 0 ? { text: 'Hello to you.', halfway: asked } : { text: 'Greetings' },
    )
    const { turn, messages, ...thread } = await create({ message: { text: 'Hello' } })
    expect(turn).toMatchObject({ threadId: thread.id, questionId: messages[0]?.id, answerId: messages[1]?.id })
    expect(thread.turnId).toBe(turn?.id)
    const following = await owner.fetch(`/api/v1/threads/${thread.id}/stream`)
    say()
    const stream = await following.text()
    expect(JSON.parse(parseEvents(stream)[0]?.data ?? '')).toEqual({
      type: 'start',
      messageId: turn?.answerId,
      messageMetadata: { turnId: turn?.id, before: 0 },
    })
    const ids = async () => (await owner.call(routes.threads.list, {})).items.map(({ id }) => id)
    const before = await ids()
    const refused = create({ message: { text: 'Hello' }, model: 'anthropic/claude-sonnet-5' })
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('Anthropic') })
    expect(await ids()).toEqual(before)
  })

  it('streams an answer, keeps it with its cost, and gets a title', async () => {
    chat.answer((request) =>
      request.tools.length > 0 ? { text: 'Good morning to you.' } : { text: 'A friendly greeting' },
    )
    const { id } = await create()
    const events = await say(id, 'Good morning')
    expect(events.at(-1)?.data).toBe('[DONE]')
    const types = events.slice(0, -1).map(({ data }) => (JSON.parse(data) as { type: string }).type)
    expect(types[0]).toBe('start')
    expect(types).toContain('text-delta')
    expect(types.at(-1)).toBe('finish')

    await expect
      .poll(async () => (await owner.call(routes.threads.get, { params: { id } })).title)
      .toBe('A friendly greeting')
    const thread = await owner.call(routes.threads.get, { params: { id } })
    expect(thread.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(textOf(thread, 1)).toBe('Good morning to you.')
    expect(thread.activity).toBe('idle')
    // of the answer and of the title; what the model costs is not known
    expect(thread.use).toMatchObject({ inputTokens: 200, outputTokens: 20, costUsd: null })
  })

  it('is resumed without a gap or a repeat after the line was lost', async () => {
    const isBack = Promise.withResolvers<void>()
    const text = Array.from({ length: 40 }, (_, i) => `w${i} `).join('')
    chat.answer([{ text, betweenMs: 20, halfway: isBack.promise }])
    const { id } = await create({ title: 'resume' })
    const { id: turnId } = await owner.call(routes.threads.turn, {
      params: { id },
      query: { wait: 'false' },
      body: { text: 'Count' },
    })
    const first = await owner.fetch(`/api/v1/threads/${id}/stream`)
    let seen = ''
    for await (const piece of first.body ?? []) {
      seen += new TextDecoder().decode(piece as Uint8Array)
      if ((seen.match(/text-delta/g) ?? []).length >= 5) break
    }
    const before = parseEvents(seen.slice(0, seen.lastIndexOf('\n\n') + 2))
    const last = before.at(-1)?.id ?? ''
    const rest = await owner.fetch(`/api/v1/threads/${id}/stream`, { headers: { 'last-event-id': last } })
    // only now it says the rest
    isBack.resolve()
    expect([first.status, rest.status]).toEqual([200, 200])
    const after = parseEvents(await rest.text())
    const numbers = [...before, ...after].filter((event) => event.id).map((event) => event.id)
    expect(numbers).toEqual(numbers.map((_, index) => `${turnId}:${index}`))
    const thread = await owner.call(routes.threads.get, { params: { id } })
    expect(textOf(thread, 1)).toMatch(/^w0 w1 .*w39 $/)
    expect((await owner.fetch(`/api/v1/threads/${id}/stream`)).status).toBe(204)
  })

  it('has one turn at a time, and a person can stop it within a second', async () => {
    chat.answer([{ text: 'on and on and on and on', betweenMs: 2_000 }])
    const { id } = await create({ title: 'stop' })
    const turn = await owner.call(routes.threads.turn, {
      params: { id },
      query: { wait: 'false' },
      body: { text: 'Go on' },
    })
    // whoever wants to hear the answer, or to begin a branch, is refused; what else is said waits (turns.12)
    const again = owner.call(routes.threads.turn, { params: { id }, body: { text: 'And?' } })
    await expect(again).rejects.toMatchObject({ code: 'conflict' })
    const body = { text: 'Other', parentId: null }
    const branch = owner.call(routes.threads.turn, { params: { id }, query: { wait: 'false' }, body })
    await expect(branch).rejects.toMatchObject({ code: 'conflict' })
    const machine = watchStretch()
    const asked = performance.now()
    const stopped = await owner.call(routes.threads.stop, { params: { id: turn.id } })
    expect(performance.now() - asked).toBeLessThan(1_000 * machine.stop())
    expect(stopped).toMatchObject({ status: 'stopped', ending: { message: 'Olga Owner stopped it' } })
  })

  it('is stopped within a second in a tool too, and what the tool ran ends', async () => {
    chat.answer([
      { calls: [{ name: 'run_code', arguments: { language: 'python', code: 'import time\ntime.sleep(600)' } }] },
      { text: 'Done.' },
    ])
    const { id } = await create({ title: 'stop a tool' })
    const body = { text: 'Sleep' }
    const turn = await owner.call(routes.threads.turn, { params: { id }, query: { wait: 'false' }, body })
    const statuses = async () => {
      const { items } = await owner.call(routes.runs.list, { query: { limit: 1 } })
      return items.map(({ status }) => status)
    }
    await expect.poll(statuses, { timeout: 20_000 }).toEqual(['running'])
    const { activity } = await owner.call(routes.threads.get, { params: { id } })
    expect(activity).toBe('executing')
    const machine = watchStretch()
    const asked = performance.now()
    const stopped = await owner.call(routes.threads.stop, { params: { id: turn.id } })
    expect(performance.now() - asked).toBeLessThan(1_000 * machine.stop())
    expect(stopped.status).toBe('stopped')
    await expect.poll(statuses).toEqual(['cancelled'])
  }, 40_000)

  it('takes images to the model, and its agent adds up what its turns took', async () => {
    const coder = async () => (await owner.call(routes.agents.get, { params: { name: 'coder' } })).use
    const before = await coder()
    chat.answer([{ text: 'A dot.', tokens: { input: 70, output: 3 } }])
    const { id } = await create({ title: 'image' })
    const text = Buffer.from('no image').toString('base64')
    const files = [{ name: 'fake.png', mediaType: 'image/png', base64: text }]
    const fake = owner.call(routes.threads.turn, { params: { id }, body: { text: 'What is this?', files } })
    await expect(fake).rejects.toThrow('files.0.base64: is no image of that type')
    const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await say(id, 'What is this?', { files: [{ name: 'dot.png', mediaType: 'image/png', base64 }] })
    expect(chat.requests.at(-1)?.messages.at(-1)?.content).toEqual([
      { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
      { type: 'text', text: 'What is this?' },
    ])
    const after = await coder()
    expect(after).toMatchObject({
      turns: before.turns + 1,
      inputTokens: before.inputTokens + 70,
      outputTokens: before.outputTokens + 3,
    })
    expect(after.durationMs).toBeGreaterThan(before.durationMs)
  })

  it('stands first in the list when it is pinned', async () => {
    const { id } = await create({ title: 'pinned' })
    await create({ title: 'newer' })
    await owner.call(routes.threads.change, { params: { id }, body: { pinned: true } })
    const { items } = await owner.call(routes.threads.list, {})
    expect(items[0]).toMatchObject({ id, pinned: true })
    await owner.call(routes.threads.change, { params: { id }, body: { pinned: false } })
  })

  it('branches where a message is edited, answers again, and shows either branch', async () => {
    chat.answer(({ messages }) => ({ text: `You said ${JSON.stringify(messages.at(-1)?.content)}` }))
    const { id } = await create({ title: 'branches' })
    await say(id, 'one')
    await say(id, 'two')
    const before = await owner.call(routes.threads.get, { params: { id } })
    const [first, answer, second] = before.messages
    await say(id, 'two, edited', { parentId: answer?.id })
    const edited = await owner.call(routes.threads.get, { params: { id } })
    expect(edited.messages).toHaveLength(4)
    expect(textOf(edited, 2)).toBe('two, edited')
    expect(edited.messages[2]?.siblings).toHaveLength(2)

    const shown = await owner.call(routes.threads.change, { params: { id }, body: { head: second?.id ?? '' } })
    expect(textOf(shown, 2)).toBe('two')
    expect(shown.messages).toHaveLength(4)

    await owner.call(routes.threads.regenerate, {
      params: { id, messageId: answer?.id ?? '' },
      query: { wait: 'false' },
      body: {},
    })
    await expect.poll(async () => (await owner.call(routes.threads.get, { params: { id } })).activity).toBe('idle')
    const regenerated = await owner.call(routes.threads.get, { params: { id } })
    expect(regenerated.messages.map(({ id: messageId }) => messageId)).toEqual([first?.id, expect.anything()])
    expect(regenerated.messages[1]?.siblings).toHaveLength(2)
  })

  it('is found by what was said in it, exported and brought in again', async () => {
    chat.answer([{ text: 'The zebra crossed the street.' }])
    const { id } = await create({ title: 'Animals' })
    await say(id, 'What did the animal do?')
    const found = await owner.call(routes.threads.list, { query: { search: 'zebra' } })
    expect(found.items.map((thread) => thread.id)).toEqual([id])

    const exported = await owner.fetch(`/api/v1/threads/${id}/export`)
    expect(exported.headers.get('content-type')).toBe('application/json')
    const json = await exported.text()
    const markdown = await (await owner.fetch(`/api/v1/threads/${id}/export?format=markdown`)).text()
    expect(markdown).toContain('The zebra crossed the street.')
    const copy = await owner.call(routes.threads.import, { body: JSON.parse(json) as never })
    expect(copy.id).not.toBe(id)
    expect(textOf(copy, 1)).toBe('The zebra crossed the street.')
    const read = await owner.call(routes.threads.import, { body: { kind: 'markdown', text: markdown } })
    expect(read).toMatchObject({
      title: 'Animals',
      agent: 'coder',
      messages: [{ role: 'user' }, { role: 'assistant' }],
    })
    expect(textOf(read, 1)).toBe('The zebra crossed the street.')
    const damaged = json.replace('"The zebra crossed the street."', '12')
    const refused = owner.call(routes.threads.import, { body: JSON.parse(damaged) as never })
    await expect(refused).rejects.toThrow(/^messages\.1\.parts\.\d\.text: /)
  })

  it('has the words of its question as its title until there is a better one, also when the model fails', async () => {
    chat.answer([{ status: 404 }])
    const { id } = await create({})
    await say(id, 'Where is\nthe station?')
    const failed = await owner.call(routes.threads.get, { params: { id } })
    expect(failed).toMatchObject({ title: 'Where is', use: { durationMs: expect.any(Number) } })
    const { items } = await owner.call(routes.threads.turns, { query: { threadId: id } })
    expect(items[0]?.ending?.message).toBe(`The provider does not know the model ${items[0]?.model}`)

    // another model is picked, and the same turn goes on with it
    chat.answer(({ model, tools }) => (tools.length === 0 ? { text: 'The station' } : { text: `I am ${model}` }))
    await owner.call(routes.threads.change, { params: { id }, body: { model: 'compatible/picked' } })
    await (await owner.fetch(`/api/v1/turns/${items[0]?.id}/continue`, { method: 'POST' })).text()
    const thread = await owner.call(routes.threads.get, { params: { id } })
    expect(textOf(thread, 1)).toBe('I am picked')
    await expect.poll(async () => (await owner.call(routes.threads.get, { params: { id } })).title).toBe('The station')
  })

  it('begins anew when it is cleared, and the model sees nothing of before', async () => {
    chat.answer([{ text: 'ok' }])
    const { id } = await create({ title: 'clear' })
    await say(id, 'a secret word')
    const cleared = await owner.call(routes.threads.clear, { params: { id } })
    expect(cleared.messages).toEqual([])
    chat.requests.length = 0
    await say(id, 'what did I say?')
    expect(JSON.stringify(chat.requests[0]?.messages)).not.toContain('a secret word')
  })

  it('ends with the reason when a limit is reached, and a person can let it go on', async () => {
    chat.answer(({ messages }) =>
      messages.filter(({ role }) => role === 'tool').length < 3
        ? { calls: [{ name: 'list_files', arguments: {} }] }
        : { text: 'Now I know.' },
    )
    await owner.call(routes.agents.create, {
      body: {
        source:
          'kind: agent\nname: short\ndescription: Ends early\ninstructions: Look.\ntools: [files]\nlimits: { steps: 2 }\n',
      },
    })
    const { id } = await create({ agent: 'short', title: 'limits' })
    const events = await say(id, 'Look around')
    expect(events.map(({ data }) => data).join()).toContain('It took all of its 2 steps')
    const { items } = await owner.call(routes.threads.turns, { query: { threadId: id } })
    expect(items[0]).toMatchObject({ status: 'failed', ending: { kind: 'steps' }, steps: [{}, {}] })
    const response = await owner.fetch(`/api/v1/turns/${items[0]?.id}/continue`, { method: 'POST' })
    await response.text()
    const thread = await owner.call(routes.threads.get, { params: { id } })
    expect(thread.messages).toHaveLength(2)
    expect(textOf(thread, 1)).toBe('Now I know.')
  })

  it('is refused a turn when the team has spent its month, and everyone sees how much that was', async () => {
    chat.answer(() => ({ text: 'Hm.' }))
    const { id } = await create({ title: 'expensive' })
    await say(id, 'Think long')
    const database = await server.database.superuser()
    await database.query(`UPDATE coherex.turn SET cost_usd = 1.5 WHERE thread_id = $1`, [id])
    await database.query(`UPDATE coherex.turn SET cost_usd = 0 WHERE thread_id <> $1`, [id])
    await owner.call(routes.teams.setQuotas, { body: { spendUsdPerMonth: 1.5 } })
    expect((await owner.call(routes.teams.quotas, {})).used).toMatchObject({ turnsAtOnce: 0, spendUsdPerMonth: 1.5 })
    const turn = () =>
      owner.call(routes.threads.turn, { params: { id }, query: { wait: 'false' }, body: { text: 'On' } })
    await expect(turn()).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: "The team's quota is used up: 1.5 US dollars a month",
      retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 31 * 86_400),
    })
    // what last month cost counts no more
    await database.query(`UPDATE coherex.turn SET created_at = created_at - interval '31 days' WHERE thread_id = $1`, [
      id,
    ])
    await database.end()
    await say(id, 'On')
    await owner.call(routes.teams.setQuotas, { body: { spendUsdPerMonth: 100 } })
  })

  it('says how to add a model when there is none', async () => {
    const bare = await startTestServer()
    const person = await bare.owner()
    const { id } = await person.call(routes.threads.create, { body: {} })
    const turn = person.call(routes.threads.turn, { params: { id }, query: { wait: 'false' }, body: { text: 'Hi' } })
    await expect(turn).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Settings, Models'),
    })
    await bare.stop()
  })
})
