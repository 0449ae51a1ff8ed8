import { CoherexError, type Author, type Proposal } from '@coherex/contract'
import { audienceOf } from '../document/document-audience.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import { checkContents, putContent, type Content } from '../files/change-files.ts'
import { currentText } from '../files/current-text.ts'
import type { OperationDeps } from '../files/operation.ts'
import { proposedText, selectProposal, toProposal, updateProposal, type ProposalRow } from '../proposal-store.ts'
import { acceptHunks, type AcceptedHunks } from './accept-hunks.ts'

export interface Decision {
  id: string
  by: Author
  accept: boolean
  /** Only these; all of it where undefined. */
  only?: AcceptedHunks | undefined
  note?: string | undefined
}

// longer than accepting takes: a server that was killed in between did not change the file
const acceptingMs = 30_000

/** Accepts or rejects an agent's edit, once. What is accepted is a version of the agent's, with the person beside it. */
export async function decideProposal(
  { database, events }: OperationDeps,
  document: WorkspaceDocument,
  { id, by, accept, only, note }: Decision,
): Promise<Proposal> {
  const { teamId } = document.name
  const settle = (change: Partial<ProposalRow>) =>
    database.transaction({ team: teamId }, (transaction) => updateProposal(transaction, document.name, id, change))

  // first the decision, because of two who accept at once only one may change the file
  const decided = await database.transaction({ team: teamId }, async (transaction) => {
    const row = await selectProposal(transaction, document.name, id)
    if (!isUndecided(row)) throw new CoherexError('conflict', `The proposal has been ${row.status} already`)
    const status = accept ? 'accepted' : 'rejected'
    const change = { status, decidedBy: by, decidedAt: new Date(), note: note ?? null } as const
    return updateProposal(transaction, document.name, id, change)
  })
  const event = { teamId, type: 'proposal', id: document.name.workspaceId, ...audienceOf(document) }
  const told = () => void events.publish(event)
  if (!accept) {
    told()
    return toProposal(decided, undefined)
  }
  const { path, author, message } = decided
  try {
    await document.change(
      author,
      (doc) => {
        const before = currentText(document, path) ?? ''
        const after = proposedText(decided, before)
        const text = only ? acceptHunks({ path, before, after }, only) : after
        const content: Content = { kind: 'text', text }
        checkContents(document, new Map([[path, content]]), new Set())
        putContent(doc, path, content)
      },
      { message: message ?? `Accepted by ${by.name}`, coauthors: [by] },
    )
  } catch (error) {
    await settle({ status: 'open', decidedBy: null, decidedAt: null, note: null })
    throw error
  }
  const accepted = await settle({ version: document.version })
  told()
  return toProposal(accepted, undefined)
}

function isUndecided({ status, version, decidedAt }: ProposalRow): boolean {
  if (status === 'open') return true
  return status === 'accepted' && version === null && Date.now() - (decidedAt?.getTime() ?? 0) > acceptingMs
}
