import { routes } from '@coherex/contract'
import { afterAll, expect, test, vi } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'
import { reachRealRegistry } from '../harness/outside/real-registry.ts'

vi.setConfig({ testTimeout: 400_000, hookTimeout: 120_000 })

const close = reachRealRegistry()
afterAll(close)
// as pip is configured on this machine
const own = Object.entries(process.env).filter(([name]) => /^(UV|PIP)_/.test(name))
const settings = Object.fromEntries(own) as Record<string, string>
const { chat, owner } = await startAgentServer({ ...settings, COHEREX_PYPI_INDEX: '' })

// msgpack has an extension in C
const packages = ['polars', 'pydantic>=2', 'scikit-learn', 'msgpack']
const program = `import msgpack, polars
from msgpack import _cmsgpack
from pydantic import BaseModel
from sklearn.linear_model import LinearRegression

class Points(BaseModel):
    x: list[float]
    y: list[float]

def fit(points):
    read = msgpack.unpackb(msgpack.packb(points))
    data = polars.DataFrame(Points(**read).model_dump())
    model = LinearRegression().fit(data.select("x").to_numpy(), data["y"].to_numpy())
    return round(float(model.predict([[10]])[0]))
`
const points = { x: [0, 1, 2], y: [1, 3, 5] }
const limits = { timeoutMs: 240_000, memoryMb: 1024 }

test('polars, Pydantic 2, scikit-learn and msgpack of a real index count in a run, a cell, a tool and an agent’s tool', async (context) => {
  const missing = await owner.call(routes.packages.info, { query: { language: 'python', name: 'six' } }).then(
    () => undefined,
    (error: Error) => error.message,
  )
  if (missing !== undefined) return context.skip(missing)

  const code = `${program}\nprint(fit(${JSON.stringify(points)}))`
  const run = await owner.call(routes.runs.create, { body: { language: 'python', code, packages, limits } })
  expect([run.error, run.output.at(-1)]).toMatchObject([undefined, { stream: 'stdout', text: '21\n' }])
  expect(run.runtime?.lock?.packages.map(({ name }) => name)).toEqual(expect.arrayContaining(['polars', 'msgpack']))

  const { id } = await owner.call(routes.sandboxes.create, { body: { language: 'python', packages } })
  const cell = await owner.call(routes.runs.create, {
    body: { sandboxId: id, language: 'python', code, limits: { timeoutMs: 240_000 } },
  })
  expect([cell.error, cell.output]).toMatchObject([undefined, [{ text: '21\n' }]])

  const yaml = `kind: tool
name: fit-line
description: Fits a line and says where it is at 10
language: python
licence: MIT
packages: ${JSON.stringify(packages)}
limits: ${JSON.stringify(limits)}
tests: [{ name: straight, input: ${JSON.stringify(points)}, output: 21 }]
`
  const main = `${program}\n\ndef main(points: Points) -> int:\n    """Fits a line."""\n    return fit(points.model_dump())\n`
  const saved = await owner.call(routes.tools.save, { body: { files: { 'tool.yaml': yaml, 'main.py': main } } })
  expect(saved.input).toMatchObject({ properties: { x: { type: 'array' }, y: { type: 'array' } } })
  const { published, checks } = await owner.call(routes.tools.publishVersion, {
    params: { name: 'fit-line' },
    body: {},
  })
  expect([published, checks]).toMatchObject([true, expect.anything()])
  const called = await owner.call(routes.tools.call, { params: { name: 'fit-line' }, body: { input: points } })
  expect(called.output).toBe(21)

  const source = 'kind: agent\nname: fitter\ndescription: Fits\ninstructions: Fit.\ntools: [tool:fit-line]\n'
  await owner.call(routes.agents.create, { body: { source } })
  chat.answer([{ calls: [{ name: 'tool_fit_line', arguments: points }] }, { text: 'Done.' }])
  const thread = await owner.call(routes.threads.create, { body: { agent: 'fitter' } })
  const turn = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"text":"Go"}' }
  await (await owner.fetch(`/api/v1/threads/${thread.id}/turns`, turn)).text()
  const told = chat.requests.flatMap(({ messages }) => messages).filter(({ role }) => role === 'tool')
  expect(told.at(-1)?.content).toBe('21')
})
