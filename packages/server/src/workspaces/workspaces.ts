import { randomUUID } from 'node:crypto'
import type { Author, Page, ReplacedFile, Workspace, WorkspaceTemplate } from '@coherex/contract'
import { recordAudit, type AuditEntry } from '../access/index.ts'
import { createId, type Blobs, type Database, type EventBus, type Log, type ReleaseBlobs } from '../base/index.ts'
import { selectBlobs } from './content-store.ts'
import { audienceOf } from './document/document-audience.ts'
import type { DocumentName } from './document/document-store.ts'
import { OpenDocuments, type OpenDocument } from './document/open-documents.ts'
import { typingRules } from './document/typing.ts'
import type { DocumentSettings } from './document/workspace-document.ts'
import { putFiles } from './files/put-files.ts'
import { WorkspaceFiles } from './files/workspace-files.ts'
import { WorkspaceProposals } from './proposals/workspace-proposals.ts'
import { TextSearch } from './search/search-texts.ts'
import { LiveDocument } from './sync/live-document.ts'
import { PresenceBoard, type PresenceBoardOptions } from './sync/presence-board.ts'
import { SharedText, type SharedTextOptions } from './sync/shared-text.ts'
import { UpdateChecker } from './sync/update-checker.ts'
import { WatchedTexts } from './sync/watched-texts.ts'
import { readTemplate } from './templates/read-template.ts'
import { replaceTexts, type Replace } from './versions/replace-texts.ts'
import { WorkspaceVersions } from './versions/workspace-versions.ts'
import {
  checkOfTeam,
  deleteWorkspace,
  insertScratch,
  insertWorkspace,
  selectScratch,
  selectWorkspace,
  selectWorkspaces,
  updateWorkspace,
  type WorkspaceChange,
  type WorkspaceFilters,
} from './workspace-store.ts'

export interface WorkspacesDeps {
  database: Database
  events: EventBus
  blobs: Blobs
  log: Log
  releaseBlobs: ReleaseBlobs
}

export interface WorkspacesSettings extends DocumentSettings {
  /** How long a document that nobody uses stays in memory. */
  idleMs: number
}

const defaultSettings: WorkspacesSettings = { typing: typingRules, snapshotBytes: 10_000, idleMs: 60_000 }

/** Who does something to a workspace as a whole, for its rows and for the audit log. */
export interface Maker {
  teamId: string
  author: Author
  actor: AuditEntry['actor']
}

/** Files that people and agents edit together. Every door names the team: another team's workspace is not there. */
export class Workspaces {
  readonly files: WorkspaceFiles
  readonly versions: WorkspaceVersions
  readonly proposals: WorkspaceProposals
  readonly #deps: WorkspacesDeps
  readonly #documents: OpenDocuments
  readonly #search = new TextSearch()
  /** This process among those that serve the same documents. */
  readonly #server = randomUUID()
  /** More than one, so that a bad update in one document holds up few others. */
  readonly #checkers = [new UpdateChecker(), new UpdateChecker()]

  constructor(deps: WorkspacesDeps, settings: Partial<WorkspacesSettings> = {}) {
    this.#deps = deps
    this.#documents = new OpenDocuments(deps, { ...defaultSettings, ...settings })
    this.files = new WorkspaceFiles(deps, this.#documents, this.#search)
    this.versions = new WorkspaceVersions(deps, this.#documents)
    this.proposals = new WorkspaceProposals(deps, this.#documents)
  }

  async create(
    { teamId, author, actor }: Maker,
    { name, template }: { name: string; template: WorkspaceTemplate },
  ): Promise<Workspace> {
    const id = createId('workspace')
    await this.#deps.database.transaction({ team: teamId }, async (transaction) => {
      await insertWorkspace(transaction, { teamId, id, name, template, createdBy: author })
      const target = { kind: 'workspace', id, name }
      await recordAudit(transaction, { teamId, actor, action: 'workspace.create', target, details: { template } })
    })
    const contents = await readTemplate(template)
    if (contents.size > 0) {
      const message = `Started from the template "${template}"`
      await this.#documents.use({ teamId, workspaceId: id }, (document) =>
        putFiles(document, contents, { author, message }),
      )
    }
    this.#announce(teamId, id)
    return this.get(teamId, id)
  }

