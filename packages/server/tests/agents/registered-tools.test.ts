import { routes } from '@coherex/contract'
import { beforeAll, expect, test } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'

const { chat, owner } = await startAgentServer()

const files = (field: string) => ({
  'tool.yaml': `kind: tool
name: add-up
description: Adds two numbers
language: javascript
licence: MIT
input: { type: object, required: [a, ${field}], properties: { a: { type: number }, ${field}: { type: number } } }
output: { type: number }
tests: [{ name: small, input: { a: 1, ${field}: 2 }, output: 3 }]
`,
  'main.js': `export default (env, input) => input.a + input.${field}\n`,
})

async function publish(field: string) {
  await owner.call(routes.tools.save, { body: { files: files(field) } })
  const { published } = await owner.call(routes.tools.publishVersion, { params: { name: 'add-up' }, body: {} })
  expect(published).toBe(true)
}

async function define(name: string, tool: string) {
  const source = `kind: agent\nname: ${name}\ndescription: Works\ninstructions: Work.\ntools: [${tool}]\n`
  return owner.call(routes.agents.create, { body: { source } })
}

async function ask(agent: string, input: object) {
  chat.answer([{ calls: [{ name: 'tool_add_up', arguments: input }] }, { text: 'Done.' }])
  const before = chat.requests.length
  const { id } = await owner.call(routes.threads.create, { body: { agent, title: 'work' } })
  const body = JSON.stringify({ text: 'Please' })
  const headers = { 'content-type': 'application/json' }
  await (await owner.fetch(`/api/v1/threads/${id}/turns`, { method: 'POST', headers, body })).text()
  const requests = chat.requests.slice(before)
  const told = requests.flatMap(({ messages }) => messages).filter(({ role }) => role === 'tool')
  return {
    offered: requests[0]?.tools.find((tool) => tool.function.name === 'tool_add_up')?.function,
    told: String(told.at(-1)?.content),
  }
}

beforeAll(() => publish('b'))

test('an agent calls a published tool with its schema; a pinned one stays when a breaking version comes', async () => {
  expect(await define('newest', 'tool:add-up')).toMatchObject({ status: 'active', needs: [] })
  expect(await define('pinned', 'tool:add-up@1')).toMatchObject({ status: 'active', needs: [] })
  const { offered, told } = await ask('newest', { a: 1, b: 2 })
  expect(offered).toMatchObject({ description: 'Adds two numbers', parameters: { required: ['a', 'b'] } })
  expect(told).toBe('3')
  expect((await ask('newest', { a: 1 })).told).toContain('The input does not fit the schema: b is missing')

  await publish('c')
  expect((await ask('pinned', { a: 2, b: 2 })).told).toBe('4')
  expect((await ask('newest', { a: 2, b: 2 })).told).toContain('c is missing')
  const { items } = await owner.call(routes.runs.list, {})
  const run = await owner.call(routes.runs.get, { params: { id: items[0]?.id ?? '' } })
  expect(run.startedBy).toMatchObject({ kind: 'agent', name: 'pinned' })
})

test('a version that was never published is no tool of an agent', async () => {
  await owner.call(routes.tools.save, { body: { files: files('d') } })
  const { status, needs } = await define('early', 'tool:add-up@3')
  expect(status).toBe('draft')
  expect(needs).toMatchObject([{ kind: 'tool', message: 'Version 3 of the tool "add-up" was never published' }])
})

test.each([
  ['tool:none', 'The team has no tool "none"'],
  ['tool:add-up@9', 'The tool "add-up" has no version 9'],
])('an agent with %s is told what it lacks', async (tool, message) => {
  const { status, needs } = await define(`lacks-${tool.replaceAll(/\W/g, '')}`, tool)
  expect(status).toBe('draft')
  expect(needs).toMatchObject([{ kind: 'tool', message }])
})
