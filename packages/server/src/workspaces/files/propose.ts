import { zstdCompressSync } from 'node:zlib'
import { CoherexError, type ChangeResult } from '@coherex/contract'
import { and, count, eq } from 'drizzle-orm'
import { createId } from '../../base/index.ts'
import { audienceOf } from '../document/document-audience.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { toProposal } from '../proposal-store.ts'
import { proposalTable } from '../tables.ts'
import { currentText } from './current-text.ts'
import type { Operation, OperationDeps } from './operation.ts'

export interface Proposing extends Operation {
  path: string
  readVersion: number
  /** The text as the agent knew it, and as it wants it. */
  before: string
  after: string
}

const mostOpen = 200

/** Keeps an agent's edit for a person to decide on. */
export async function propose(
  { database, events }: OperationDeps,
  document: WorkspaceDocument,
  { path, author, message, readVersion, before, after }: Proposing,
): Promise<ChangeResult> {
  const { teamId, workspaceId } = document.name
  const row = await database.transaction({ team: teamId }, async (transaction) => {
    const isOpen = and(
      eq(proposalTable.teamId, teamId),
      eq(proposalTable.workspaceId, workspaceId),
      eq(proposalTable.status, 'open'),
    )
    const [open] = await transaction.select({ count: count() }).from(proposalTable).where(isOpen)
    if ((open?.count ?? 0) >= mostOpen) {
      throw new CoherexError('quota_exceeded', `Cannot propose the change: ${mostOpen} proposals wait already`)
    }
    const [made] = await transaction
      .insert(proposalTable)
      .values({
        teamId,
        workspaceId,
        id: createId('proposal'),
        path,
        author,
        message: message ?? null,
        readVersion,
        before: zstdCompressSync(before),
        after: zstdCompressSync(after),
        status: 'open',
      })
      .returning()
    if (!made) throw new Error('the proposal was not stored')
    return made
  })
  void events.publish({ teamId, type: 'proposal', id: workspaceId, ...audienceOf(document) })
  return { version: document.version, proposal: toProposal(row, currentText(document, path)) }
}
