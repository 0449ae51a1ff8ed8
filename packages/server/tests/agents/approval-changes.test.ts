import { routes, type Approval, type ApprovalChange, type RecordedChange } from '@coherex/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'
import type { ChatReply, ChatServer } from '../harness/outside/chat-server.ts'
import type { TestPerson } from '../harness/test-server.ts'

let chat: ChatServer
let owner: TestPerson
let editor: TestPerson

beforeAll(async () => {
  const agents = await startAgentServer()
  ;({ chat, owner } = agents)
  editor = await agents.server.invite(owner, 'editor')
  const source =
    'kind: agent\nname: writer\ndescription: d\ninstructions: i\ntools: [files, code-mode]\napprovals: { files: when-writing }\n'
  await owner.call(routes.agents.create, { body: { source } })
})
const call = (name: string, args: object) => ({ id: `call_${name}`, name, arguments: args })
const lines = (...changed: string[]) =>
  [...changed, ...Array.from({ length: 20 }, (_, at) => `row ${at}`), ''].join('\n')

interface Asked {
  threadId: string
  turnId: string
  workspaceId: string
  approval: Approval
}

/** Has the agent make a call in a workspace with `report.txt`, and reads what it asks. */
async function ask(...replies: ChatReply[]): Promise<Asked> {
  chat.answer([...replies, { text: 'Done.' }])
  const { id: workspaceId } = await owner.call(routes.workspaces.create, { body: { name: 'Desk' } })
  await write(workspaceId, lines('title', 'total'))
  const { id: threadId } = await owner.call(routes.threads.create, {
    body: { agent: 'writer', workspaceId, reach: 'team' },
  })
  const say = { params: { id: threadId }, query: { wait: 'false' as const }, body: { text: 'Go' } }
  const { id: turnId } = await owner.call(routes.threads.turn, say)
  await status(turnId, 'waiting')
  const { items } = await owner.call(routes.approvals.list, { query: { threadId, status: 'pending' } })
  return { threadId, turnId, workspaceId, approval: items[0] as Approval }
}

const write = (id: string, text: string) =>
  owner.call(routes.workspaces.changeFiles, { params: { id }, body: { write: [{ path: 'report.txt', text }] } })

const status = (id: string, wanted: string) =>
  expect
    .poll(async () => (await owner.call(routes.threads.getTurn, { params: { id } })).status, { timeout: 30_000 })
    .toBe(wanted)

const changeOf = ({ id }: Approval, who = editor): Promise<ApprovalChange> =>
  who.call(routes.approvals.change, { params: { id } })

const approve = ({ id, hash }: Approval) =>
  editor.call(routes.approvals.decide, { params: { id }, body: { decision: 'approve', hash } })

async function lastCall({ threadId }: Asked) {
  const { messages } = await owner.call(routes.threads.get, { params: { id: threadId } })
  const parts = messages.at(-1)?.parts.filter(({ type }) => type.startsWith('tool-')) ?? []
  return parts.at(-1) as { state?: string; output?: { data?: { change?: RecordedChange } } } | undefined
}

async function textOf({ workspaceId: id }: Asked): Promise<string> {
  const path = `/api/v1/workspaces/${id}/files/report.txt`
  return (await owner.fetch(path)).text()
}

const readFirst = { calls: [call('read_file', { path: 'report.txt' })] }

describe('an approval to write a file', () => {
  it('shows the diff against the file now, and the call is made with what was read before the turn rested', async () => {
    const asked = await ask(readFirst, {
      calls: [call('write_file', { path: 'report.txt', content: lines('title', 'sum') })],
    })
    const before = await changeOf(asked.approval)
    expect(before).toMatchObject({
      workspaceId: asked.workspaceId,
      outcome: 'change',
      problem: null,
      changedSince: null,
    })
    expect(before.items).toMatchObject([{ path: 'report.txt', change: 'changed', binary: false }])
    expect(before.items[0]?.diff).toContain('\n-total\n+sum\n')

    // a person writes elsewhere in the file after the question: what they wrote stays, and the approver is told
    await write(asked.workspaceId, `${lines('title', 'total')}signed\n`)
    const after = await changeOf(asked.approval)
    expect(after.changedSince).toMatchObject({ path: 'report.txt', version: 2, author: 'Olga Owner' })
    expect(after.items[0]?.diff).not.toContain('signed')

    await approve(asked.approval)
    await status(asked.turnId, 'done')
    expect(await textOf(asked)).toBe(`${lines('title', 'sum')}signed\n`)
    const done = await lastCall(asked)
    const { workspaceId } = asked
    const change = { workspaceId, path: 'report.txt', change: 'changed', before: 2, after: 3, added: 1, removed: 1 }
    expect([done?.state, done?.output?.data?.change]).toEqual(['output-available', change])
    const query = { from: 2, to: 3, path: 'report.txt' }
    const diff = await editor.call(routes.workspaces.diff, { params: { id: asked.workspaceId }, query })
    expect(diff.items).toMatchObject([{ path: 'report.txt', change: 'changed' }])
  })

  it('lets a program write what it read before it waited', async () => {
    const code = `export default async ({ TOOLS }) => {
      const { text } = await TOOLS.read_file({ path: 'report.txt' })
      await TOOLS.write_file({ path: 'report.txt', content: text.includes('total') ? 'sum\\n' : '' })
    }`
    const asked = await ask({ calls: [call('run_program', { code })] })
    expect((await changeOf(asked.approval)).problem).toBeNull()
    await approve(asked.approval)
    await status(asked.turnId, 'done')
    expect(await textOf(asked)).toBe('sum\n')
    const { calls } = ((await lastCall(asked))?.output?.data ?? {}) as { calls?: { change?: RecordedChange }[] }
    expect(calls?.map(({ change }) => change?.after)).toEqual([undefined, 2])
  })

  it('says that a change of a person’s lines would become a proposal', async () => {
    const asked = await ask(readFirst, {
      calls: [call('write_file', { path: 'report.txt', content: lines('title', 'sum') })],
    })
    await write(asked.workspaceId, lines('title', 'grand total'))
    expect(await changeOf(asked.approval)).toMatchObject({ outcome: 'proposal', problem: null })
  })

  it('says what a new file, an edit, a move and a deletion would do', async () => {
    const fresh = await ask({ calls: [call('write_file', { path: 'new.py', content: 'x = 1\n' })] })
    expect((await changeOf(fresh.approval)).items).toMatchObject([{ path: 'new.py', change: 'added' }])
    const edit = await ask({ calls: [call('edit_file', { path: 'report.txt', search: 'total', replace: 'sum' })] })
    expect((await changeOf(edit.approval)).items[0]?.diff).toContain('\n-total\n+sum\n')
    const move = await ask({ calls: [call('move_file', { from: 'report.txt', to: 'old/report.txt' })] })
    expect((await changeOf(move.approval)).items).toEqual([
      { path: 'old/report.txt', from: 'report.txt', change: 'moved', binary: false, diff: '' },
    ])
    const removal = await ask({ calls: [call('delete_file', { path: 'report.txt' })] })
    expect((await changeOf(removal.approval)).items).toMatchObject([{ path: 'report.txt', change: 'deleted' }])
  })

  it('says why a call would fail', async () => {
    const gone = await ask({ calls: [call('edit_file', { path: 'report.txt', search: 'nowhere', replace: 'x' })] })
    expect((await changeOf(gone.approval)).problem).toContain('the text to replace is not in it')
    const unread = await ask({ calls: [call('write_file', { path: 'report.txt', content: 'x' })] })
    expect((await changeOf(unread.approval)).problem).toContain('has not read')
  })
})
