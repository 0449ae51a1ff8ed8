import { routes } from '@coherex/contract'
import { expect, test } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'

const { chat, server, owner } = await startAgentServer()
const { id: workspaceId } = await owner.call(routes.workspaces.create, { body: { name: 'Undone' } })
const params = { id: workspaceId }

const write = (path: string, body: string) =>
  owner.call(routes.workspaces.writeFile, { params: { ...params, path }, body })
async function read(path: string): Promise<string | undefined> {
  const response = await owner.fetch(`/api/v1/workspaces/${workspaceId}/files/${path}`)
  return response.ok ? response.text() : undefined
}

type Call = { name: string; arguments: unknown }

/** One turn that makes these calls, each in a step of its own. */
async function work(
  calls: Call[],
  between: Record<number, () => Promise<unknown>> = {},
  threadId?: string,
): Promise<string> {
  let step = 0
  chat.answer(async ({ tools }) => {
    if (tools.length === 0) return { text: 'A title' }
    await between[step]?.()
    const call = calls[step++]
    return call ? { calls: [call] } : { text: 'Done.' }
  })
  const id =
    threadId ?? (await owner.call(routes.threads.create, { body: { agent: 'coder', workspaceId, reach: 'team' } })).id
  const { id: turnId } = (await owner.call(routes.threads.turn, {
    ...{ params: { id }, query: { wait: 'false' }, body: { text: 'Work' } },
  })) as { id: string }
  await expect
    .poll(async () => (await owner.call(routes.threads.getTurn, { params: { id: turnId } })).status, {
      timeout: 20_000,
    })
    .toBe('done')
  return turnId
}
const changes = (id: string) => owner.call(routes.threads.turnChanges, { params: { id } })
const undo = (id: string, person = owner) => person.call(routes.threads.undoTurn, { params: { id } })
const readFile = (path: string) => ({ name: 'read_file', arguments: { path } })
const edit = (path: string, search: string, replace: string) => ({
  name: 'edit_file',
  arguments: { path, search, replace },
})

const long = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n') + '\n'

test('undo takes back what the turn did to each file, and keeps what people typed between and since', async () => {
  await write('a.txt', long)
  await write('old.txt', 'to be deleted\n')
  await write('name.txt', 'to be moved\n')
  const turnId = await work(
    [
      readFile('a.txt'),
      edit('a.txt', 'line 3\n', 'three\n'),
      edit('a.txt', 'line 17\n', 'seventeen\n'),
      { name: 'write_file', arguments: { path: 'new.txt', content: 'made\n' } },
      { name: 'delete_file', arguments: { path: 'old.txt' } },
      { name: 'move_file', arguments: { from: 'name.txt', to: 'renamed.txt' } },
    ],
    { 2: async () => write('a.txt', ((await read('a.txt')) ?? '').replace('line 10\n', 'typed between\n')) },
  )
  const { workspaceId: where, items } = await changes(turnId)
  expect(where).toBe(workspaceId)
  expect(items.map(({ path, change }) => `${change} ${path}`)).toEqual([
    'changed a.txt',
    'changed a.txt',
    'added new.txt',
    'deleted old.txt',
    'moved renamed.txt',
  ])
  expect(items[0]?.diff).toContain('-line 3\n+three\n')
  expect(items[1]?.diff).not.toContain('typed between\n+')
  await write('a.txt', ((await read('a.txt')) ?? '').replace('line 1\n', 'typed since\n'))
  await write('renamed.txt', 'to be moved, and typed in\n')

  const done = await undo(turnId)
  expect(done.kept).toEqual([])
  expect(done.undone.toSorted()).toEqual(['a.txt', 'name.txt', 'new.txt', 'old.txt', 'renamed.txt'])
  expect(await read('a.txt')).toBe(long.replace('line 1\n', 'typed since\n').replace('line 10\n', 'typed between\n'))
  expect(await read('new.txt')).toBeUndefined()
  expect(await read('old.txt')).toBe('to be deleted\n')
  expect(await read('name.txt')).toBe('to be moved, and typed in\n')
  expect(await read('renamed.txt')).toBeUndefined()
  const { items: versions } = await owner.call(routes.workspaces.listVersions, { params })
  expect(versions[0]).toMatchObject({
    number: done.version,
    author: { kind: 'person', name: owner.me.person.name },
    message: 'Undid what coder changed',
  })
  expect(await undo(turnId)).toEqual({ version: done.version, undone: [], kept: [] })
})

