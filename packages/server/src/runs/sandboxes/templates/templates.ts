import { CoherexError, type Page, type Template } from '@coherex/contract'
import { recordAudit, type TeamCaller } from '../../../access/index.ts'
import type { Blobs, Database, EventBus, ReleaseBlobs } from '../../../base/index.ts'
import type { Packages } from '../../../packages/index.ts'
import type { Sandbox as RuntimeSandbox, SandboxSpec } from '../../../runtimes/index.ts'
import type { SandboxRow } from '../sandbox.ts'
import { layOutTemplate, removeTemplateDirectory } from './lay-out-template.ts'
import {
  deleteTemplate,
  insertTemplate,
  selectTemplate,
  selectTemplateFiles,
  selectTemplates,
  toTemplate,
  type TemplateRow,
} from './template-store.ts'

export interface TemplatesDeps {
  database: Database
  events: Pick<EventBus, 'publish'>
  blobs: Blobs
  packages: Pick<Packages, 'keep'>
  releaseBlobs: ReleaseBlobs
  /** Where templates are laid out for sandboxes to see. */
  directory: string
}

/** Ready-made beginnings of sandboxes: packages, files and a command, by name and version. */
export class Templates {
  readonly #deps: TemplatesDeps

  constructor(deps: TemplatesDeps) {
    this.#deps = deps
  }

  async list(teamId: string, query: { limit: number; cursor?: string | undefined }): Promise<Page<Template>> {
    const page = await this.#deps.database.transaction({ team: teamId }, (transaction) =>
      selectTemplates(transaction, teamId, query),
    )
    return { ...page, items: page.items.map(toTemplate) }
  }

  async get(teamId: string, reference: string): Promise<Template> {
    return toTemplate(await this.find(teamId, reference))
  }

  /** A template by `name` or `name@version`. */
  async find(teamId: string, reference: string): Promise<TemplateRow> {
    const [name = '', version] = reference.split('@')
    const row = await this.#deps.database.transaction({ team: teamId }, (transaction) =>
      selectTemplate(transaction, teamId, { name, ...(version ? { version: Number(version) } : {}) }),
    )
    if (!row) throw new CoherexError('not_found', `There is no template "${reference}"`)
    return row
  }

  /** Keeps a template that was built as the next version of its name. */
  async add(
    caller: TeamCaller,
    template: Pick<TemplateRow, 'name' | 'description' | 'packages' | 'locks' | 'files' | 'start'>,
  ): Promise<Template> {
    const { teamId, person } = caller
    const locked = template.locks.flatMap(({ packages }) => packages)
    const bytes = locked.reduce((sum, { size }) => sum + (size ?? 0), 0)
    const row = await this.#deps.database.transaction({ team: teamId }, async (transaction) => {
      const by = { personId: person.id, personName: person.name }
      const added = await insertTemplate(transaction, { ...template, teamId, bytes, ...by })
      await recordAudit(transaction, {
        teamId,
        actor: caller,
        action: 'template.build',
        target: { kind: 'template', id: `${added.name}@${added.version}`, name: added.name },
        details: { packages: added.packages },
      })
      return added
    })
    await this.#keepLocks(row)
    await this.#deps.events.publish({ teamId, type: 'template', id: row.name })
    return toTemplate(row)
  }

  /** Deletes every version of a template. Sandboxes that were made from it and sleep wake without it. */
  async remove(caller: TeamCaller, name: string): Promise<void> {
    const { database, events, releaseBlobs, directory } = this.#deps
    const { teamId } = caller
    const { version } = await this.find(teamId, name)
    const released = await database.transaction({ team: teamId }, async (transaction) => {
      const hashes = await deleteTemplate(transaction, teamId, name)
      await recordAudit(transaction, {
        teamId,
        actor: caller,
        action: 'template.delete',
        target: { kind: 'template', id: name, name },
      })
      return hashes
    })
    releaseBlobs(teamId, released)
    for (let one = 1; one <= version; one++) await this.#keepLocks({ teamId, name, version: one, locks: [] })
    await events.publish({ teamId, type: 'template', id: name })
    await removeTemplateDirectory(directory, teamId, name)
  }

  /** What a sandbox of a version from before locks is opened with. */
  async directoryOf({ teamId, templateName, templateVersion }: SandboxRow): Promise<Pick<SandboxSpec, 'templateDir'>> {
    if (templateName === null || templateVersion === null) return {}
    const { database, blobs, directory } = this.#deps
    const files = await database.transaction({ team: teamId }, (transaction) =>
      selectTemplateFiles(transaction, teamId, { name: templateName, version: templateVersion }),
    )
    if (files.length === 0) return {}
    const place = { directory, teamId, name: templateName, version: templateVersion }
    return { templateDir: await layOutTemplate(place, files, blobs) }
  }

  /** Has the locks of a version stay for as long as it is there. */
  #keepLocks({
    teamId,
    name,
    version,
    locks,
  }: Pick<TemplateRow, 'teamId' | 'name' | 'version' | 'locks'>): Promise<void> {
    const id = `${name}@${version}`
    return this.#deps.packages.keep(
      teamId,
      { kind: 'template', id, name: id },
      locks.map(({ hash }) => hash),
    )
  }

  /** Puts a template's files into a sandbox that is new. */
  async fill({ files }: TemplateRow, inside: RuntimeSandbox): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await inside.files.write(path, bytesOf(text))
    }
  }

  /** The command that is started each time a sandbox of a template opens. */
  async startOf({ teamId, templateName, templateVersion }: SandboxRow): Promise<string | null> {
    if (templateName === null || templateVersion === null) return null
    const row = await this.#deps.database.transaction({ team: teamId }, (transaction) =>
      selectTemplate(transaction, teamId, { name: templateName, version: templateVersion }),
    )
    return row?.start ?? null
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
