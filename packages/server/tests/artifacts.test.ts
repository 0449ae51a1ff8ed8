import { notebookFile, routes, type ExecutionReport } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from './harness/test-server.ts'

let server: TestServer
let owner: TestPerson
let editor: TestPerson
let viewer: TestPerson
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
  editor = await server.invite(owner, 'editor')
  viewer = await server.invite(owner, 'viewer')
})
afterAll(() => server.stop())

const answer = [
  'First:\n\n```python title="Count" run\nx = 20\nprint("x is", x)\n```\n\nThen:',
  '```python\nx + 1\n```\n\n```text\nno code\n```\n\n```html\n<b>hi</b>\n```\n\n```js\n1 + 1\n```\n',
]

/** A conversation of somebody's with blocks 0 and 1 of Python, 2 of text, 3 of HTML and 4 of JavaScript. */
async function makeThread(author: TestPerson, reach: 'private' | 'team' = 'team') {
  const said = (id: string, role: 'user' | 'assistant', texts: string[]) => ({
    ...{ id, parentId: role === 'user' ? null : 'one', role, createdAt: '2026-01-01T00:00:00.000Z', createdBy: 'Ann' },
    parts: texts.map((text) => ({ type: 'text' as const, text })),
  })
  const thread = await author.call(routes.threads.import, {
    body: {
      ...{ kind: 'coherex-thread', version: 1, agent: 'coder', title: 'Blocks' },
      messages: [said('one', 'user', ['Show me']), said('two', 'assistant', answer)],
    },
  })
  await author.call(routes.threads.change, { params: { id: thread.id }, body: { reach } })
  return { id: thread.id, messageId: thread.messages[1]?.id ?? '' }
}

const report = (given: Partial<ExecutionReport> = {}): ExecutionReport => ({
  ...{ status: 'succeeded', output: [{ at: 1, stream: 'log', text: 'hi' }], result: 2, durationMs: 3 },
  ...given,
})

test('blocks of a conversation run on the server in one session, and are kept with their message', async () => {
  const { id, messageId } = await makeThread(owner)
  const run = (index: number, code?: string) =>
    owner.call(routes.artifacts.executeFence, {
      params: { id, messageId },
      body: { index, runtime: 'server', ...(code !== undefined && { code }) },
    })
  const first = await run(0)
  expect(first).toMatchObject({ status: 'succeeded', threadId: id, artifactVersion: 1, language: 'python' })
  expect(first.output).toMatchObject([{ stream: 'stdout', text: 'x is 20\n' }])
  expect(first.reportedBy).toBeUndefined()
  // the variable of the block before it goes on
  expect(await run(1)).toMatchObject({ status: 'succeeded', result: 21, sandboxId: first.sandboxId })
  // edited code is the next version
  expect(await run(1, 'x + 2')).toMatchObject({ result: 22, artifactVersion: 2 })

  const { items } = await owner.call(routes.artifacts.ofThread, { params: { id } })
  expect(items.toSorted((a, b) => a.index - b.index)).toMatchObject([
    { index: 0, kind: 'code', language: 'python', title: 'Count', version: 1, reach: 'team', runId: first.id },
    { index: 1, version: 2, code: 'x + 2', updatedBy: { id: owner.me.person.id } },
  ])
  const { items: history } = await owner.call(routes.artifacts.fenceExecutions, { params: { id, messageId } })
  expect(history.map(({ index, artifactVersion }) => [index, artifactVersion])).toEqual([
    [1, 2],
    [1, 1],
    [0, 1],
  ])
  const artifactId = items.find(({ index }) => index === 1)?.id ?? ''
  const own = await owner.call(routes.artifacts.executions, { params: { id: artifactId }, query: { limit: 1 } })
  expect(own).toMatchObject({ items: [{ artifactVersion: 2 }], nextCursor: expect.any(String) })
})

test('a block is exported as a notebook with the output of its newest run', async () => {
  const { id, messageId } = await makeThread(owner)
  const params = { id, messageId }
  const { artifactId = '' } = await owner.call(routes.artifacts.executeFence, {
    params,
    body: { index: 0, runtime: 'browser', report: report({ output: [{ at: 1, stream: 'stdout', text: 'hi\n' }] }) },
  })
  const notebook = notebookFile.parse(
    JSON.parse(await viewer.call(routes.artifacts.notebook, { params: { id: artifactId } })),
  )
  expect(notebook.cells).toMatchObject([
    {
      ...{ cell_type: 'code', source: 'x = 20\nprint("x is", x)', metadata: { title: 'Count' } },
      outputs: [{ output_type: 'stream', text: 'hi\n' }, { output_type: 'execute_result' }],
    },
  ])
  expect(notebook.metadata.kernelspec?.name).toBe('python3')
  const printed = async (search: string) =>
    (await viewer.call(routes.artifacts.executions, { params: { id: artifactId }, query: { search } })).items.length
  expect([await printed('HI'), await printed('h_')]).toEqual([1, 0])
  const shown = await owner.call(routes.artifacts.open, { params, body: { index: 3 } })
  const page = JSON.parse(await owner.call(routes.artifacts.notebook, { params: { id: shown.id } }))
  expect(page.cells).toMatchObject([{ cell_type: 'markdown', source: '```html\n<b>hi</b>\n```' }])
})

