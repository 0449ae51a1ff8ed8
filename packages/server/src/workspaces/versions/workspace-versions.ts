import {
  CoherexError,
  type Author,
  type ChangeResult,
  type FileDiff,
  type Page,
  type UndoneChanges,
  type WorkspaceTag,
  type WorkspaceVersion,
} from '@coherex/contract'
import type { DocumentName } from '../document/document-store.ts'
import type { OpenDocuments } from '../document/open-documents.ts'
import type { OperationDeps } from '../files/operation.ts'
import { selectVersion, selectVersions, type VersionFilters } from '../version-store.ts'
import { toWorkspacePath } from '../workspace-path.ts'
import { selectWorkspace } from '../workspace-store.ts'
import { diffFile, diffVersions } from './diff-versions.ts'
import { restoreVersion, type Restore } from './restore-version.ts'
import { listTags, putTag, removeTag } from './tags.ts'
import { undoVersions, type Undo } from './undo-versions.ts'

interface PageRequest {
  limit: number
  cursor?: string | undefined
}

/** The history of a workspace. */
export class WorkspaceVersions {
  readonly #deps: OperationDeps
  readonly #documents: OpenDocuments

  constructor(deps: OperationDeps, documents: OpenDocuments) {
    this.#deps = deps
    this.#documents = documents
  }

  async list(name: DocumentName, query: VersionFilters & PageRequest): Promise<Page<WorkspaceVersion>> {
    await this.#exists(name)
    const path = query.path === undefined ? undefined : toWorkspacePath(query.path)
    return selectVersions(this.#deps.database, name, { ...query, path })
  }

  async get(name: DocumentName, number: number): Promise<WorkspaceVersion> {
    await this.#exists(name)
    return this.#deps.database.transaction({ team: name.teamId }, (transaction) =>
      selectVersion(transaction, name, number),
    )
  }

  /** Makes a version of what was typed so far; answers the last one. */
  async make(name: DocumentName, message?: string): Promise<WorkspaceVersion> {
    const number = await this.#documents.use(name, (document) => document.closeVersion(message))
    if (number === 0) throw new CoherexError('conflict', 'Cannot make a version: the workspace is empty')
    return this.get(name, number)
  }

  /** The number of the last version, after what was typed so far became one. */
  settle(name: DocumentName): Promise<number> {
    return this.#documents.use(name, (document) => document.closeVersion())
  }

  /** What differs between two versions; to the last one when `to` is left out. */
  async diff(
    name: DocumentName,
    {
      from,
      to,
      path,
      globs,
    }: { from: number; to?: number | undefined; path?: string | undefined; globs?: string[] | undefined },
  ): Promise<{ from: number; to: number; items: FileDiff[] }> {
    const last = await this.#exists(name)
    const until = to ?? last
    if (path !== undefined) {
      const item = await diffFile(this.#deps.database, name, { from, to: until, path: toWorkspacePath(path) })
      return { from, to: until, items: item ? [item] : [] }
    }
    return { from, to: until, items: await diffVersions(this.#deps.database, name, { from, to: until, globs }) }
  }

  async restore(name: DocumentName, restore: Restore): Promise<ChangeResult> {
    const paths = restore.paths?.map((path) => toWorkspacePath(path, 'paths'))
    return this.#documents.use(name, (document) => restoreVersion(this.#deps.database, document, { ...restore, paths }))
  }

  /** Takes back what some versions changed, and keeps what others did. */
  undo(name: DocumentName, undo: Undo): Promise<UndoneChanges> {
    return this.#documents.use(name, (document) => undoVersions(this.#deps.database, document, undo))
  }

  async tags(name: DocumentName, page: PageRequest): Promise<Page<WorkspaceTag>> {
    await this.#exists(name)
    return listTags(this.#deps.database, name, page)
  }

  async tag(name: DocumentName, tag: { name: string; version: number; by: Author }): Promise<WorkspaceTag> {
    await this.#exists(name)
    return putTag(this.#deps.database, name, tag)
  }

  async untag(name: DocumentName, tag: string): Promise<void> {
    await this.#exists(name)
    await removeTag(this.#deps.database, name, tag)
  }

  /** Throws when there is no such workspace; answers the number of its last version. */
  async #exists({ teamId, workspaceId }: DocumentName): Promise<number> {
    const { version } = await this.#deps.database.transaction({ team: teamId }, (transaction) =>
      selectWorkspace(transaction, teamId, workspaceId),
    )
    return version
  }
}
