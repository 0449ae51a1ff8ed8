import { routes, type AppCallAnswer } from '@coherex/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'
import { connectClient } from '../harness/outside/mcp-client.ts'
import { startMcpServer, type ServedTool } from '../harness/outside/mcp-server.ts'
import type { TestPerson } from '../harness/test-server.ts'

const remote = await startMcpServer()
const { chat, owner, server } = await startAgentServer({ COHEREX_ALLOW_PRIVATE: `127.0.0.1:${remote.port}` })
afterAll(() => remote.stop())

const view = 'ui://shop/cart'
let bought = 0
const tools: ServedTool[] = [
  {
    name: 'show_cart',
    description: 'Shows the cart',
    annotations: { readOnlyHint: true },
    _meta: { ui: { resourceUri: view } },
    answer: () => ({ content: [{ type: 'text', text: 'A cart' }], structuredContent: { items: 2 }, _meta: { at: 7 } }),
  },
  { name: 'buy', description: 'Buys it', answer: () => (bought++, { content: [{ type: 'text', text: 'Bought' }] }) },
  {
    name: 'count',
    description: 'Counts',
    annotations: { readOnlyHint: true },
    _meta: { ui: { visibility: ['app'] } },
    answer: () => ({ content: [], structuredContent: { count: 3 } }),
  },
  {
    name: 'secret',
    description: 'Not for views',
    annotations: { readOnlyHint: true },
    _meta: { ui: { visibility: ['model'] } },
  },
]

async function addShop(name: string): Promise<void> {
  remote.tools = tools
  remote.views = { [view]: '<h1>Cart</h1>' }
  await owner.call(routes.mcpServers.add, { body: { name, place: { kind: 'remote', url: remote.url } as never } })
  const { hash } = await owner.call(routes.mcpServers.tools, { params: { name } })
  await owner.call(routes.mcpServers.approve, { params: { name }, body: { hash } })
}

/** A conversation in which the agent made one call; what its answer is named by. */
async function showCall(agent: string, tool: string, input: object = {}) {
  chat.answer([{ calls: [{ id: 'call_view', name: tool, arguments: input }] }, { text: 'There.' }])
  const before = chat.requests.length
  const { id } = await owner.call(routes.threads.create, { body: { agent, title: 'work' } })
  const headers = { 'content-type': 'application/json' }
  const sent = { method: 'POST', headers, body: JSON.stringify({ text: 'Please' }) }
  await (await owner.fetch(`/api/v1/threads/${id}/turns`, sent)).text()
  const { messages } = await owner.call(routes.threads.get, { params: { id } })
  const offered = chat.requests[before]?.tools.map((one) => one.function.name) ?? []
  return { offered, named: { id, messageId: messages.at(-1)?.id ?? '', callId: 'call_view' }, messages }
}

async function define(name: string, given: string, more = '') {
  const source = `kind: agent\nname: ${name}\ndescription: Works\ninstructions: Work.\ntools: [${given}]\n${more}`
  return owner.call(routes.agents.create, { body: { source } })
}

type Named = Awaited<ReturnType<typeof showCall>>['named']
let calls = 0
const callFromApp = (who: TestPerson, params: Named, tool: string, id = `c${calls++}`): Promise<AppCallAnswer> =>
  who.call(routes.threads.callFromApp, { params, body: { id, tool, input: {} } })

