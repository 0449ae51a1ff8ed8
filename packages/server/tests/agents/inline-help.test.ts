import { routes, type AssistRequest } from '@coherex/contract'
import { expect, test } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'
import { startTestServer } from '../harness/test-server.ts'

const { chat, server, owner } = await startAgentServer()
const suggest = (body: { path?: string; prefix: string; suffix?: string }, person = owner) =>
  person.call(routes.models.suggest, { body: { path: 'src/sum.ts', language: 'typescript', suffix: '', ...body } })
const assist = (body: Pick<AssistRequest, 'kind' | 'text'> & Partial<AssistRequest>) =>
  owner.call(routes.models.assist, { body: { path: 'src/sum.ts', language: 'typescript', ...body } })
const lastPrompt = () => JSON.stringify(chat.requests.at(-1)?.messages)

test('a suggestion is what the model would insert, without fences and what is there already', async () => {
  chat.answer([{ text: '```ts\n  return a + b\n```' }])
  const made = await suggest({ prefix: 'function sum(a, b) {\n  ret', suffix: '\n}\n' })
  expect(made).toMatchObject({ text: 'urn a + b', model: 'compatible/other', use: { inputTokens: 100 } })
  chat.answer([{ text: '  return a + b;' }])
  expect(await suggest({ prefix: 'function sum(a, b) {\n  return a', suffix: ';\n}\n' })).toMatchObject({
    text: ' + b',
  })
  expect(lastPrompt()).toContain('return a<cursor/>;')
  chat.answer([{ text: '  \n' }])
  expect(await suggest({ prefix: 'x' })).toMatchObject({ text: '' })
})

test('an edit is a change of the whole file that nobody made yet, within the selection', async () => {
  const text = 'const a = 1\nconst b = 2\nconst c = 3\n'
  chat.answer([{ text: 'Here:\n\n```ts\nconst b = 20\n```\n\nTen times as much.' }])
  const selection = { from: 12, to: 24 }
  const { answer, change } = await assist({ kind: 'edit', text, selection, instruction: 'Ten times b' })
  expect(answer).toBe('Here:\n\n\n\nTen times as much.')
  expect(change).toMatchObject({ path: 'src/sum.ts', change: 'changed', text: text.replace('2', '20') })
  expect(change?.diff).toContain('-const b = 2\n+const b = 20\n')
  expect(lastPrompt()).toContain('<marked>const b = 2\\n</marked>')
  expect(lastPrompt()).toContain('Ten times b')
})

test('a fix carries the error, a test is a new file, and an explanation is text', async () => {
  chat.answer([{ text: '```\nsum(1)\n```' }])
  const fixed = await assist({ kind: 'fix', text: 'sum()', error: 'TypeError: missing a number' })
  expect(fixed.change?.text).toBe('sum(1)')
  expect(lastPrompt()).toContain('TypeError: missing a number')
  chat.answer([{ text: '```py\ndef test_sum():\n    assert sum(1) == 1\n```\nOne case.' }])
  expect(await assist({ kind: 'test', path: 'lib/sum.py', text: 'def sum(a): return a' })).toMatchObject({
    answer: 'One case.',
    change: { path: 'lib/test_sum.py', change: 'added', text: 'def test_sum():\n    assert sum(1) == 1\n' },
  })
  chat.answer([{ text: '<img src=x onerror=alert(1)> It **adds**.' }])
  expect(await assist({ kind: 'explain', text: 'a + b' })).toMatchObject({
    answer: '<img src=x onerror=alert(1)> It **adds**.',
    change: null,
  })
  // an answer with nothing to write is an answer
  chat.answer([{ text: 'There is nothing to mend.' }])
  expect(await assist({ kind: 'fix', text: 'a' })).toMatchObject({ answer: 'There is nothing to mend.', change: null })
})

test('secrets are not sent: neither those of the team nor keys nor files of them', async () => {
  await owner.call(routes.secrets.put, { params: { name: 'PARTNER' }, body: { value: 'correct horse battery' } })
  chat.answer([{ text: 'call("<secret-1>")' }])
  const prefix = `login("correct horse battery", "ghp_${'a1'.repeat(18)}")\n`
  expect(await suggest({ prefix })).toMatchObject({ text: 'call("correct horse battery")' })
  expect(lastPrompt()).not.toContain('correct horse')
  expect(lastPrompt()).not.toContain('ghp_')
  const asked = chat.requests.length
  for (const path of ['.env', 'app/.env.local', 'keys/server.pem', '.ssh/id_ed25519']) {
    await expect(suggest({ path, prefix: 'A=' })).rejects.toMatchObject({ code: 'invalid_input' })
  }
  expect(chat.requests).toHaveLength(asked)
  await suggest({ path: '.env.example', prefix: 'A=' })
})