test('an edit is a version: two people who edit the same one do not write over each other', async () => {
  const { id, messageId } = await makeThread(owner)
  const place = { params: { id, messageId }, body: { index: 0 } }
  const artifact = await owner.call(routes.artifacts.open, place)
  expect(artifact).toMatchObject({ version: 1, updatedBy: { name: 'Ann' }, runId: null })
  expect(await editor.call(routes.artifacts.open, place)).toEqual(artifact)
  const save = (who: TestPerson, code: string, expectedVersion: number) =>
    who.call(routes.artifacts.save, { params: { id: artifact.id }, body: { code, expectedVersion } })
  expect(await save(editor, 'x = 21\n', 1)).toMatchObject({ version: 2, code: 'x = 21\n' })
  await expect(save(owner, 'x = 22\n', 1)).rejects.toMatchObject({ code: 'conflict' })
  // the same text again is nothing new
  expect(await save(owner, 'x = 21\n', 1)).toMatchObject({ version: 2 })
  expect(await save(owner, 'x = 22\n', 2)).toMatchObject({ version: 3 })
  const { items } = await owner.call(routes.artifacts.versions, { params: { id: artifact.id } })
  expect(items.map(({ version, createdBy }) => [version, createdBy.id])).toEqual([
    [3, owner.me.person.id],
    [2, editor.me.person.id],
    [1, 'imported'],
  ])
  const { diff } = await owner.call(routes.artifacts.diff, { params: { id: artifact.id }, query: { from: 2, to: 3 } })
  expect(diff).toContain('-x = 21\n+x = 22\n')
  const old = await owner.call(routes.artifacts.get, { params: { id: artifact.id }, query: { version: 1 } })
  expect(old).toMatchObject({ version: 1, code: 'x = 20\nprint("x is", x)' })
  const from = { artifactId: artifact.id }
  const body = { from, name: 'block', description: 'Says what x is' }
  expect((await owner.call(routes.tools.save, { body })).files['main.py']).toBe('x = 22\n')
  const missing = owner.call(routes.artifacts.get, { params: { id: artifact.id }, query: { version: 9 } })
  await expect(missing).rejects.toMatchObject({ code: 'not_found' })
  // several at once: each version is given out once
  const race = await Promise.allSettled([save(owner, 'a', 3), save(editor, 'b', 3), save(owner, 'c', 3)])
  expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('two people who change different lines of a block at once both keep their change', async () => {
  const { id, messageId } = await makeThread(owner)
  const { id: artifactId, code: base } = await owner.call(routes.artifacts.open, {
    ...{ params: { id, messageId }, body: { index: 0 } },
  })
  const save = (who: TestPerson, code: string, over: string) =>
    who.call(routes.artifacts.save, { params: { id: artifactId }, body: { code, expectedVersion: 1, base: over } })
  await save(editor, base.replace('20', '21'), base)
  const merged = await save(owner, `${base}\nx\n`.replace('"x is"', '"now"'), base)
  expect(merged).toMatchObject({ version: 3, code: 'x = 21\nprint("now", x)\nx\n' })
  await expect(save(editor, base.replace('20', '22'), base)).rejects.toMatchObject({ code: 'conflict' })
  // what was typed while the save was under way is typed over what was sent
  const sent = 'x = 21\nprint("now", x)\n'
  expect(await save(owner, sent.replace('21', '23'), sent)).toMatchObject({
    version: 4,
    code: 'x = 23\nprint("now", x)\nx\n',
  })
})

test('what a browser ran is a run that says so, takes no run seconds and is in the audit log', async () => {
  const { id, messageId } = await makeThread(owner)
  const { used: before } = await owner.call(routes.teams.quotas, {})
  const run = await owner.call(routes.artifacts.executeFence, {
    params: { id, messageId },
    body: { index: 4, runtime: 'browser', code: '1 + 1 // edited', report: report({ durationMs: 90_000 }) },
  })
  expect(run).toMatchObject({
    ...{ status: 'succeeded', reportedBy: 'client', runtime: { name: 'browser' }, result: 2, artifactVersion: 2 },
    output: [{ at: 1, stream: 'log', text: 'hi' }],
  })
  expect(await owner.call(routes.runs.get, { params: { id: run.id } })).toEqual(run)
  expect(await owner.call(routes.runs.program, { params: { id: run.id } })).toMatchObject({ code: '1 + 1 // edited' })
  const { used } = await owner.call(routes.teams.quotas, {})
  expect((used.runSecondsPerDay ?? 0) - (before.runSecondsPerDay ?? 0)).toBeLessThan(60)
  const { items } = await owner.call(routes.audit.list, { query: { action: 'run.start', limit: 200 } })
  expect(items.find(({ target }) => target?.id === run.id)?.details).toMatchObject({ reportedBy: 'client' })
  // run again, it runs here
  const again = await owner.call(routes.executions.retry, { params: { id: run.id }, body: {} })
  expect(again.id).not.toBe(run.id)
})

test('a failed run of a browser counts in no figure of a runtime, and among no runs of the team’s day', async () => {
  const { id, messageId } = await makeThread(owner)
  const figures = async () => {
    const { items } = await owner.call(routes.runs.runtimes, {})
    const { used } = await owner.call(routes.teams.quotas, {})
    return { metrics: items.map(({ name, metrics }) => [name, metrics.runs, metrics.failures]), used }
  }
  // a run of the tests before may be under way, and is counted a moment after its end
  await expect.poll(async () => (await figures()).used.runsAtOnce).toBe(0)
  let before = await figures()
  await expect
    .poll(async () => JSON.stringify(before) === JSON.stringify((before = await figures())), { interval: 500 })
    .toBe(true)
  const error = { kind: 'runtime', message: 'mine' } as const
  await owner.call(routes.artifacts.executeFence, {
    params: { id, messageId },
    body: { index: 4, runtime: 'browser', report: report({ status: 'failed', error, durationMs: 5_000 }) },
  })
  expect(await figures()).toEqual(before)
})

test('a report is bounded, and its sender is held back', async () => {
  const sender = await server.invite(owner, 'editor')
  const { id, messageId } = await makeThread(sender)
  const send = (given: Partial<ExecutionReport>, index = 4) =>
    sender.call(routes.artifacts.executeFence, {
      params: { id, messageId },
      body: { index, runtime: 'browser', report: report(given) },
    })
  const lines = Array.from({ length: 2001 }, () => ({ at: 1, stream: 'log' as const, text: 'x' }))
  await expect(send({ output: lines })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(send({ status: 'running' as never })).rejects.toMatchObject({ code: 'invalid_input' })
  const large = Array.from({ length: 3 }, () => ({ at: 1, stream: 'log' as const, text: 'x'.repeat(400_000) }))
  await expect(send({ output: large })).rejects.toMatchObject({ code: 'invalid_input' })
  // what PostgreSQL cannot keep is kept as it can be
  const odd = await send({ output: [{ at: 1, stream: 'log', text: 'a\0b\ud800' }] })
  expect(odd.status).toBe('succeeded')
  await expect(send({}, 3)).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(send({}, 2)).rejects.toMatchObject({ code: 'not_found' })
  const many = await Promise.allSettled(Array.from({ length: 80 }, () => send({})))
  const refused = many.flatMap((one) => (one.status === 'rejected' ? [one.reason as { code: string }] : []))
  expect(refused.length).toBeGreaterThan(0)
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['quota_exceeded']))
}, 60_000)

test('artifacts have the rights and the privacy of their conversation', async () => {
  const { id, messageId } = await makeThread(editor, 'private')
  const place = { params: { id, messageId }, body: { index: 0 } }
  const artifact = await editor.call(routes.artifacts.open, place)
  expect(artifact.reach).toBe('private')
  const params = { id: artifact.id }
  // an owner of the team is no reader of it
  for (const asked of [
    () => owner.call(routes.artifacts.get, { params }),
    () => owner.call(routes.artifacts.versions, { params }),
    () => owner.call(routes.artifacts.executions, { params }),
    () => owner.call(routes.artifacts.save, { params, body: { code: 'mine', expectedVersion: 1 } }),
    () => owner.call(routes.artifacts.execute, { params, body: { runtime: 'server' } }),
    () => owner.call(routes.artifacts.open, place),
    () => owner.call(routes.artifacts.ofThread, { params: { id } }),
    () => owner.call(routes.artifacts.fenceExecutions, { params: { id, messageId } }),
  ]) {
    await expect(asked()).rejects.toMatchObject({ code: 'not_found' })
  }
  const run = await editor.call(routes.artifacts.execute, {
    params,
    body: { runtime: 'browser', report: report() },
  })
  await expect(owner.call(routes.runs.get, { params: { id: run.id } })).rejects.toMatchObject({ code: 'not_found' })
  await editor.call(routes.threads.change, { params: { id }, body: { reach: 'team' } })
  expect(await owner.call(routes.artifacts.get, { params })).toMatchObject({ reach: 'team', runId: run.id })
  // who may read may not run
  expect(await viewer.call(routes.artifacts.get, { params })).toMatchObject({ id: artifact.id })
  for (const asked of [
    () => viewer.call(routes.artifacts.save, { params, body: { code: 'mine', expectedVersion: 1 } }),
    () => viewer.call(routes.artifacts.execute, { params, body: { runtime: 'server' } }),
    () => viewer.call(routes.artifacts.open, place),
  ]) {
    await expect(asked()).rejects.toMatchObject({ code: 'forbidden' })
  }
  // it goes with its conversation
  await editor.call(routes.threads.remove, { params: { id } })
  await expect(owner.call(routes.artifacts.get, { params })).rejects.toMatchObject({ code: 'not_found' })
})