  /** The workspace that a person alone sees, made when it is asked for first. It is not deleted, renamed or archived. */
  async openScratch({ teamId, author, actor }: Maker, personId: string): Promise<Workspace> {
    const opened = await this.#deps.database.transaction({ team: teamId, person: personId }, async (transaction) => {
      const id = createId('workspace')
      const row = { teamId, id, name: 'Scratch', template: 'blank', createdBy: author, privateTo: personId } as const
      if (await insertScratch(transaction, row)) {
        const target = { kind: 'workspace', id, name: row.name }
        const details = { template: row.template, reach: 'private' }
        await recordAudit(transaction, { teamId, actor, action: 'workspace.create', target, details })
      }
      return selectScratch(transaction, teamId, personId)
    })
    this.#announce(teamId, opened.id, personId)
    return opened
  }

  get(teamId: string, id: string): Promise<Workspace> {
    return this.#deps.database.transaction({ team: teamId }, (transaction) => selectWorkspace(transaction, teamId, id))
  }

  list(
    teamId: string,
    query: WorkspaceFilters & { limit: number; cursor?: string | undefined },
  ): Promise<Page<Workspace>> {
    return selectWorkspaces(this.#deps.database, teamId, query)
  }

  /** Replaces text in all files. */
  replace(name: DocumentName, replace: Replace): Promise<{ version: number; items: ReplacedFile[] }> {
    return replaceTexts(this.files, name, replace)
  }

  /** Renames, archives or takes back, sets the retention. */
  async update({ teamId, actor }: Omit<Maker, 'author'>, id: string, change: WorkspaceChange): Promise<Workspace> {
    const workspace = await this.#deps.database.transaction({ team: teamId }, async (transaction) => {
      if (change.name !== undefined || change.archived !== undefined) await checkOfTeam(transaction, teamId, id)
      const updated = await updateWorkspace(transaction, teamId, id, change)
      const target = { kind: 'workspace', id, name: updated.name }
      await recordAudit(transaction, { teamId, actor, action: 'workspace.update', target, details: { ...change } })
      return updated
    })
    this.#announce(teamId, id)
    return workspace
  }

  async remove({ teamId, actor }: Omit<Maker, 'author'>, id: string): Promise<void> {
    const { database, releaseBlobs } = this.#deps
    const released = await database.transaction({ team: teamId }, async (transaction) => {
      const { name } = await checkOfTeam(transaction, teamId, id)
      const hashes = await selectBlobs(transaction, { teamId, workspaceId: id })
      await deleteWorkspace(transaction, teamId, id)
      const target = { kind: 'workspace', id, name }
      await recordAudit(transaction, { teamId, actor, action: 'workspace.delete', target })
      return hashes
    })
    releaseBlobs(teamId, released)
    // whoever has the document open finds it gone
    this.#announce(teamId, id)
  }

  /** A document for clients that write to it directly. It stays open until it is released. */
  async openLive(teamId: string, workspaceId: string): Promise<LiveDocument> {
    const open = await this.openDocument(teamId, workspaceId)
    return new LiveDocument(this.#deps.database, open, this.#checkerOf(workspaceId))
  }

  /** A text of something else that clients write to directly. It is in memory alone until it is stored. */
  openText(id: string, options: Omit<SharedTextOptions, 'checker' | 'log'>): SharedText {
    return new SharedText({ ...options, checker: this.#checkerOf(id), log: this.#deps.log })
  }

  /** The texts as they are now and as they change, for whoever reads along. */
  async watchTexts(teamId: string, workspaceId: string): Promise<WatchedTexts> {
    return new WatchedTexts(await this.openDocument(teamId, workspaceId))
  }

  /** Who is in a document through other server processes, and those who are through this one. */
  openPresence(
    name: DocumentName,
    { audience, onOthers }: Pick<PresenceBoardOptions, 'audience' | 'onOthers'>,
  ): PresenceBoard {
    const { database, events, log } = this.#deps
    return new PresenceBoard({ database, events, log, name, audience, server: this.#server, onOthers })
  }

  /** The document itself. It stays open until it is released. */
  openDocument(teamId: string, workspaceId: string): Promise<OpenDocument> {
    return this.#documents.acquire({ teamId, workspaceId })
  }

  /** Writes what is open and lets go of it. */
  async close(): Promise<void> {
    await this.#search.close()
    await Promise.all(this.#checkers.map((checker) => checker.close()))
    await this.#documents.close()
  }

  #checkerOf(id: string): UpdateChecker {
    return this.#checkers[id.charCodeAt(id.length - 1) % this.#checkers.length] ?? new UpdateChecker()
  }

  #announce(teamId: string, id: string, privateTo: string | null = null): void {
    void this.#deps.events.publish({ teamId, type: 'workspace', id, ...audienceOf({ privateTo }) })
  }
}
