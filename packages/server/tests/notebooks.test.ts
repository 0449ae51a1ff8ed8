import { notebookFile, routes, type NotebookFile } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatOfNotebook, hasNbconvert, hasNbformat, scriptByJupyter } from './harness/outside/jupyter.ts'
import { startTestServer, type TestPerson, type TestServer } from './harness/test-server.ts'

let server: TestServer
let owner: TestPerson
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(() => server.stop())

const png = 'iVBORw0KGgo='
/** As Jupyter writes it: texts as lines, numbers of executions, data in several forms. */
const analysis = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: {
    kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' },
    language_info: { name: 'python', version: '3.13.0' },
  },
  cells: [
    { id: 'a', cell_type: 'markdown', metadata: {}, source: ['# Sales\n', '\n', '```text\n', 'plain\n', '```'] },
    {
      ...{ id: 'b', cell_type: 'code', metadata: { title: 'Load' }, execution_count: 1 },
      source: ['x = 20\n', 'print("```")\n', 'x + 1'],
      outputs: [
        { output_type: 'stream', name: 'stdout', text: ['one\n', 'two\n'] },
        { output_type: 'stream', name: 'stderr', text: 'careful\n' },
        { output_type: 'display_data', metadata: {}, data: { 'image/png': [png], 'text/plain': ['<Figure>'] } },
        { output_type: 'execute_result', execution_count: 1, metadata: {}, data: { 'text/plain': ['21'] } },
      ],
    },
    {
      ...{ id: 'c', cell_type: 'code', metadata: {}, execution_count: 2, source: '1 / 0' },
      outputs: [
        {
          output_type: 'error',
          ename: 'ZeroDivisionError',
          evalue: 'division by zero',
          traceback: ['\u001B[31mZero\u001B[0m'],
        },
      ],
    },
    { id: 'd', cell_type: 'code', metadata: {}, execution_count: null, outputs: [], source: '%%bash\necho hi' },
    { id: 'e', cell_type: 'code', metadata: {}, execution_count: null, outputs: [], source: '' },
    { id: 'f', cell_type: 'raw', metadata: {}, source: 'raw words' },
  ],
}

const bring = (notebook: unknown) =>
  owner.call(routes.threads.import, {
    body: { kind: 'notebook', title: 'Sales', agent: 'coder', notebook: notebook as NotebookFile },
  })

async function exported(id: string): Promise<{ headers: Headers; notebook: NotebookFile }> {
  const response = await owner.fetch(`/api/v1/threads/${id}/export?format=ipynb`)
  expect(response.status).toBe(200)
  return { headers: response.headers, notebook: (await response.json()) as NotebookFile }
}

test('a notebook becomes a conversation whose blocks are its cells, with what they showed', async () => {
  const thread = await bring(analysis)
  expect(thread.title).toBe('Sales')
  const texts = thread.messages[1]?.parts.map((part) => part['text'])
  expect(texts).toEqual([
    '# Sales\n\n```text\nplain\n```',
    '````python title="Load"\nx = 20\nprint("```")\nx + 1\n````',
    '```python\n1 / 0\n```',
    '```bash\necho hi\n```',
    'raw words',
  ])
  const { items } = await owner.call(routes.artifacts.ofThread, { params: { id: thread.id } })
  const byIndex = items.toSorted((a, b) => a.index - b.index)
  expect(byIndex.map(({ index, language, title }) => [index, language, title])).toEqual([
    [1, 'python', 'Load'],
    [2, 'python', null],
  ])
  const runs = await Promise.all(
    byIndex.map(({ runId }) => owner.call(routes.runs.get, { params: { id: runId ?? '' } })),
  )
  expect(runs[0]).toMatchObject({
    status: 'succeeded',
    reportedBy: 'client',
    output: [
      { stream: 'stdout', text: 'one\ntwo\n' },
      { stream: 'stderr', text: 'careful\n' },
      { stream: 'display', data: { 'image/png': png, 'text/plain': '<Figure>' } },
      { stream: 'display', data: { 'text/plain': '21' } },
    ],
  })
  expect(runs[1]).toMatchObject({
    status: 'failed',
    error: { kind: 'runtime', message: 'ZeroDivisionError: division by zero', stack: 'Zero' },
  })
})

