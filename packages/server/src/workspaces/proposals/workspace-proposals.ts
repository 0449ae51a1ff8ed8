import type { Page, Proposal } from '@coherex/contract'
import type { DocumentName } from '../document/document-store.ts'
import type { OpenDocuments } from '../document/open-documents.ts'
import { currentText } from '../files/current-text.ts'
import type { OperationDeps } from '../files/operation.ts'
import { selectProposal, selectProposals, toProposal } from '../proposal-store.ts'
import { decideProposal, type Decision } from './decide-proposal.ts'
import { previewChange, type ChangePreview, type PlannedChange } from './preview-change.ts'

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

  get(name: DocumentName, id: string): Promise<Proposal> {
    return this.#documents.use(name, async (document) => {
      const row = await this.#deps.database.transaction({ team: name.teamId }, (transaction) =>
        selectProposal(transaction, name, id),
      )
      return toProposal(row, currentText(document, row.path))
    })
  }

  decide(name: DocumentName, decision: Decision): Promise<Proposal> {
    return this.#documents.use(name, (document) => decideProposal(this.#deps, document, decision))
  }

  /** What a change of an agent would do now, without doing it. */
  async preview(name: DocumentName, change: PlannedChange): Promise<ChangePreview> {
    return this.#documents.use(name, (document) => previewChange(this.#deps.database, document, change))
  }
}
