import type { ApprovalChange, FileDiff } from '@coherex/contract'
import { and, eq } from 'drizzle-orm'
import type { Database } from '../../base/index.ts'
import type { PlannedChange, Workspaces } from '../../workspaces/index.ts'
import { messageTable } from '../threads/tables.ts'
import { selectThread } from '../threads/thread-store.ts'
import { findReadVersion } from '../turn/read-versions.ts'
import { selectTurn } from '../turns/turn-store.ts'
import { readApproval, selectApproval } from './approval-store.ts'

interface PreviewDeps {
  database: Database
  workspaces: Workspaces
}

const nothing: ApprovalChange = {
  workspaceId: null,
  items: [],
  outcome: 'change',
  problem: null,
  changedSince: null,
}

/** What a call that waits would do to the files of its workspace as they are now. */
export async function previewCall(
  { database, workspaces }: PreviewDeps,
  teamId: string,
  approvalId: string,
): Promise<ApprovalChange> {
  // whoever is asked sees what the call would do, and need not see the conversation for it
  await readApproval(database, teamId, approvalId)
  const own = { team: teamId, upkeep: true } as const
  const { asked, workspaceId, parts } = await database.transaction(own, async (transaction) => {
    const approval = await selectApproval(transaction, teamId, approvalId)
    const thread = await selectThread(transaction, teamId, approval.threadId)
    const { answerId } = await selectTurn(transaction, teamId, approval.turnId)
    const [answer] = await transaction
      .select({ parts: messageTable.parts })
      .from(messageTable)
      .where(and(eq(messageTable.teamId, teamId), eq(messageTable.id, answerId)))
    return { asked: approval, workspaceId: thread.workspaceId, parts: answer?.parts ?? [] }
  })
  if (workspaceId === null || asked.reference !== 'files') return nothing
  const planned = toPlanned(asked.tool, asked.input, (path) => findReadVersion(parts, path))
  if (!planned) return { ...nothing, workspaceId }
  const name = { teamId, workspaceId }
  const preview = await workspaces.proposals.preview(name, planned)
  // what a program read is not in its answer
  if (isUnread(planned, preview.items[0]) && asked.via.length === 0) {
    preview.problem ??= `${asked.agentName} has not read ${planned.path} in this turn`
  }
  const path = planned.kind === 'move' ? planned.from : planned.path
  const { items } = await workspaces.versions.list(name, { path, limit: 1 })
  const [last] = items
  const isLater = last !== undefined && Date.parse(last.at) > asked.createdAt.getTime()
  return {
    workspaceId,
    ...preview,
    changedSince: isLater ? { path, version: last.number, author: last.author.name, at: last.at } : null,
  }
}

function isUnread(planned: PlannedChange, item: FileDiff | undefined): planned is PlannedChange & { kind: 'write' } {
  return planned.kind === 'write' && planned.readVersion === undefined && item?.change === 'changed'
}

/** Arguments as the model wrote them: what is none of the tool's changes nothing. */
function toPlanned(
  tool: string,
  input: unknown,
  readVersionOf: (path: string) => number | undefined,
): PlannedChange | undefined {
  const { path, from, to, content, search, replace } = (input ?? {}) as Record<string, unknown>
  const isText = (...values: unknown[]) => values.every((value) => typeof value === 'string')
  if (tool === 'write_file' && isText(path, content)) {
    return { kind: 'write', path: String(path), text: String(content), readVersion: readVersionOf(String(path)) }
  }
  if (tool === 'edit_file' && isText(path, search, replace)) {
    const texts = { search: String(search), replace: String(replace) }
    return { kind: 'edit', path: String(path), ...texts, readVersion: readVersionOf(String(path)) }
  }
  if (tool === 'move_file' && isText(from, to)) return { kind: 'move', from: String(from), to: String(to) }
  if (tool === 'delete_file' && isText(path)) return { kind: 'remove', path: String(path) }
  return undefined
}