test('a conversation is exported as a notebook of nbformat 4.5 with its newest code and outputs', async () => {
  const thread = await bring(analysis)
  const messageId = thread.messages[1]?.id ?? ''
  // edited and run again, here by a browser
  await owner.call(routes.artifacts.executeFence, {
    params: { id: thread.id, messageId },
    body: {
      ...{ index: 3, runtime: 'browser', code: 'echo bye' },
      report: {
        ...{ status: 'succeeded', durationMs: 1, result: { a: [1] } },
        output: [
          { at: 0, stream: 'log', text: 'bye' },
          { at: 1, stream: 'warn', text: 'mind' },
        ],
      },
    },
  })
  const { headers, notebook } = await exported(thread.id)
  expect(headers.get('content-disposition')).toBe('attachment; filename="thread.ipynb"')
  expect(notebookFile.parse(notebook)).toEqual(notebook)
  expect(notebook.metadata).toEqual({
    kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' },
    language_info: { name: 'python' },
  })
  expect(notebook).toMatchObject({ nbformat: 4, nbformat_minor: 5 })
  const ids = notebook.cells.map(({ id }) => id ?? '')
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every((id) => /^[\w-]{1,64}$/.test(id))).toBe(true)
  expect(notebook.cells.map(({ cell_type, source }) => [cell_type, source])).toEqual([
    ['markdown', '# Sales'],
    ['markdown', `**${owner.me.person.name}**`],
    ['markdown', 'Notebook: Sales'],
    ['markdown', `**${owner.me.person.name}**`],
    ['markdown', '# Sales\n\n```text\nplain\n```'],
    ['code', 'x = 20\nprint("```")\nx + 1'],
    ['code', '1 / 0'],
    ['code', 'echo bye'],
    ['markdown', 'raw words'],
  ])
  const [load, divide, bash] = notebook.cells.filter((cell) => cell.cell_type === 'code')
  expect(load).toMatchObject({
    execution_count: 1,
    metadata: { title: 'Load' },
    outputs: [
      { output_type: 'stream', name: 'stdout', text: 'one\ntwo\n' },
      { output_type: 'stream', name: 'stderr', text: 'careful\n' },
      { output_type: 'display_data', data: { 'image/png': png } },
      { output_type: 'display_data', data: { 'text/plain': '21' } },
    ],
  })
  expect(divide?.outputs).toEqual([
    { output_type: 'error', ename: 'ZeroDivisionError', evalue: 'division by zero', traceback: ['Zero'] },
  ])
  // another language than the notebook's is noted as editors do
  expect(bash).toMatchObject({
    metadata: { vscode: { languageId: 'bash' } },
    outputs: [
      { output_type: 'stream', name: 'stdout', text: 'bye\n' },
      { output_type: 'stream', name: 'stderr', text: 'mind\n' },
      { output_type: 'execute_result', execution_count: 3, data: { 'application/json': { a: [1] } } },
    ],
  })
  // and comes back as the same blocks
  const again = await bring(notebook)
  const blocks = await owner.call(routes.artifacts.ofThread, { params: { id: again.id } })
  expect(blocks.items.map(({ code, language }) => [language, code]).toSorted()).toEqual([
    ['bash', 'echo bye'],
    ['python', '1 / 0'],
    ['python', 'x = 20\nprint("```")\nx + 1'],
  ])
})

test('what is no notebook, an older one, one of too many cells and one for nobody are refused with a reason', async () => {
  await expect(bring({ ...analysis, nbformat: 3 })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(bring({ cells: 'none' })).rejects.toMatchObject({ code: 'invalid_input' })
  const cell = { id: 'a', cell_type: 'markdown', metadata: {}, source: 'x' }
  await expect(bring({ ...analysis, cells: Array.from({ length: 501 }, () => cell) })).rejects.toMatchObject({
    code: 'invalid_input',
  })
  await expect(bring({ ...analysis, cells: [{ ...cell, source: 'a\u0000b' }] })).rejects.toMatchObject({
    code: 'invalid_input',
  })
  const viewer = await server.invite(owner, 'viewer')
  await expect(
    viewer.call(routes.threads.import, {
      body: { kind: 'notebook', title: 'x', agent: 'coder', notebook: analysis as unknown as NotebookFile },
    }),
  ).rejects.toMatchObject({ code: 'forbidden' })
})

test('an exported conversation is valid by the schema of nbformat 4.5, and a notebook that is not is found out', async (context) => {
  if (!hasNbformat) return context.skip('needs python3-nbformat')
  const { id } = await bring(analysis)
  const { notebook } = await exported(id)
  expect(await formatOfNotebook(JSON.stringify(notebook))).toBe('4.5')
  const [first] = notebook.cells
  const wrong = { ...notebook, cells: [{ ...first, outputs: [] }] }
  await expect(formatOfNotebook(JSON.stringify(wrong))).rejects.toThrow('ValidationError')
})

test('Jupyter opens an exported conversation and finds its code', async (context) => {
  if (!hasNbconvert) return context.skip('needs jupyter-nbconvert')
  const { id } = await bring(analysis)
  const { notebook } = await exported(id)
  const script = await scriptByJupyter(JSON.stringify(notebook))
  expect(script).toContain('x = 20\nprint("```")\nx + 1')
  expect(script).toContain('# # Sales')
})
