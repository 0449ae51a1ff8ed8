import { routes, type Approval, type CoherexError } from '@coherex/contract'
import { describe, expect, it } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'

const { chat, server, owner } = await startAgentServer()
const editor = await server.invite(owner, 'editor')
const source =
  'kind: agent\nname: careful\ndescription: d\ninstructions: i\ntools: [bash]\napprovals: { bash: always }\n'
await owner.call(routes.agents.create, { body: { source } })

/** Has the agent run a command that somebody approves; answers its run. */
async function runApproved(command: string) {
  chat.answer([{ calls: [{ id: 'call_1', name: 'bash', arguments: { command } }] }, { text: 'Done.' }])
  const { id: threadId } = await owner.call(routes.threads.create, {
    body: { agent: 'careful', title: 'Count', reach: 'team' },
  })
  const say = { params: { id: threadId }, query: { wait: 'false' as const }, body: { text: 'Go' } }
  const { id: turnId } = await owner.call(routes.threads.turn, say)
  const turnStatus = async () => (await owner.call(routes.threads.getTurn, { params: { id: turnId } })).status
  await expect.poll(turnStatus, { timeout: 30_000 }).toBe('waiting')
  const { items } = await owner.call(routes.approvals.list, { query: { threadId, status: 'pending' } })
  const approval = items[0] as Approval
  await owner.call(routes.approvals.decide, { params: { id: approval.id }, body: { decision: 'approve' } })
  await expect.poll(turnStatus, { timeout: 60_000 }).toBe('done')
  const runs = await owner.call(routes.executions.list, { query: { kind: 'run', startedBy: 'agent' } })
  return { approval, threadId, run: runs.items[0] ?? expect.fail('there is no run') }
}

const refused = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it was run again'),
    (error: CoherexError) => [error.code, (error.details as { approvals?: { hash: string }[] } | undefined)?.approvals],
  )

/** How often the command ran, as its own file says. */
async function countLines(sandboxId: string): Promise<number> {
  const path = `/api/v1/sandboxes/${sandboxId}/files/count.txt`
  return (await (await owner.fetch(path)).text()).split('\n').length - 1
}

describe('the run of a call that needed an approval', () => {
  it('needs one again at every door, from a signed-in person who was shown its hash', async () => {
    const { approval, run } = await runApproved('echo once >> count.txt')
    const { id, sandboxId } = run
    const retry = (who: typeof owner.call, body: object = {}, of = id) =>
      who(routes.executions.retry, { params: { id: of }, body })
    const missing = ['forbidden', [expect.objectContaining({ hash: approval.hash, tool: 'bash' })]]

    const again = await editor.call(routes.executions.again, { params: { id } })
    expect(again).toMatchObject({
      input: 'echo once >> count.txt',
      language: 'bash',
      place: { kind: 'sandbox', id: sandboxId },
      network: [],
      approvals: [{ hash: approval.hash, shownInput: 'command: echo once >> count.txt', agent: 'careful' }],
      refusal: null,
    })

    expect(await refused(retry(editor.call))).toEqual(missing)
    expect(await refused(retry(editor.call, { approve: ['another'] }))).toEqual(missing)
    const { key } = await owner.call(routes.keys.create, { body: { name: 'robot', scopes: ['read', 'run'] } })
    const robot = server.withKey(key)
    expect((await refused(retry(robot as never)))[0]).toBe('forbidden')
    expect((await refused(retry(robot as never, { approve: [approval.hash] })))[0]).toBe('forbidden')
    const params = { id: sandboxId ?? '' }
    expect(await refused(editor.call(routes.sandboxes.rerun, { params, body: {} }))).toEqual(missing)
    const escalate = editor.call(routes.runs.escalate, { params: { id }, query: {}, body: {} })
    expect(await refused(escalate)).toEqual(missing)
    expect(await countLines(params.id)).toBe(1)

    const approve = [approval.hash]
    const second = await retry(editor.call, { approve })
    const ended = async (runId: string) =>
      (await owner.call(routes.runs.get, { params: { id: runId } })).status === 'succeeded'
    await expect.poll(() => ended(second.id), { timeout: 30_000 }).toBe(true)
    // neither what repeats it nor what repeats the cells is a way around
    expect(await refused(retry(editor.call, {}, second.id))).toEqual(missing)
    const rerun = await editor.call(routes.sandboxes.rerun, { params, body: { approve } })
    expect(await refused(retry(editor.call, {}, rerun.runs[0]?.id))).toEqual(missing)

    const { items } = await owner.call(routes.approvals.list, { query: { status: 'approved' } })
    const answers = items
      .filter(({ callId }) => callId === 'call_1')
      .map(({ kind, decidedBy }) => [kind, decidedBy?.id])
    const [bob, olga] = [editor.me.person.id, owner.me.person.id]
    expect(answers).toEqual([
      ['repeat', bob],
      ['repeat', bob],
      ['call', olga],
    ])
  })
})
