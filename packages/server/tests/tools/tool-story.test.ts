import { routes } from '@coherex/contract'
import { expect, test } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'

const { chat, owner } = await startAgentServer()

const python = (field = '') => `from pydantic import BaseModel


class Line(BaseModel):
    price: float
${field}

class Invoice(BaseModel):
    lines: list[Line]


def main(invoice: Invoice) -> float:
    """Adds up an invoice."""
    return sum(line.price for line in invoice.lines)
`
const yaml = (name: string, language: string, test: string) =>
  `kind: tool\nname: ${name}\ndescription: Adds up\nlanguage: ${language}\nlicence: MIT\ntests: [${test}]\n`

async function publish(name: string, files: Record<string, string>) {
  await owner.call(routes.tools.save, { body: { files } })
  expect(await owner.call(routes.tools.publishVersion, { params: { name }, body: {} })).toMatchObject({
    published: true,
  })
}
const publishInvoice = (field = '', more = '') =>
  publish('invoice', {
    'tool.yaml': yaml('invoice', 'python', `{ name: one, input: { lines: [{ price: 2${more} }] }, output: 2 }`),
    'main.py': python(field),
  })
const input = { lines: [{ price: 1 }, { price: 2.5 }] }
const call = (name: string, version?: number) =>
  owner.call(routes.tools.call, { params: { name }, body: { input, ...(version && { version }) } })

/** What the model is told of its call. */
async function ask(agent: string): Promise<string> {
  chat.answer([{ calls: [{ name: 'tool_invoice', arguments: input }] }, { text: 'Done.' }])
  const before = chat.requests.length
  const { id } = await owner.call(routes.threads.create, { body: { agent, title: 'Add up' } })
  const headers = { 'content-type': 'application/json' }
  await (
    await owner.fetch(`/api/v1/threads/${id}/turns`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ text: 'Please' }),
    })
  ).text()
  const told = chat.requests.slice(before).flatMap(({ messages }) => messages)
  return String(told.filter(({ role }) => role === 'tool').at(-1)?.content)
}

test('a Python tool is called over HTTP, by an agent and by another tool; a breaking version reaches only those who pin none', async () => {
  await publishInvoice()
  expect((await call('invoice')).output).toBe(3.5)
  for (const reference of ['tool:invoice', 'tool:invoice@1']) {
    const name = reference.endsWith('@1') ? 'pinned' : 'newest'
    const source = `kind: agent\nname: ${name}\ndescription: Works\ninstructions: Work.\ntools: ["${reference}"]\n`
    await owner.call(routes.agents.create, { body: { source } })
    const called = name === 'pinned' ? "env.TOOLS['invoice@1'](input)" : 'env.TOOLS.invoice(input)'
    await publish(`${name}-tool`, {
      'tool.yaml': yaml(`${name}-tool`, 'javascript', '{ name: one, input: { lines: [] }, output: 0 }'),
      'main.js': `export default (env, input) => ${called}\n`,
    })
    expect([await ask(name), (await call(`${name}-tool`)).output]).toEqual(['3.5', 3.5])
  }

  await publishInvoice('    amount: int\n', ', amount: 1')
  const missing = 'lines[0].amount is missing'
  expect((await call('invoice', 1)).output).toBe(3.5)
  await expect(call('invoice')).rejects.toThrow(missing)
  expect(await ask('pinned')).toBe('3.5')
  expect(await ask('newest')).toContain(missing)
  expect((await call('pinned-tool')).output).toBe(3.5)
  expect((await call('newest-tool')).run.error?.message).toContain(missing)

  const note = 'Back: senders have no amount yet'
  await owner.call(routes.tools.publishVersion, { params: { name: 'invoice' }, body: { version: 1, note } })
  expect([(await call('invoice')).output, await ask('newest')]).toEqual([3.5, '3.5'])
  expect((await call('newest-tool')).output).toBe(3.5)
  const { items } = await owner.call(routes.tools.versions, { params: { name: 'invoice' } })
  expect(items.map(({ version, decisionNote }) => [version, decisionNote])).toEqual([
    [2, ''],
    [1, note],
  ])
}, 120_000)
