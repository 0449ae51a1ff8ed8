import type { Page, Proposal } from '@coherex/contract'
import type { DocumentName } from '../document/document-store.ts'
import type { OpenDocuments } from '../document/open-documents.ts'
import { currentText } from '../files/current-text.ts'
import type { OperationDeps } from '../files/operation.ts'
import { selectProposals, toProposal } from '../proposal-store.ts'
import { decideProposal, type Decision } from './decide-proposal.ts'

/** Edits of agents that wait for a person. */
export class WorkspaceProposals {
  readonly #deps: OperationDeps
  readonly #documents: OpenDocuments

  constructor(deps: OperationDeps, documents: OpenDocuments) {
    this.#deps = deps
    this.#documents = documents
  }

  list(
    name: DocumentName,
    query: { limit: number; cursor?: string | undefined; status: Proposal['status'] },
  ): Promise<Page<Proposal>> {
    return this.#documents.use(name, async (document) => {
      const { items, nextCursor } = await selectProposals(this.#deps.database, name, query)
      return { items: items.map((row) => toProposal(row, currentText(document, row.path))), nextCursor }
    })
  }

  decide(name: DocumentName, decision: Decision): Promise<Proposal> {
    return this.#documents.use(name, (document) => decideProposal(this.#deps, document, decision))
  }
}