test('a file in which people changed the same lines since stays, and is named; the others are undone', async () => {
  await write('both.txt', 'one\ntwo\n')
  await write('free.txt', 'one\n')
  const turnId = await work([
    readFile('both.txt'),
    edit('both.txt', 'two', 'TWO'),
    readFile('free.txt'),
    edit('free.txt', 'one', 'ONE'),
    { name: 'write_file', arguments: { path: 'made.txt', content: 'made\n' } },
  ])
  await write('both.txt', 'one\nTWO, says a person\n')
  await write('made.txt', 'made, and typed in\n')
  const done = await undo(turnId)
  expect(done.undone).toEqual(['free.txt'])
  expect(done.kept).toEqual([
    { path: 'made.txt', why: 'it was changed since' },
    { path: 'both.txt', why: 'others changed the same lines since' },
  ])
  expect(await read('both.txt')).toBe('one\nTWO, says a person\n')
  expect(await read('made.txt')).toBe('made, and typed in\n')
  expect(await read('free.txt')).toBe('one\n')
})

test('a deleted folder comes back, and so does what a command of the shell changed', async () => {
  await write('folder/a.txt', 'a\n')
  await write('folder/b/c.txt', 'c\n')
  await write('shell.txt', 'before\n')
  const turnId = await work([
    { name: 'delete_file', arguments: { path: 'folder' } },
    { name: 'workspace_shell', arguments: { command: 'sed -i s/before/after/ shell.txt' } },
  ])
  expect(await read('shell.txt')).toBe('after\n')
  await undo(turnId)
  expect(await Promise.all(['folder/a.txt', 'folder/b/c.txt', 'shell.txt'].map(read))).toEqual([
    'a\n',
    'c\n',
    'before\n',
  ])
})

test('a turn that changed nothing cannot be undone, and a viewer may look but not undo', async () => {
  const idle = await work([readFile('a.txt')])
  expect(await changes(idle)).toEqual({ workspaceId: null, items: [] })
  await expect(undo(idle)).rejects.toMatchObject({ code: 'conflict' })
  const turnId = await work([{ name: 'write_file', arguments: { path: 'kept.txt', content: 'kept\n' } }])
  const viewer = await server.invite(owner, 'viewer')
  expect((await viewer.call(routes.threads.turnChanges, { params: { id: turnId } })).items).toHaveLength(1)
  await expect(undo(turnId, viewer)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await read('kept.txt')).toBe('kept\n')
})

test('an imported conversation takes back nothing that its agent did not do', async () => {
  const turnId = await work([{ name: 'write_file', arguments: { path: 'mine.txt', content: 'by the agent\n' } }])
  await write('theirs.txt', 'by a person\n')
  const { items } = await owner.call(routes.workspaces.listVersions, { params, query: { path: 'theirs.txt' } })
  const superuser = await server.database.superuser()
  // as if the answer said that the person's version was its own
  await superuser.query(
    `UPDATE coherex.message SET parts = (replace(parts::text, $2, $3))::jsonb
     WHERE id = (SELECT answer_id FROM coherex.turn WHERE id = $1)`,
    [turnId, '"after": ', `"after": ${items[0]?.number}, "was": `],
  )
  await superuser.end()
  await expect(undo(turnId)).rejects.toMatchObject({ code: 'conflict' })
  expect(await read('theirs.txt')).toBe('by a person\n')
})

test('undo with the conversation shows the thread as it was before the question, and takes back later answers too', async () => {
  await write('a.md', 'one\n\ntwo\n\nthree\n')
  const { id } = await owner.call(routes.threads.create, { body: { agent: 'coder', workspaceId } })
  const first = await work([readFile('a.md'), edit('a.md', 'one', 'ONE')], {}, id)
  const before = await owner.call(routes.threads.get, { params: { id } })
  const second = await work([readFile('a.md'), edit('a.md', 'two', 'TWO')], {}, id)
  await work([{ name: 'write_file', arguments: { path: 'later.md', content: 'later\n' } }], {}, id)
  await write('a.md', ((await read('a.md')) ?? '').replace('three', 'three, typed since'))

  const undoAll = (turnId: string) =>
    owner.call(routes.threads.undoTurn, { params: { id: turnId }, query: { conversation: 'true' } })
  expect((await undoAll(second)).undone.toSorted()).toEqual(['a.md', 'later.md'])
  expect(await read('a.md')).toBe('ONE\n\ntwo\n\nthree, typed since\n')
  expect(await read('later.md')).toBeUndefined()
  const after = await owner.call(routes.threads.get, { params: { id } })
  expect(after.messages.map((message) => message.id)).toEqual(before.messages.map((message) => message.id))
  // what was said is a branch, and comes back
  const { answerId } = await owner.call(routes.threads.getTurn, { params: { id: second } })
  const again = await owner.call(routes.threads.change, { params: { id }, body: { head: answerId } })
  expect(again.messages).toHaveLength(6)

  await undoAll(first)
  expect((await owner.call(routes.threads.get, { params: { id } })).messages).toEqual([])
  const idle = await work([])
  expect(await undoAll(idle)).toEqual({ version: null, undone: [], kept: [] })
})
