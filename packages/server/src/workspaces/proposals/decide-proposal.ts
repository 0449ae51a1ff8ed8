import { zstdCompressSync } from 'node:zlib'
import { CoherexError, type Author, type Proposal } from '@coherex/contract'
import { audienceOf } from '../document/document-audience.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { checkContents, putContent, type Content } from '../files/change-files.ts'
import { currentText } from '../files/current-text.ts'
import type { OperationDeps } from '../files/operation.ts'
import { proposedText, selectProposal, toProposal, updateProposal, type ProposalRow } from '../proposal-store.ts'
import { acceptHunks, leaveHunks, type ChosenHunks } from './accept-hunks.ts'

export interface Decision {
  id: string
  by: Author
  accept: boolean
  /** Only these; all of it where undefined. */
  only?: ChosenHunks | undefined
  /** The other hunks wait on; otherwise the decision is about all of it, and they are not made. */
  keepsRest?: boolean | undefined
  note?: string | undefined
}

// longer than accepting takes: a server that was killed in between did not change the file
const acceptingMs = 30_000

/** Accepts or rejects an agent's edit, or some of its hunks, once. What is accepted is a version of the agent's, with the person beside it. */
export async function decideProposal(
  deps: OperationDeps,
  document: WorkspaceDocument,
  decision: Decision,
): Promise<Proposal> {
  const { database, events } = deps
  const { id, by, accept, only, keepsRest, note } = decision
  const { teamId } = document.name
  const settle = (change: Partial<ProposalRow>) =>
    database.transaction({ team: teamId }, (transaction) => updateProposal(transaction, document.name, id, change))

  const event = { teamId, type: 'proposal', id: document.name.workspaceId, ...audienceOf(document) }
  const told = () => void events.publish(event)
  if (!accept && only) {
    const left = await rejectHunks(deps, document, { ...decision, only })
    told()
    return toProposal(left, currentText(document, left.path))
  }

  // first the decision, because of two who accept at once only one may change the file
  let earlier: number | null = null
  const decided = await database.transaction({ team: teamId }, async (transaction) => {
    const row = await selectProposal(transaction, document.name, id)
    if (!isUndecided(row)) throw new CoherexError('conflict', `The proposal has been ${row.status} already`)
    earlier = row.version
    // one that was accepted in part was not rejected
    const status = accept || earlier !== null ? 'accepted' : 'rejected'
    const change = { status, decidedBy: by, decidedAt: new Date(), note: note ?? null } as const
    return updateProposal(transaction, document.name, id, accept ? { ...change, version: null } : change)
  })
  if (!accept) {
    told()
    return toProposal(decided, undefined)
  }
  const { path, author, message } = decided
  const open = { status: 'open', decidedBy: null, decidedAt: null, note: null } as const
  let rest: { before: string; after: string } | undefined
  try {
    await document.change(
      author,
      (doc) => {
        const before = currentText(document, path) ?? ''
        const after = proposedText(decided, before)
        const text = only ? acceptHunks({ path, before, after }, only) : after
        rest = keepsRest && text !== after ? { before: text, after } : undefined
        const content: Content = { kind: 'text', text }
        checkContents(document, new Map([[path, content]]), new Set())
        putContent(doc, path, content)
      },
      { message: message ?? `Accepted by ${by.name}`, coauthors: [by] },
    )
  } catch (error) {
    await settle({ ...open, version: earlier })
    throw error
  }
  const accepted = await settle({ version: document.version, ...(rest && { ...open, ...pack(rest) }) })
  told()
  return toProposal(accepted, currentText(document, path))
}

/** Takes hunks out of a proposal, which waits on with the others; without others it is decided. */
async function rejectHunks(
  { database }: OperationDeps,
  document: WorkspaceDocument,
  { id, by, only, note }: Decision & { only: ChosenHunks },
): Promise<ProposalRow> {
  return database.transaction({ team: document.name.teamId }, async (transaction) => {
    const row = await selectProposal(transaction, document.name, id)
    if (!isUndecided(row)) throw new CoherexError('conflict', `The proposal has been ${row.status} already`)
    const before = currentText(document, row.path) ?? ''
    const after = leaveHunks({ path: row.path, before, after: proposedText(row, before) }, only)
    const rejected: Partial<ProposalRow> = {
      ...{ status: row.version === null ? 'rejected' : 'accepted', decidedBy: by, decidedAt: new Date() },
      note: note ?? null,
    }
    return updateProposal(transaction, document.name, id, after === before ? rejected : pack({ before, after }))
  })
}

/** A proposal that was made again from the text as it is. */
function pack({ before, after }: { before: string; after: string }): Pick<ProposalRow, 'before' | 'after'> {
  return { before: zstdCompressSync(before), after: zstdCompressSync(after) }
}

function isUndecided({ status, version, decidedAt }: ProposalRow): boolean {
  if (status === 'open') return true
  return status === 'accepted' && version === null && Date.now() - (decidedAt?.getTime() ?? 0) > acceptingMs
}
