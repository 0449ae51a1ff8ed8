import { routes } from '@coherex/contract'
import { expect, test } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'

const { chat, owner } = await startAgentServer()

const source = (name: string, instructions: string) =>
  `kind: agent\nname: ${name}\ndescription: Works\ninstructions: ${instructions}\ntools: [files]\n`

async function say(threadId: string, text: string): Promise<string> {
  chat.answer([{ text: 'Done.' }])
  const before = chat.requests.length
  const headers = { 'content-type': 'application/json' }
  const path = `/api/v1/threads/${threadId}/turns`
  await (await owner.fetch(path, { method: 'POST', headers, body: JSON.stringify({ text }) })).text()
  return JSON.stringify(chat.requests.slice(before)[0]?.messages)
}

test('a conversation tries a definition that is not saved, beside the one in use', async () => {
  await owner.call(routes.agents.create, { body: { source: source('writer', 'Write in prose.') } })
  const tried = await owner.call(routes.threads.create, {
    body: { definition: source('writer', 'Write in verse.'), title: 'tried' },
  })
  expect(tried).toMatchObject({ agent: 'writer', triesDefinition: true })
  const saved = await owner.call(routes.threads.create, { body: { agent: 'writer', title: 'saved' } })
  expect(saved.triesDefinition).toBe(false)

  expect(await say(tried.id, 'Spring?')).toContain('Write in verse.')
  expect(await say(tried.id, 'And autumn?')).toContain('Write in verse.')
  expect(await say(saved.id, 'Spring?')).toContain('Write in prose.')
  const { version, source: stored } = await owner.call(routes.agents.get, { params: { name: 'writer' } })
  expect({ version, stored }).toEqual({ version: 1, stored: source('writer', 'Write in prose.') })
})

test('a definition can be tried before an agent of its name exists, and nothing is stored as an agent', async () => {
  const { id } = await owner.call(routes.threads.create, {
    body: { definition: source('new-one', 'Be new.'), title: 'tried' },
  })
  expect(await say(id, 'Hello')).toContain('Be new.')
  await expect(owner.call(routes.agents.get, { params: { name: 'new-one' } })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a definition that is not valid is refused with its line', async () => {
  const body = { definition: 'kind: agent\nname: Not A Name\n' }
  await expect(owner.call(routes.threads.create, { body })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('line 2'),
  })
})