describe('a view of a remote server', async () => {
  await addShop('shop')
  await define('seller', '"mcp:shop"')
  const { named, offered, messages } = await showCall('seller', 'mcp_shop_show_cart')

  test('is read when its tool is called, and shown to whoever sees the conversation', async () => {
    expect(JSON.stringify(messages.at(-1)?.parts)).toContain('"app":{"kind":"mcp","tool":"show_cart","server":"shop"}')
    expect(await owner.call(routes.threads.app, { params: named })).toEqual({
      html: '<h1>Cart</h1>',
      prefersBorder: true,
    })
    await owner.call(routes.threads.change, { params: { id: named.id }, body: { reach: 'team' } })
    const viewer = await server.invite(owner, 'viewer')
    expect(await viewer.call(routes.threads.app, { params: named })).toMatchObject({ html: '<h1>Cart</h1>' })
    await expect(callFromApp(viewer, named, 'count')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(owner.call(routes.threads.app, { params: { ...named, callId: 'call_other' } })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('calls tools of its server that are for views; a model is offered the others', async () => {
    expect(offered).toContain('mcp_shop_show_cart')
    expect(offered).not.toContain('mcp_shop_count')
    expect(await callFromApp(owner, named, 'count')).toMatchObject({
      status: 'done',
      result: { content: [{ type: 'text', text: '{"count":3}' }], structuredContent: { count: 3 } },
    })
    for (const tool of ['secret', 'run_code', 'mcp_shop_count', 'nothing'])
      await expect(callFromApp(owner, named, tool)).rejects.toMatchObject({ code: 'not_found' })
    const { items } = await owner.call(routes.audit.list, { query: { limit: 5 } })
    expect(items.map(({ action }) => action)).toContain('app.call')
  })

  test('waits for a person where the agent would, and an answer counts for one call with its arguments', async () => {
    const waiting = await callFromApp(owner, named, 'buy', 'buy-1')
    expect(waiting).toMatchObject({ status: 'waiting', reason: 'A person is asked before each such call' })
    expect(await callFromApp(owner, named, 'buy', 'buy-1')).toEqual(waiting)
    expect(bought).toBe(0)
    const { items } = await owner.call(routes.approvals.list, { query: { threadId: named.id, status: 'pending' } })
    expect(items).toMatchObject([{ tool: 'mcp_shop_buy', via: ['view of show_cart'] }])
    const [asked] = items
    await owner.call(routes.approvals.decide, {
      params: { id: asked?.id ?? '' },
      body: { decision: 'approve', hash: asked?.hash },
    })
    await expect(
      owner.call(routes.threads.callFromApp, { params: named, body: { id: 'buy-1', tool: 'buy', input: { more: 1 } } }),
    ).rejects.toMatchObject({ code: 'conflict' })
    expect(await callFromApp(owner, named, 'buy', 'buy-1')).toMatchObject({ status: 'done' })
    await expect(callFromApp(owner, named, 'buy', 'buy-1')).rejects.toMatchObject({ code: 'conflict' })
    expect(bought).toBe(1)

    expect(await callFromApp(owner, named, 'buy', 'buy-2')).toMatchObject({ status: 'waiting' })
    const left = await owner.call(routes.approvals.list, { query: { threadId: named.id, status: 'pending' } })
    await owner.call(routes.approvals.decide, { params: { id: left.items[0]?.id ?? '' }, body: { decision: 'reject' } })
    await expect(callFromApp(owner, named, 'buy', 'buy-2')).rejects.toMatchObject({ code: 'forbidden' })
    expect(bought).toBe(1)
  })

  test('makes no more calls than its agent has steps', async () => {
    await define('short', '"mcp:shop"', 'limits: { steps: 3 }\n')
    const { named: other } = await showCall('short', 'mcp_shop_show_cart')
    for (let made = 0; made < 3; made++) await callFromApp(owner, other, 'count')
    await expect(callFromApp(owner, other, 'count')).rejects.toMatchObject({ code: 'quota_exceeded' })
  })

  test('calls only what its agent is given', async () => {
    await define('narrow', '"mcp:shop/show_cart"')
    const { named: other } = await showCall('narrow', 'mcp_shop_show_cart')
    await expect(callFromApp(owner, other, 'count')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is not shown to another team', async () => {
    const stranger = await server.stranger(owner)
    await expect(stranger.call(routes.threads.app, { params: named })).rejects.toMatchObject({ code: 'not_found' })
    await expect(callFromApp(stranger, named, 'count')).rejects.toMatchObject({ code: 'not_found' })
  })

  test.each([
    ['larger than its bound', 'x'.repeat(2_000_001)],
    ['not there', undefined],
  ])('that is %s is left out, and the call counts all the same', async (_, html) => {
    remote.views = html === undefined ? {} : { [view]: html }
    await owner.call(routes.mcpServers.refresh, { params: { name: 'shop' } })
    const { messages: said } = await showCall('seller', 'mcp_shop_show_cart')
    expect(JSON.stringify(said.at(-1)?.parts)).toContain('"A cart"')
    expect(JSON.stringify(said.at(-1)?.parts)).not.toContain('"app"')
  })

  test('that moves to another address asks for approval again', async () => {
    remote.tools = [
      { ...(tools[0] as ServedTool), _meta: { ui: { resourceUri: 'ui://shop/other' } } },
      ...tools.slice(1),
    ]
    await owner.call(routes.mcpServers.refresh, { params: { name: 'shop' } })
    const { items } = await owner.call(routes.mcpServers.tools, { params: { name: 'shop' } })
    expect(items.find(({ name }) => name === 'show_cart')).toMatchObject({ status: 'changed', view: 'ui://shop/other' })
    await expect(owner.call(routes.threads.app, { params: named })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a view of a tool of the team', async () => {
  const yaml = `kind: tool
name: weather
description: Tells the weather
language: javascript
licence: MIT
ui: view.html
input: { type: object, properties: { city: { type: string } } }
output: { type: object, properties: { degrees: { type: number } } }
tests: [{ name: any, input: {}, output: { degrees: 21 } }]
`
  const files = { 'tool.yaml': yaml, 'main.js': 'export default () => ({ degrees: 21 })\n', 'view.html': '<p>Warm</p>' }
  await owner.call(routes.tools.save, { body: { files } })
  await owner.call(routes.tools.publishVersion, { params: { name: 'weather' }, body: {} })

  test('is a resource that the tool names, for the official client', async () => {
    const { key } = await owner.call(routes.keys.create, { body: { name: 'mcp', scopes: ['run'] } })
    const client = await connectClient(server.url, { key })
    const { tools: listed } = await client.listTools()
    const uri = 'ui://coherex/tools/weather/1'
    expect(listed.find(({ name }) => name === 'weather')?._meta).toMatchObject({ ui: { resourceUri: uri } })
    expect(await client.readResource({ uri })).toMatchObject({
      contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: '<p>Warm</p>' }],
    })
    expect(client.getServerCapabilities()?.extensions).toHaveProperty(['io.modelcontextprotocol/ui'])
    // stored and not published
    await owner.call(routes.tools.save, { body: { files: { ...files, 'view.html': '<p>Cold</p>' } } })
    for (const other of ['ui://coherex/tools/weather/2', 'ui://coherex/tools/nothing/1', 'ui://coherex/../weather/1'])
      await expect(client.readResource({ uri: other })).rejects.toThrow()
    await client.close()
  })

  test('is shown where an agent calls the tool, and calls the tool and no other', async () => {
    await define('forecaster', '"tool:weather"')
    const { named } = await showCall('forecaster', 'tool_weather', { city: 'Bonn' })
    expect(await owner.call(routes.threads.app, { params: named })).toEqual({
      html: '<p>Warm</p>',
      prefersBorder: true,
    })
    expect(await callFromApp(owner, named, 'weather')).toMatchObject({
      status: 'done',
      result: { structuredContent: { degrees: 21 } },
    })
    await expect(callFromApp(owner, named, 'run_code')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('must be a text of the folder', async () => {
    const { 'view.html': _, ...without } = files
    await expect(owner.call(routes.tools.save, { body: { files: without } })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })
})
