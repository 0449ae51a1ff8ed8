import { largestArtifact, routes } from '@coherex/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { connectSyncClient, type SyncClient } from './harness/sync-client.ts'
import { startTestServer, type TestPerson, type TestServer } from './harness/test-server.ts'

let server: TestServer
let owner: TestPerson
let editor: TestPerson
let viewer: TestPerson
const clients: SyncClient[] = []

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
  editor = await server.invite(owner, 'editor')
  viewer = await server.invite(owner, 'viewer')
})
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})
afterAll(() => server.stop())

const first = 'total = 1\nprint(total)'

/** A block of a conversation, from its first edit. */
async function makeBlock(author: TestPerson, reach: 'private' | 'team' = 'team') {
  const thread = await author.call(routes.threads.import, {
    body: {
      ...{ kind: 'coherex-thread', version: 1, agent: 'coder', title: 'Together' },
      messages: [
        {
          ...{ id: 'one', parentId: null, role: 'assistant', createdAt: '2026-01-01T00:00:00.000Z', createdBy: 'Ann' },
          parts: [{ type: 'text', text: `\`\`\`python\n${first}\n\`\`\`` }],
        },
      ],
    },
  })
  await author.call(routes.threads.change, { params: { id: thread.id }, body: { reach } })
  const messageId = thread.messages[0]?.id ?? ''
  const { id } = await author.call(routes.artifacts.open, { params: { id: thread.id, messageId }, body: { index: 0 } })
  return { id, threadId: thread.id }
}

function join(person: TestPerson, id: string): SyncClient {
  const client = connectSyncClient({
    url: server.url,
    workspaceId: id,
    headers: { ...person.socketHeaders(), origin: server.url },
  })
  clients.push(client)
  return client
}

const textOf = ({ doc }: SyncClient) => doc.getText('text:shared')
const read = (client: SyncClient) => textOf(client).toString()
const poll = <T>(get: () => T) => expect.poll(get, { interval: 20, timeout: 10_000 })
const get = (person: TestPerson, id: string) => person.call(routes.artifacts.get, { params: { id } })

test('two people who type in one line of a block both keep their text, and it is a version', async () => {
  const { id } = await makeBlock(owner)
  const [one, two] = [join(owner, id), join(editor, id)]
  await one.stored()
  await two.stored()
  expect([read(one), read(two)]).toEqual([first, first])
  textOf(one).insert(9, '00')
  textOf(two).insert(0, 'sub')
  await Promise.all([one.stored(), two.stored()])
  await poll(() => [read(one), read(two)]).toEqual(Array(2).fill('subtotal = 100\nprint(total)'))
  expect(await get(owner, id)).toMatchObject({ version: 2, code: 'subtotal = 100\nprint(total)' })
  const { items } = await owner.call(routes.audit.list, { query: { limit: 50 } })
  const { actor, details } = items.find(({ action, target }) => action === 'artifact.save' && target?.id === id) ?? {}
  expect(new Set([actor?.id, ...((details?.['with'] as string[] | undefined) ?? [])])).toEqual(
    new Set([owner.me.person.id, editor.me.person.id]),
  )
})

test('a version that is saved elsewhere meets what is typed, and what is typed is kept when its person leaves', async () => {
  const { id } = await makeBlock(owner)
  const one = join(editor, id)
  await one.stored()
  textOf(one).insert(9, '5')
  await owner.call(routes.artifacts.save, {
    params: { id },
    body: {
      code: first.replace('print(total)', 'print(2 * total)').replace('total =', 'the_total ='),
      expectedVersion: 1,
    },
  })
  const both = 'the_total = 15\nprint(2 * total)'
  await poll(() => read(one)).toBe(both)
  textOf(one).insert(read(one).length, ' # mine')
  // a closed line, and no time to pause
  await new Promise((resolve) => setTimeout(resolve, 200))
  one.destroy()
  await poll(async () => (await get(owner, id)).code).toBe(`${both} # mine`)
})

test('a client asks for what it typed to be stored at once', async () => {
  const { id } = await makeBlock(owner)
  const one = join(owner, id)
  await one.stored()
  textOf(one).insert(9, '5')
  one.provider.sendStateless('store')
  await one.stored()
  expect((await get(owner, id)).code).toBe(first.replace('1', '15'))
})

test('a block is typed in by those who may edit it, seen by those who see its conversation, and by nobody else', async () => {
  const [open, secret] = [await makeBlock(owner), await makeBlock(owner, 'private')]
  const [one, reader] = [join(owner, open.id), join(viewer, open.id)]
  await one.stored()
  await reader.stored()
  expect(reader.provider.authorizedScope).toBe('readonly')
  textOf(reader).insert(0, 'not ')
  textOf(one).insert(0, '# ')
  await one.stored()
  expect((await get(owner, open.id)).code).toBe(`# ${first}`)
  expect(reader.isStored()).toBe(false)

  const [own, stranger] = [join(owner, secret.id), join(editor, secret.id)]
  await own.stored()
  expect(read(own)).toBe(first)
  await poll(() => stranger.closings.length).toBeGreaterThan(0)
  expect({ isSynced: stranger.provider.isSynced, text: read(stranger) }).toEqual({ isSynced: false, text: '' })

  // a conversation that becomes private ends what others have open of it
  const other = join(editor, open.id)
  await other.stored()
  await owner.call(routes.threads.change, { params: { id: open.threadId }, body: { reach: 'private' } })
  await poll(() => other.closings.map(({ code }) => code)).toContain(4404)
  expect(one.closings).toEqual([])
})

test('a block is one text: files, other texts and texts that are too long are refused', async () => {
  const { id } = await makeBlock(owner)
  const hostile: ((doc: Y.Doc) => void)[] = [
    (doc) => doc.getMap('files').set('a.txt', { text: 'a.txt' }),
    (doc) => doc.getText('text:other').insert(0, 'x'),
    (doc) => doc.getText('text:shared').insert(0, 'x'.repeat(largestArtifact.code + 1)),
  ]
  for (const change of hostile) {
    const [witness, client] = [join(owner, id), join(editor, id)]
    await witness.stored()
    await client.stored()
    change(client.doc)
    await poll(() => client.closings.length).toBeGreaterThan(0)
    expect([4400, 4413]).toContain(client.closings[0]?.code)
    client.destroy()
    expect(read(witness)).toBe(first)
  }
  expect(await get(owner, id)).toMatchObject({ version: 1, code: first })
})
