import { CoherexError, type Author, type ChangeResult, type TextMatch, type WorkspaceFile } from '@coherex/contract'
import { quotasOf } from '../../access/index.ts'
import { workspaceBytes } from '../content-store.ts'
import type { DocumentName } from '../document/document-store.ts'
import { entriesOf, textOf } from '../document/file-tree.ts'
import type { OpenDocuments } from '../document/open-documents.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import type { ReplacedText, TextSearch } from '../search/search-texts.ts'
import { selectTree } from '../version-store.ts'
import { toWorkspacePath } from '../workspace-path.ts'
import type { Content } from './change-files.ts'
import { changeMany, type ManyChanges } from './change-many.ts'
import { editFile, type Edit } from './edit-file.ts'
import { matchFiles } from './match-files.ts'
import { ContentCache, materialise, type Materialised } from './materialise.ts'
import { mergeTree, type TreeMerge } from './merge-tree.ts'
import { moveFiles, removeFiles } from './move-and-remove.ts'
import type { Operation, OperationDeps } from './operation.ts'
import { putFiles } from './put-files.ts'
import { readContent, toContent } from './read-content.ts'
import { listFiles, readFile, readFileAt, type ReadFile } from './read-file.ts'
import { writeFile } from './write-file.ts'

type WrittenBytes = Omit<ManyChanges['written'][number], 'content'> & { bytes: Uint8Array }

/** What can be done with the files of a workspace, by whoever is let in: the API, agents, tools and runs. */
export class WorkspaceFiles {
  readonly #deps: OperationDeps
  readonly #documents: OpenDocuments
  readonly #search: TextSearch
  readonly #cache = new ContentCache()

  constructor(deps: OperationDeps, documents: OpenDocuments, search: TextSearch) {
    this.#deps = deps
    this.#documents = documents
    this.#search = search
  }