test.each<[string, Partial<AssistRequest>]>([
  ['an edit without an instruction', { kind: 'edit' }],
  ['a selection beyond the text', { selection: { from: 0, to: 9 } }],
  ['an empty selection', { selection: { from: 1, to: 1 } }],
  ['a file beyond its limit', { text: 'a'.repeat(100_001) }],
  ['a path that leaves the workspace', { path: '../etc/passwd' }],
])('%s is refused', async (_, body) => {
  await expect(assist({ kind: 'explain', text: 'abc', ...body })).rejects.toMatchObject({ code: 'invalid_input' })
})

test('a viewer and a key that only reads may not ask, and a provider that fails is named', async () => {
  const viewer = await server.invite(owner, 'viewer')
  await expect(suggest({ prefix: 'a' }, viewer)).rejects.toMatchObject({ code: 'forbidden' })
  chat.answer([{ status: 500 }])
  await expect(suggest({ prefix: 'a' })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('Cannot suggest code: The provider answered with an error 500'),
  })
})

test('hanging up ends the call of the model, and what it read is counted', async () => {
  chat.answer([{ hangs: true }])
  const superuser = await server.database.superuser()
  const calls = async () =>
    (
      await superuser.query<{ calls: number; tokens: number }>(
        `SELECT calls::int, input_tokens::int AS tokens FROM coherex.model_use WHERE purpose = 'suggestion'`,
      )
    ).rows[0]
  const before = await calls()
  const gone = new AbortController()
  const asked = chat.requests.length
  const request = owner
    .call(
      routes.models.suggest,
      { body: { path: 'a.ts', prefix: 'x'.repeat(4_000), suffix: '' } },
      { signal: gone.signal },
    )
    .catch((error: unknown) => error as Error)
  await expect.poll(() => chat.requests.length).toBe(asked + 1)
  gone.abort()
  await request
  await expect.poll(async () => (await calls())?.calls).toBe((before?.calls ?? 0) + 1)
  expect((await calls())?.tokens).toBeGreaterThan((before?.tokens ?? 0) + 1_000)
  await superuser.end()
})

test('the cost of inline help counts in the month of the team and in the budget of the person', async () => {
  chat.answer([{ text: 'b' }])
  const person = await server.invite(owner, 'editor')
  await suggest({ prefix: 'a' }, person)
  const superuser = await server.database.superuser()
  const spent = async () => (await owner.call(routes.teams.quotas, {})).used['spendUsdPerMonth'] ?? 0
  const before = await spent()
  await superuser.query(`UPDATE coherex.model_use SET cost_usd = 3 WHERE person_id = $1`, [person.me.person.id])
  expect(await spent()).toBeCloseTo(before + 3)
  await owner.call(routes.teams.setQuotas, { body: { inlineHelpUsdPerPerson: 3 } })
  await expect(suggest({ prefix: 'a' }, person)).rejects.toMatchObject({
    code: 'quota_exceeded',
    details: { quota: 'inlineHelpUsdPerPerson' },
  })
  // another person's budget is their own
  await suggest({ prefix: 'a' })
  await owner.call(routes.teams.setQuotas, { body: { spendUsdPerMonth: 3, inlineHelpUsdPerPerson: 100 } })
  await expect(suggest({ prefix: 'a' })).rejects.toMatchObject({ details: { quota: 'spendUsdPerMonth' } })
  await owner.call(routes.teams.setQuotas, { body: { spendUsdPerMonth: 100 } })
  await superuser.end()
})

test('a person who asks without pause is told to slow down', async () => {
  chat.answer([{ text: 'b' }])
  const person = await server.invite(owner, 'editor')
  const answers = await Promise.allSettled(Array.from({ length: 40 }, () => suggest({ prefix: 'a' }, person)))
  const refused = answers.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(40)
})

test('without a model the answer says who sets one', async () => {
  const bare = await startTestServer()
  const stranger = await bare.owner()
  await expect(suggest({ prefix: 'a' }, stranger)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('No model is set up'),
  })
  await bare.stop()
})
