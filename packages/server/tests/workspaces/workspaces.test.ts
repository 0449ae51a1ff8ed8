import { routes, type Workspace } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

const { workspaces: route } = routes
let server: TestServer
let owner: TestPerson
let viewer: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
  viewer = await server.invite(owner, 'viewer')
})
afterAll(() => server.stop())

const make = (name = 'Test') => owner.call(route.create, { body: { name } })
const write = (id: string, path: string, body: string | Uint8Array, query: object = {}) =>
  owner.call(route.writeFile, { params: { id, path }, body, query })
const read = (id: string, path: string, query: object = {}) =>
  owner.call(route.readFile, { params: { id, path }, query })

test('at the first start there is a workspace to begin with', async () => {
  const { items } = await owner.call(route.list, {})
  expect(items.map(({ name, template, version }) => [name, template, version])).toEqual([['Welcome', 'sample', 1]])
  const { items: files } = await owner.call(route.listFiles, { params: { id: items[0]?.id ?? '' } })
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['README.md', 'primes.ts', 'data/mean.py', 'report.sh']),
  )
})

test('a workspace is made from a template, renamed, archived, taken back and deleted', async () => {
  const made = await owner.call(route.create, { body: { name: '  Invoices ', template: 'python-tool' } })
  expect(made).toMatchObject({
    name: 'Invoices',
    version: 1,
    createdBy: { kind: 'person', name: 'Olga Owner', door: 'studio' },
  })
  const params = { id: made.id }
  expect(await owner.call(route.update, { params, body: { name: 'Bills', retentionDays: 30 } })).toMatchObject({
    name: 'Bills',
    retentionDays: 30,
  })
  expect((await owner.call(route.update, { params, body: { archived: true } })).archivedAt).not.toBe(null)
  const names = async (archived: 'true' | 'false') =>
    (await owner.call(route.list, { query: { archived, search: 'bill' } })).items.map(({ name }) => name)
  expect([await names('true'), await names('false')]).toEqual([['Bills'], []])
  await expect(write(made.id, 'a', 'x')).rejects.toMatchObject({ code: 'conflict' })
  await owner.call(route.update, { params, body: { archived: false } })
  expect([await names('true'), await names('false')]).toEqual([[], ['Bills']])
  await owner.call(route.remove, { params })
  await expect(owner.call(route.get, { params })).rejects.toMatchObject({ code: 'not_found' })
  await expect(read(made.id, 'tool.py')).rejects.toMatchObject({ code: 'not_found' })
  const { items } = await owner.call(routes.audit.list, { query: { action: 'workspace' } })
  expect(items.filter(({ target }) => target?.id === made.id).map(({ action }) => action)).toEqual([
    'workspace.delete',
    'workspace.update',
    'workspace.update',
    'workspace.update',
    'workspace.create',
  ])
})

test('workspaces come in pages', async () => {
  for (const name of ['one', 'two', 'three']) await make(`paged ${name}`)
  const first = await owner.call(route.list, { query: { limit: 2, search: 'paged' } })
  const second = await owner.call(route.list, { query: { limit: 2, search: 'paged', cursor: first.nextCursor ?? '' } })
  expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['paged three', 'paged two', 'paged one'])
  expect(second.nextCursor).toBe(null)
})

