import { routes, type Language, type Run } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(() => server.stop())

const runCell = (sandboxId: string, language: Language, code: string): Promise<Run> =>
  owner.call(routes.runs.create, { body: { sandboxId, language, code } })

test('an analyst loads a table, plots it, asks SQL, forks, breaks one fork and keeps the other', async () => {
  const { id } = await owner.call(routes.sandboxes.create, { body: { name: 'sales', language: 'python' } })
  const params = { id }

  const csv = 'city,amount\nOslo,3\nBerlin,4\nOslo,5\n'
  const file = await owner.call(routes.sandboxes.writeFile, { params: { id, path: 'data/sales.csv' }, body: csv })
  expect(file).toMatchObject({ path: 'data/sales.csv', type: 'file', size: csv.length })

  expect(await runCell(id, 'python', 'import pandas as pd\ndf = pd.read_csv("data/sales.csv")')).toMatchObject({
    status: 'succeeded',
    sandboxId: id,
    runtime: { name: 'process', reason: expect.stringContaining(id) as string },
  })
  const sums = await runCell(id, 'python', 'df.groupby("city").amount.sum().to_dict()')
  expect(sums.result).toEqual({ Berlin: 4, Oslo: 8 })

  const plot = await runCell(
    id,
    'python',
    'import matplotlib.pyplot as plt\ndf.plot.bar(x="city", y="amount")\nplt.savefig("plot.png")\nplt.show()',
  )
  const shown = plot.output.filter((line) => line.stream === 'display')
  expect(shown.some(({ data }) => typeof data['image/png'] === 'string')).toBe(true)

  const variables = await owner.call(routes.sandboxes.variables, { params })
  expect(variables.items).toContainEqual(expect.objectContaining({ name: 'df', type: 'DataFrame', shape: [3, 2] }))
  const page = await owner.call(routes.sandboxes.variable, {
    params: { id, name: 'df' },
    query: { offset: 1, limit: 1 },
  })
  expect(page.table).toMatchObject({ offset: 1, total: 3, rows: [expect.arrayContaining(['Berlin', 4])] })

  const query = await runCell(
    id,
    'sql',
    "SELECT city, sum(amount) AS total FROM 'data/sales.csv' GROUP BY city ORDER BY 1",
  )
  // on a machine without DuckDB there is no SQL
  if (query.error?.kind !== 'validation') {
    expect(query).toMatchObject({ status: 'succeeded' })
    expect(JSON.stringify(query)).toContain('Oslo')
  }

  const fork = await owner.call(routes.sandboxes.fork, { params, body: { name: 'what if' } })
  expect(fork).toMatchObject({ name: 'what if', forkedFrom: id, status: 'running' })
  expect(fork.notice).toContain('variables are gone')
  await runCell(fork.id, 'bash', 'rm -rf data && echo broken > plot.png')
  const left = await owner.call(routes.sandboxes.listFiles, { params: { id: fork.id }, query: { recursive: 'true' } })
  expect(left.items.map((one) => one.path)).toEqual(['plot.png'])

  const kept = await owner.call(routes.sandboxes.listFiles, { params, query: { recursive: 'true' } })
  expect(kept.items.map((one) => one.path).toSorted()).toEqual(['data', 'data/sales.csv', 'plot.png'])
  expect((await runCell(id, 'python', 'int(df.amount.sum())')).result).toBe(12)

  // the fork has the cells, and with its own file back they make the variables again
  await owner.call(routes.sandboxes.writeFile, { params: { id: fork.id, path: 'data/sales.csv' }, body: csv })
  const rerun = await owner.call(routes.sandboxes.rerun, { params: { id: fork.id }, body: { context: 'python' } })
  expect(rerun).toMatchObject({
    left: 0,
    runs: [{ status: 'succeeded' }, { status: 'succeeded' }, { status: 'succeeded' }],
  })
  expect((await runCell(fork.id, 'python', 'len(df)')).result).toBe(3)
  expect(await runCell(fork.id, 'python', 'len(df) / 1')).toMatchObject({ result: 3, resultText: '3.0' })

  const cells = await owner.call(routes.runs.list, { query: { sandboxId: id } })
  expect(cells.items.every((one) => one.createdBy.id === owner.me.person.id)).toBe(true)
  const { items: audit } = await owner.call(routes.audit.list, { query: { action: 'sandbox' } })
  expect(audit.map((one) => one.action).toSorted()).toEqual(['sandbox.create', 'sandbox.fork'])
})

test('code asks for a line while it runs, and the stream says so', async () => {
  const { id } = await owner.call(routes.sandboxes.create, { body: {} })
  const response = await owner.fetch('/api/v1/runs', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ sandboxId: id, language: 'python', code: 'name = input("who? ")\nname.upper()' }),
  })
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    const runId = /"id":"(run_\w+)"/.exec(text)?.[1]
    if (runId && /event: run-input-request\r?\n/.test(text) && !text.includes('run-end')) {
      const run = await owner.call(routes.runs.get, { params: { id: runId } })
      if (!run.inputRequest) continue
      expect(run.inputRequest).toMatchObject({ prompt: 'who? ', secret: false })
      await owner.call(routes.runs.stdin, { params: { id: runId }, body: { text: 'ada' } })
    }
  }
  expect(text).toContain('"result":"ADA"')
  // what was asked and answered stays, as in a terminal
  expect(text).toContain('"text":"who? ada\\n"')
  // without anyone to ask, the end of input is the end
  const alone = await runCell(id, 'python', 'input()')
  expect(alone).toMatchObject({ status: 'failed', error: { kind: 'runtime' } })
  await expect(owner.call(routes.runs.stdin, { params: { id: alone.id }, body: { text: 'x' } })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('stopping a cell keeps what the cells before it made', async () => {
  const { id } = await owner.call(routes.sandboxes.create, { body: {} })
  await runCell(id, 'python', 'kept = 7')
  const started = await owner.call(routes.runs.create, {
    query: { wait: 'false' },
    body: { sandboxId: id, language: 'python', code: 'import time\nprint("begun", flush=True)\ntime.sleep(60)' },
  })
  // one behind it in the same session waits, takes no part, and can be taken back at once
  const behind = await owner.call(routes.runs.create, {
    query: { wait: 'false' },
    body: { sandboxId: id, language: 'python', code: 'kept = 8' },
  })
  await expect
    .poll(async () => (await owner.call(routes.runs.get, { params: { id: started.id } })).output.length)
    .toBe(1)
  expect(await owner.call(routes.runs.cancel, { params: { id: behind.id } })).toMatchObject({ status: 'cancelled' })
  expect(await owner.call(routes.runs.cancel, { params: { id: started.id } })).toMatchObject({ status: 'cancelled' })
  expect((await runCell(id, 'python', 'kept')).result).toBe(7)

  const again = owner.call(routes.runs.create, {
    body: { sandboxId: id, language: 'python', code: 'import time\ntime.sleep(60)' },
  })
  await expect
    .poll(async () => (await owner.call(routes.sandboxes.get, { params: { id } })).sessions[0]?.status)
    .toBe('running')
  await expect
    .poll(async () => (await owner.call(routes.sandboxes.interrupt, { params: { id }, body: {} })).interrupted)
    .toBe(true)
  expect((await again).status).not.toBe('succeeded')
  expect((await runCell(id, 'python', 'kept')).result).toBe(7)

  await owner.call(routes.sandboxes.reset, { params: { id }, body: {} })
  expect(await runCell(id, 'python', 'kept')).toMatchObject({ status: 'failed', error: { kind: 'runtime' } })
})