  /** Every file, as it is now or was at a version. */
  async list(
    name: DocumentName,
    { globs, version }: { globs?: string[] | undefined; version?: number | undefined } = {},
  ): Promise<{ version: number; items: WorkspaceFile[] }> {
    if (version === undefined) {
      return this.#documents.use(name, async (document) => ({
        version: document.version,
        items: listFiles(document, globs),
      }))
    }
    const matches = matchFiles(globs)
    const files = await this.#deps.database.transaction({ team: name.teamId }, (transaction) =>
      selectTree(transaction, name, version),
    )
    return { version, items: files.filter(({ path }) => matches(path)) }
  }

  async read(name: DocumentName, path: string, version?: number): Promise<ReadFile> {
    const at = toWorkspacePath(path)
    if (version !== undefined) return readFileAt(this.#deps, name, at, version)
    return this.#documents.use(name, (document) => readFile(this.#deps, document, at))
  }

  /** Writes one file from its bytes. */
  async write(
    name: DocumentName,
    {
      path,
      bytes,
      ...operation
    }: Operation & { path: string; bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array> },
  ): Promise<ChangeResult> {
    const at = toWorkspacePath(path)
    return this.#documents.use(name, async (document) => {
      const content = await readContent(this.#deps.blobs, name.teamId, bytes)
      if (content.kind === 'text') return writeFile(this.#deps, document, { ...operation, path: at, content })
      this.#releaseUnlessKept(name.teamId, [content.hash])
      await this.#checkStorage(name.teamId, content.size)
      const result = await writeFile(this.#deps, document, { ...operation, path: at, content })
      await this.#checkKept(name.teamId, [content.hash])
      return result
    })
  }

  /** Writes many files as one version. */
  writeAll(
    name: DocumentName,
    written: { path: string; bytes: Uint8Array }[],
    options: { author: Author; message?: string | undefined },
  ): Promise<ChangeResult> {
    return this.bringBack(name, { written, removed: [] }, options)
  }

  /** Writes and deletes many files as one version; one that is gone already is no matter. */
  async bringBack(
    name: DocumentName,
    { written, removed }: { written: { path: string; bytes: Uint8Array }[]; removed: string[] },
    options: { author: Author; message?: string | undefined },
  ): Promise<ChangeResult> {
    return this.#documents.use(name, async (document) => {
      const { contents, hashes } = await this.#toContents(name.teamId, written)
      const result = await putFiles(document, contents, {
        ...options,
        removed: removed.map((path) => toWorkspacePath(path)),
      })
      await this.#checkKept(name.teamId, hashes)
      return result
    })
  }

  /** Writes, merges and deletes many files as one version, or none of them. */
  async changeMany(
    name: DocumentName,
    { written, removed, ...operation }: Omit<ManyChanges, 'written'> & { written: WrittenBytes[] },
  ): Promise<ChangeResult> {
    return this.#documents.use(name, async (document) => {
      const { contents, hashes } = await this.#toContents(name.teamId, written)
      const contentOf = (path: string) => contents.get(path) ?? { kind: 'text' as const, text: '' }
      const at = ({ path }: { path: string }) => toWorkspacePath(path)
      const result = await changeMany(this.#deps, document, {
        ...operation,
        written: written.map(({ bytes: _, ...one }) => ({ ...one, path: at(one), content: contentOf(at(one)) })),
        removed: removed.map((one) => ({ ...one, path: at(one) })),
      })
      await this.#checkKept(name.teamId, hashes)
      return result
    })
  }

  /** Merges all files as they are elsewhere, as one version. */
  async mergeIn(
    name: DocumentName,
    files: { path: string; bytes: Uint8Array }[],
    options: Omit<TreeMerge, 'theirs'>,
  ): Promise<ChangeResult> {
    return this.#documents.use(name, async (document) => {
      const { contents, hashes } = await this.#toContents(name.teamId, files)
      const result = await mergeTree(this.#deps, document, { ...options, theirs: contents })
      await this.#checkKept(name.teamId, hashes)
      return result
    })
  }

  /** All files for a run, as they are now or were at a version. What is being typed becomes a version first. */
  async materialise(
    name: DocumentName,
    { version, mostBytes }: { version?: number | undefined; mostBytes: number },
  ): Promise<Materialised> {
    const at = version ?? (await this.#documents.use(name, (document) => document.closeVersion()))
    return materialise(this.#deps, this.#cache, { name, version: at, mostBytes })
  }

  async edit(name: DocumentName, edit: Edit): Promise<ChangeResult> {
    const path = toWorkspacePath(edit.path)
    return this.#documents.use(name, (document) => editFile(this.#deps, document, { ...edit, path }))
  }

  async move(name: DocumentName, move: Operation & { from: string; to: string }): Promise<ChangeResult> {
    const [from, to] = [toWorkspacePath(move.from, 'from'), toWorkspacePath(move.to, 'to')]
    return this.#documents.use(name, (document) => moveFiles(document, { ...move, from, to }))
  }

  async remove(name: DocumentName, removal: Operation & { path: string }): Promise<ChangeResult> {
    const path = toWorkspacePath(removal.path)
    return this.#documents.use(name, (document) => removeFiles(document, { ...removal, path }))
  }

  /** Finds text in the files as they are now. */
  async search(
    name: DocumentName,
    { globs, ...request }: Omit<Parameters<TextSearch['find']>[0], 'texts'> & { globs?: string[] | undefined },
  ): Promise<{ items: TextMatch[]; truncated: boolean }> {
    const texts = await this.#documents.use(name, async ({ doc }) => textsOf(doc, globs))
    return this.#search.find({ ...request, texts })
  }

  /** What the files would be with text in them replaced, and the version they have now. */
  async planReplace(
    name: DocumentName,
    { globs, ...request }: Omit<Parameters<TextSearch['replace']>[0], 'texts'> & { globs?: string[] | undefined },
  ): Promise<{ version: number; files: (ReplacedText & { before: string })[] }> {
    const { version, texts } = await this.#documents.use(name, async (document) => ({
      version: await document.closeVersion(),
      texts: textsOf(document.doc, globs),
    }))
    const before = new Map(texts.map(({ path, text }) => [path, text]))
    const files = await this.#search.replace({ ...request, texts })
    return { version, files: files.map((file) => ({ ...file, before: before.get(file.path) ?? '' })) }
  }

  /** Files as contents, those that are no text kept as blobs where the team's quota allows them. */
  async #toContents(teamId: string, written: { path: string; bytes: Uint8Array }[]) {
    const contents = new Map<string, Content>()
    const blobs = new Map<string, number>()
    for (const { path, bytes } of written) {
      const content = await toContent(
        this.#deps.blobs,
        teamId,
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      )
      if (content.kind === 'blob') blobs.set(content.hash, content.size)
      contents.set(toWorkspacePath(path), content)
    }
    this.#releaseUnlessKept(teamId, [...blobs.keys()])
    const blobBytes = [...blobs.values()].reduce((sum, size) => sum + size, 0)
    if (blobBytes > 0) await this.#checkStorage(teamId, blobBytes)
    return { contents, hashes: [...blobs.keys()] }
  }

  /** What is refused must not fill the disk: it is looked at later, and goes if no version holds it. */
  #releaseUnlessKept(teamId: string, hashes: string[]): void {
    this.#deps.releaseBlobs(teamId, hashes)
  }

  /** Bytes that nobody named yet may have been cleared away before this workspace did: whoever sends them again mends it. */
  async #checkKept(teamId: string, hashes: string[]): Promise<void> {
    for (const hash of hashes) {
      if (!(await this.#deps.blobs.has(teamId, hash)))
        throw new CoherexError('unavailable', 'The file was not kept: send it again')
    }
  }

  async #checkStorage(teamId: string, more: number): Promise<void> {
    await this.#deps.database.transaction({ team: teamId }, async (transaction) => {
      const { storageMb } = await quotasOf(transaction, teamId)
      const used = (await workspaceBytes(transaction, teamId)) + more
      if (used <= storageMb * 1024 * 1024) return
      throw new CoherexError('quota_exceeded', `The team's quota is used up: ${storageMb} MB of storage`, {
        details: { quota: 'storageMb', limit: storageMb, used: Math.round(used / 1024 / 1024) },
      })
    })
  }
}

function textsOf(doc: WorkspaceDocument['doc'], globs: string[] | undefined): { path: string; text: string }[] {
  const matches = matchFiles(globs)
  return [...entriesOf(doc)]
    .flatMap(([path, entry]) =>
      entry.kind === 'text' && matches(path) ? [{ path, text: textOf(doc, entry.id).toString() }] : [],
    )
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