describe('files over HTTP', () => {
  let workspace: Workspace
  beforeAll(async () => {
    workspace = await make('Files')
  })

  test('are read as they were written, with what they are', async () => {
    await write(workspace.id, 'src/ä b.txt', 'grüße\n')
    const response = await owner.fetch(`/api/v1/workspaces/${workspace.id}/files/src/${encodeURIComponent('ä b.txt')}`)
    expect(await response.text()).toBe('grüße\n')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-coherex-version': '1',
      'x-content-type-options': 'nosniff',
    })
    const bytes = Uint8Array.from({ length: 300 }, (_, at) => at % 256)
    await write(workspace.id, 'x.bin', bytes)
    const binary = await owner.fetch(`/api/v1/workspaces/${workspace.id}/files/x.bin`)
    expect(new Uint8Array(await binary.arrayBuffer())).toEqual(bytes)
    expect(binary.headers.get('content-disposition')).toMatch(/^attachment/)
  })

  test('larger than a JSON body are taken as a stream', async () => {
    const size = 12 * 1024 * 1024
    const result = await write(workspace.id, 'large.bin', new Uint8Array(size).fill(7))
    expect(result.version).toBeGreaterThan(0)
    const { items } = await owner.call(route.listFiles, { params: { id: workspace.id }, query: { globs: 'large*' } })
    expect(items).toMatchObject([{ path: 'large.bin', kind: 'blob', size }])
    await owner.call(route.removeFile, { params: { id: workspace.id, path: 'large.bin' } })
  })

  test('are edited, moved, searched and deleted', async () => {
    const { id } = await make()
    await write(id, 'a.txt', 'one two\n')
    const body = { path: 'a.txt', search: 'two', replace: '2', message: 'fewer letters' }
    expect(await owner.call(route.edit, { params: { id }, body })).toEqual({ version: 2 })
    expect(await owner.call(route.move, { params: { id }, body: { from: 'a.txt', to: 'b/c.txt' } })).toEqual({
      version: 3,
    })
    for (const replace of ['\0', '\ud800', 'a\udc00b']) {
      const broken = owner.call(route.edit, { params: { id }, body: { path: 'b/c.txt', search: '2', replace } })
      await expect(broken).rejects.toMatchObject({ code: 'invalid_input' })
    }
    const found = await viewer.call(route.search, { params: { id }, query: { pattern: 'ONE \\d', regex: 'true' } })
    expect(found).toEqual({ items: [{ path: 'b/c.txt', line: 1, column: 1, text: 'one 2' }], truncated: false })
    expect(await owner.call(route.removeFile, { params: { id, path: 'b' } })).toEqual({ version: 4 })
    const { items } = await viewer.call(route.listVersions, { params: { id }, query: { path: 'b/c.txt' } })
    expect(items.map(({ number, message }) => [number, message])).toEqual([
      [4, null],
      [3, null],
    ])
  })

  test('are changed with If-Match only while they are what was read, and with If-None-Match only made', async () => {
    const { id } = await make()
    const ask = async (method: string, headers: Record<string, string>, query = '') => {
      const body = method === 'PUT' ? { body: `${headers['if-match'] ?? 'new'}\n` } : {}
      const response = await owner.fetch(`/api/v1/workspaces/${id}/files/a.txt${query}`, { method, headers, ...body })
      return [response.status, response.headers.get('etag') ?? ((await response.json()) as object)] as const
    }
    expect(await ask('PUT', { 'if-match': '*' })).toMatchObject([409, { error: { code: 'conflict' } }])
    expect(await ask('PUT', { 'if-none-match': '*' })).toEqual([200, { version: 1 }])
    expect(await ask('PUT', { 'if-none-match': '*' })).toMatchObject([409, { error: { code: 'conflict' } }])
    const [, etag] = await ask('GET', {})
    const ifMatch = { 'if-match': `"other", ${String(etag)}` }
    expect(await ask('PUT', ifMatch)).toEqual([200, { version: 2 }])
    expect(await ask('PUT', ifMatch)).toMatchObject([409, { error: { details: { path: 'a.txt', version: 2 } } }])
    expect(await ask('DELETE', { 'if-match': String(etag) })).toMatchObject([409, { error: { code: 'conflict' } }])
    for (const headers of [
      { 'if-match': 'bare' },
      { 'if-none-match': String(etag) },
      { 'if-match': '*', 'if-none-match': '*' },
    ])
      expect(await ask('PUT', headers as Record<string, string>)).toMatchObject([
        400,
        { error: { code: 'invalid_input' } },
      ])
    expect(await ask('PUT', { 'if-none-match': '*' }, '?expectedVersion=2')).toMatchObject([400, {}])
    const [, now] = await ask('GET', {})
    expect(await ask('DELETE', { 'if-match': `W/${String(now)}` })).toEqual([200, { version: 3 }])
  })

  test('are changed together, as one version, with their text or their bytes', async () => {
    const { id } = await make()
    const change = (body: object) => owner.call(route.changeFiles, { params: { id }, body })
    const write = [
      { path: 'a.txt', text: 'a\n', expectedVersion: 0 },
      { path: 'b.bin', base64: 'AP8=' },
    ]
    expect(await change({ write, message: 'both' })).toEqual({ version: 1 })
    expect(await change({ write: [{ path: 'c.txt', text: 'a\n' }], remove: [{ path: 'a.txt' }] })).toEqual({
      version: 2,
    })
    expect(await owner.call(route.getVersion, { params: { id, number: 2 } })).toMatchObject({
      changes: [{ path: 'c.txt', change: 'moved', from: 'a.txt' }],
    })
    for (const one of [
      { text: 'a', base64: '' },
      {},
      { base64: 'A' },
      { base64: 'AP8' },
      { base64: 'A*==' },
      { text: '\ud800' },
      { text: 'a', agent: 'b' },
    ])
      await expect(change({ write: [{ path: 'd', ...one }] })).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(change({ write: [{ path: '../d', text: '' }] })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('cannot be outside of the workspace, however their path is spelled', async () => {
    for (const path of ['..%2fx', 'a/%2e%2e/%2e%2e/x', '%00', 'a%5cb', '%0a']) {
      const response = await owner.fetch(`/api/v1/workspaces/${workspace.id}/files/${path}`, {
        method: 'PUT',
        body: 'x',
      })
      expect([path, response.status >= 400 && response.status < 500]).toEqual([path, true])
    }
  })

  test('an API key is told apart as a door, and one that may only read does not write', async () => {
    const { id } = await make()
    const { key } = await owner.call(routes.keys.create, { body: { name: 'w', scopes: ['write'] } })
    const readKey = await owner.call(routes.keys.create, { body: { name: 'r', scopes: ['read'] } })
    await server.withKey(key)(route.writeFile, { params: { id, path: 'a' }, body: 'x' })
    const refused = server.withKey(readKey.key)(route.writeFile, { params: { id, path: 'a' }, body: 'y' })
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' })
    expect(await owner.call(route.getVersion, { params: { id, number: 1 } })).toMatchObject({ author: { door: 'api' } })
  })
})

describe('versions over HTTP', () => {
  test('are listed in pages, compared, read, tagged and restored', async () => {
    const { id } = await make()
    for (let at = 1; at <= 5; at++) await write(id, 'a.txt', `version ${at}\n`, { message: `step ${at}` })
    const first = await viewer.call(route.listVersions, { params: { id }, query: { limit: 3 } })
    const rest = await viewer.call(route.listVersions, {
      params: { id },
      query: { limit: 3, cursor: first.nextCursor ?? '' },
    })
    expect([...first.items, ...rest.items].map(({ number, message }) => [number, message])).toEqual(
      [5, 4, 3, 2, 1].map((at) => [at, `step ${at}`]),
    )
    const diff = await viewer.call(route.diff, { params: { id }, query: { from: 1, to: 2 } })
    expect(diff.items[0]?.diff).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-version 1\n+version 2\n')
    expect(await viewer.call(route.versionFile, { params: { id, number: 2, path: 'a.txt' } })).toBe('version 2\n')
    await owner.call(route.putTag, { params: { id, name: 'v1.0' }, body: { version: 2 } })
    expect((await viewer.call(route.getVersion, { params: { id, number: 2 } })).tags).toEqual(['v1.0'])
    expect((await viewer.call(route.listTags, { params: { id } })).items).toMatchObject([{ name: 'v1.0', version: 2 }])
    await expect(owner.call(route.putTag, { params: { id, name: 'no' }, body: { version: 9 } })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await owner.call(route.restore, { params: { id, number: 2 }, body: {} })).toEqual({ version: 6 })
    expect(await read(id, 'a.txt')).toBe('version 2\n')
    await owner.call(route.removeTag, { params: { id, name: 'v1.0' } })
    expect((await viewer.call(route.listTags, { params: { id } })).items).toEqual([])
    const same = await viewer.call(route.diff, { params: { id }, query: { from: 2, to: 6 } })
    expect(same.items).toEqual([])
  })
})

describe('an agent', () => {
  const text = 'title\n\none\ntwo\nthree\n\nend\n'

  test('writes a whole file, and what a person changed elsewhere in it meanwhile survives', async () => {
    const { id } = await make()
    await write(id, 'a.txt', text)
    await write(id, 'a.txt', text.replace('title', 'Title'))
    const query = { agent: 'robot', readVersion: 1 }
    expect(await write(id, 'a.txt', text.replace('end', 'END'), query)).toEqual({ version: 3 })
    expect(await read(id, 'a.txt')).toBe('Title\n\none\ntwo\nthree\n\nEND\n')
    expect(await owner.call(route.getVersion, { params: { id, number: 3 } })).toMatchObject({
      author: { kind: 'agent', name: 'robot' },
    })
  })

  test('that changes lines a person changed makes a proposal, which a person accepts or rejects', async () => {
    const { id } = await make()
    await write(id, 'a.txt', text)
    await write(id, 'a.txt', text.replace('two', 'TWO by a person'))
    const query = { agent: 'robot', readVersion: 1, message: 'count on' }
    const { version, proposal } = await write(id, 'a.txt', text.replace('two', '2 by an agent'), query)
    expect(version).toBe(2)
    expect(proposal).toMatchObject({ status: 'open', path: 'a.txt', author: { name: 'robot' }, message: 'count on' })
    expect(proposal?.diff).toContain('-TWO by a person\n+2 by an agent\n')
    expect(await read(id, 'a.txt')).toContain('TWO by a person')

    const edit = { path: 'a.txt', search: 'two', replace: 'deux', agent: 'robot', readVersion: 1 }
    const second = await owner.call(route.edit, { params: { id }, body: edit })
    const waiting = await viewer.call(route.listProposals, { params: { id } })
    expect(waiting.items.map((one) => one.id)).toEqual([second.proposal?.id, proposal?.id])

    const decide = (proposalId: string, decision: 'accept' | 'reject') =>
      owner.call(route.decideProposal, { params: { id, proposalId }, body: { decision, note: 'seen' } })
    expect(await decide(second.proposal?.id ?? '', 'reject')).toMatchObject({ status: 'rejected', version: null })
    expect(await decide(proposal?.id ?? '', 'accept')).toMatchObject({
      status: 'accepted',
      version: 3,
      decidedBy: { name: 'Olga Owner' },
      note: 'seen',
    })
    expect(await read(id, 'a.txt')).toBe(text.replace('two', '2 by an agent'))
    expect(await owner.call(route.getVersion, { params: { id, number: 3 } })).toMatchObject({
      author: { kind: 'agent', name: 'robot' },
      coauthors: [{ kind: 'person', name: 'Olga Owner' }],
    })
    await expect(decide(proposal?.id ?? '', 'reject')).rejects.toMatchObject({ code: 'conflict' })
  })

  test('that makes a proposal of several hunks has some of them accepted, as they were seen', async () => {
    const { id } = await make()
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
    const [base, person] = [`${lines.join('\n')}\n`, 'by a person']
    await write(id, 'a.txt', base)
    await write(id, 'a.txt', base.replace('line 3\n', `${person}\n`).replace('line 25\n', `${person}\n`))
    const agent = base.replace('line 3\n', 'three\n').replace('line 25\n', 'twenty-five\n')
    const { proposal } = await write(id, 'a.txt', agent, { agent: 'robot', readVersion: 1 })
    const { id: proposalId = '', digest = '' } = proposal ?? {}
    const accept = (hunks: number[], of: string) =>
      owner.call(route.decideProposal, {
        params: { id, proposalId },
        body: { decision: 'accept', hunks, digest: of },
      })
    await expect(accept([0], 'another')).rejects.toMatchObject({ code: 'conflict' })
    await expect(accept([2], digest)).rejects.toMatchObject({ code: 'invalid_input' })
    expect(await accept([1], digest)).toMatchObject({ status: 'accepted', version: 3 })
    expect(await read(id, 'a.txt')).toBe(base.replace('line 3\n', `${person}\n`).replace('line 25\n', 'twenty-five\n'))
  })

  test('that makes a proposal has its hunks decided one after the other, while the others wait', async () => {
    const { id } = await make()
    const lines = Array.from({ length: 45 }, (_, index) => `line ${index + 1}`)
    const base = `${lines.join('\n')}\n`
    const mark = (line: number, word: string) => (text: string) => text.replace(`line ${line}\n`, `${word}\n`)
    const edit = (text: string, ...edits: ((text: string) => string)[]) => edits.reduce((made, one) => one(made), text)
    await write(id, 'a.txt', base)
    await write(id, 'a.txt', edit(base, mark(3, 'person'), mark(20, 'person'), mark(40, 'person')))
    const agent = edit(base, mark(3, 'three'), mark(20, 'twenty'), mark(40, 'forty'))
    const { proposal } = await write(id, 'a.txt', agent, { agent: 'robot', readVersion: 1 })
    const { id: proposalId = '', digest = '' } = proposal ?? {}
    const decide = (decision: 'accept' | 'reject', hunks: number[], of: string) =>
      owner.call(route.decideProposal, {
        params: { id, proposalId },
        body: { decision, hunks, digest: of, rest: 'keep' },
      })
    const first = await decide('accept', [1], digest)
    expect(first).toMatchObject({ status: 'open', version: 3, decidedAt: null })
    expect(await read(id, 'a.txt')).toBe(edit(base, mark(3, 'person'), mark(20, 'twenty'), mark(40, 'person')))
    // what a person types meanwhile, on the accepted line too, stays
    await write(id, 'a.txt', edit(base, mark(3, 'person'), mark(20, 'again'), mark(40, 'person')))
    await expect(decide('reject', [0], 'another')).rejects.toMatchObject({ code: 'conflict' })
    const seen = await owner.call(route.getProposal, { params: { id, proposalId } })
    const second = await decide('reject', [0], seen.digest)
    expect(second).toMatchObject({ status: 'open', diff: expect.stringContaining('-person\n+forty') as string })
    expect(second.diff).not.toMatch(/three|twenty/)
    expect(await decide('reject', [0], second.digest)).toMatchObject({
      ...{ status: 'accepted', version: 3 },
      decidedBy: { name: 'Olga Owner' },
    })
    expect(await read(id, 'a.txt')).toBe(edit(base, mark(3, 'person'), mark(20, 'again'), mark(40, 'person')))
    const drop = { decision: 'reject' as const, hunks: [0], digest }
    await expect(owner.call(route.decideProposal, { params: { id, proposalId }, body: drop })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  test('says what it read before it writes over a file', async () => {
    const { id } = await make()
    await write(id, 'a.txt', 'x', { agent: 'robot' })
    await expect(write(id, 'a.txt', 'y', { agent: 'robot' })).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

test('replace previews, then changes files that fit the globs as one version', async () => {
  const { id } = await make()
  await write(id, 'a.py', 'print(one)\n')
  await write(id, 'b.md', 'print(two)\n')
  const replace = (preview: boolean) =>
    owner.call(route.replace, {
      params: { id },
      body: { pattern: 'print\\((\\w+)\\)', regex: true, replacement: 'log($1)', globs: '*.py', preview },
    })
  expect(await replace(true)).toMatchObject({ version: 2, items: [{ path: 'a.py', count: 1 }] })
  expect(await read(id, 'a.py')).toBe('print(one)\n')
  const { version, items } = await replace(false)
  expect(items[0]?.diff).toContain('-print(one)\n+log(one)\n')
  expect(version).toBe(3)
  expect([await read(id, 'a.py'), await read(id, 'b.md')]).toEqual(['log(one)\n', 'print(two)\n'])
})

test('whoever looks hears of changed files, new versions and proposals', async () => {
  const { id } = await make()
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/events`, { headers: viewer.socketHeaders() })
  const heard: { type: string; id: string | null }[] = []
  socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()) as { type: string; id: string | null }))
  await new Promise((resolve) => socket.once('open', resolve))
  await write(id, 'a.txt', 'x\n')
  const both = [
    { type: 'file-changed', id },
    { type: 'version-made', id },
  ]
  await expect.poll(() => heard).toEqual(expect.arrayContaining(both))
  expect(heard.filter(({ type }) => type === 'document-update')).toEqual([])
  socket.close()
})
