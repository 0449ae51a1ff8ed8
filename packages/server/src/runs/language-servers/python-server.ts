import { readFile } from 'node:fs/promises'
import { isPlainPath, type LanguageAnswers, type LanguageProblem, type LanguageRequest } from '@coherex/contract'
import type { PackageSet, Sandbox, SandboxSpec } from '../../runtimes/index.ts'
import type { WatchedTexts } from '../../workspaces/index.ts'
import { defaultSandboxLimits } from '../sandboxes/sandbox.ts'
import { basedpyrightInside } from './find-basedpyright.ts'
import { LspConnection, type LspProcess } from './lsp-connection.ts'
import {
  readCompletion,
  readDefinition,
  readDescription,
  readHover,
  readProblems,
  readSignature,
} from './read-answers.ts'
import { changeOfText } from './text-change.ts'

export interface PythonServerOptions {
  teamId: string
  texts: WatchedTexts
  /** The interpreter of programs, whose packages are known. */
  python: string
  sets: readonly PackageSet[]
  open(spec: SandboxSpec): Promise<Sandbox>
  onProblems(path: string, problems: LanguageProblem[]): void
  /** It ended by itself. */
  onEnd(why: string): void
}

export type Ask = Extract<LanguageRequest, { type: 'ask' }>

/** What a language server may hold; it counts in the team's `sandboxMemoryMb`. */
export const languageServerMb = 768
const heapMb = 512
const home = '/home/guest'
const folder = 'workspace'
const root = `file://${home}/${folder}`
const command = `exec /opt/node/bin/node --max-old-space-size=${heapMb} ${basedpyrightInside}/langserver.index.js --stdio`
const stub = new URL('coherex.pyi', import.meta.url)

// what it reads of a workspace
const isRead = /(?:\.pyi?|(?:^|\/)py\.typed)$|^(?:pyproject\.toml|pyrightconfig\.json)$/
const most = { files: 5_000, characters: 20_000_000 }
const startMs = 30_000
const flushMs = 200
const writtenWithinMs = 1_000

/** basedpyright in a sandbox of its own, with the Python files of a workspace and without a network. It follows their changes until it is closed. */
export class PythonServer {
  readonly #options: PythonServerOptions
  readonly #sandbox: Sandbox
  readonly #lsp: LspConnection
  /** What it was told of files that are open. */
  readonly #told = new Map<string, { text: string; version: number }>()
  readonly #changed = new Set<string>()
  readonly #stop: () => void
  #flushing: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #isClosed = false

  static async start(options: PythonServerOptions): Promise<PythonServer> {
    const limits = { ...defaultSandboxLimits, memoryMb: languageServerMb }
    const sandbox = await options.open({ limits, domain: options.teamId, env: {}, sets: options.sets })
    try {
      await writeFile(sandbox, 'stubs/coherex.pyi', await readFile(stub, 'utf8'))
      await sandbox.files.makeDirectory(folder)
      for (const path of chooseFiles(options.texts)) {
        await writeFile(sandbox, `${folder}/${path}`, options.texts.read(path) ?? '')
      }
      const process = await sandbox.processes.start({ command, cwd: folder })
      const server = new PythonServer(options, sandbox, process)
      await server.#initialize()
      return server
    } catch (error) {
      await sandbox.close()
      throw error
    }
  }

  private constructor(options: PythonServerOptions, sandbox: Sandbox, process: LspProcess) {
    this.#options = options
    this.#sandbox = sandbox
    this.#lsp = new LspConnection({
      process,
      answer: (method, params) => answerServer(method, params, options.python),
      onNotice: (method, params) => {
        const found = method === 'textDocument/publishDiagnostics' ? readProblems(params, this.#toPath) : undefined
        if (found && this.#told.has(found.path)) options.onProblems(found.path, found.problems)
      },
      onEnd: (why) => void this.#ended(why),
    })
    this.#stop = options.texts.onChange((paths) => this.#hear(paths))
  }

  /** Tells of its problems from now on. */
  open(path: string): void {
    if (!this.#told.has(path)) this.#tell(path)
  }

  close(path: string): void {
    if (!this.#told.delete(path)) return
    this.#lsp.notify('textDocument/didClose', { textDocument: { uri: toUri(path) } })
    // what was typed while it was open is not on its disk yet
    this.#hear(new Set([path]))
  }

  /** The items of a completion come along, as `describe` takes them. */
  async ask(asked: Ask, signal: AbortSignal): Promise<{ value: LanguageAnswers[Ask['about']]; items?: unknown[] }> {
    const { about, path, line, column, typed, wrote } = asked
    if (wrote) await this.#options.texts.hasWritten(wrote, writtenWithinMs)
    this.#tellChanges()
    if (!this.#told.has(path)) return { value: null }
    const at = { textDocument: { uri: toUri(path) }, position: { line: line - 1, character: column - 1 } }
    const context = typed === undefined ? { triggerKind: 1 } : { triggerKind: 2, triggerCharacter: typed }
    switch (about) {
      case 'completion': {
        const { answer, items } = readCompletion(
          await this.#lsp.ask('textDocument/completion', { ...at, context }, signal),
        )
        return { value: answer, items }
      }
      case 'hover':
        return { value: readHover(await this.#lsp.ask('textDocument/hover', at, signal)) }
      case 'signature':
        return { value: readSignature(await this.#lsp.ask('textDocument/signatureHelp', at, signal)) }
      case 'definition':
        return { value: readDefinition(await this.#lsp.ask('textDocument/definition', at, signal), this.#toPath) }
    }
  }

  /** More about an item of a completion. */
  async describe(item: unknown, signal: AbortSignal): Promise<LanguageAnswers['describe']> {
    return readDescription(await this.#lsp.ask('completionItem/resolve', item, signal))
  }

  async end(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stop()
    clearTimeout(this.#flushing)
    this.#lsp.close()
    await this.#sandbox.close()
  }

  async #initialize(): Promise<void> {
    const params = { processId: null, rootUri: root, workspaceFolders: [{ uri: root, name: folder }], capabilities }
    await this.#lsp.ask('initialize', params, AbortSignal.timeout(startMs))
    this.#lsp.notify('initialized', {})
    this.#lsp.notify('workspace/didChangeConfiguration', { settings: {} })
  }

  #hear(paths: ReadonlySet<string>): void {
    if (this.#isClosed) return
    for (const path of paths) if (isRead.test(path)) this.#changed.add(path)
    if (this.#changed.size > 0) this.#flushing ??= setTimeout(() => this.#flush(), flushMs).unref()
  }

  #flush(): void {
    this.#flushing = undefined
    if (this.#isClosed) return
    this.#tellChanges()
    const paths = [...this.#changed]
    this.#changed.clear()
    // one after the other; a sandbox that is gone was told of
    if (paths.length > 0) this.#writing = this.#writing.then(() => this.#write(paths)).catch(() => undefined)
  }

  /** At once, so that a question is about the text of now. What is not open goes to the disk. */
  #tellChanges(): void {
    for (const path of this.#changed) {
      if (!this.#told.has(path)) continue
      this.#changed.delete(path)
      this.#tell(path)
    }
  }

  #tell(path: string): void {
    const text = this.#options.texts.read(path)
    const uri = toUri(path)
    const told = this.#told.get(path)
    if (text === undefined) {
      if (this.#told.delete(path)) this.#lsp.notify('textDocument/didClose', { textDocument: { uri } })
      this.#changed.add(path)
      return
    }
    if (!told) {
      this.#told.set(path, { text, version: 1 })
      const textDocument = { uri, languageId: 'python', version: 1, text }
      return this.#lsp.notify('textDocument/didOpen', { textDocument })
    }
    if (told.text === text) return
    const change = changeOfText(told.text, text)
    this.#told.set(path, { text, version: told.version + 1 })
    this.#lsp.notify('textDocument/didChange', {
      textDocument: { uri, version: told.version + 1 },
      contentChanges: [change],
    })
  }

  async #write(paths: string[]): Promise<void> {
    const changes: { uri: string; type: number }[] = []
    for (const path of paths) {
      const text = this.#options.texts.read(path)
      const at = `${folder}/${path}`
      const isThere = (await this.#sandbox.files.stat(at)) !== undefined
      if (text === undefined && !isThere) continue
      if (text === undefined) await this.#sandbox.files.remove(at)
      else await writeFile(this.#sandbox, at, text)
      changes.push({ uri: toUri(path), type: text === undefined ? 3 : isThere ? 2 : 1 })
    }
    if (changes.length > 0 && !this.#isClosed) this.#lsp.notify('workspace/didChangeWatchedFiles', { changes })
  }

  async #ended(why: string): Promise<void> {
    if (this.#isClosed) return
    await this.end()
    const isFull = /SIGKILL|SIGABRT|code 13[47]/.test(why)
    this.#options.onEnd(isFull ? `it needed more than ${languageServerMb} MB of memory` : why)
  }

  readonly #toPath = (uri: string): string | undefined => {
    if (!uri.startsWith(`${root}/`)) return undefined
    try {
      const path = decodeURIComponent(uri.slice(root.length + 1))
      return isPlainPath(path) && this.#options.texts.lengthOf(path) !== undefined ? path : undefined
    } catch {
      return undefined
    }
  }
}

const markdown = ['markdown', 'plaintext']
const capabilities = {
  workspace: { configuration: true, didChangeWatchedFiles: { dynamicRegistration: true } },
  textDocument: {
    completion: {
      contextSupport: true,
      completionItem: { documentationFormat: markdown, labelDetailsSupport: true, tagSupport: { valueSet: [1] } },
    },
    hover: { contentFormat: markdown },
    signatureHelp: { signatureInformation: { documentationFormat: markdown, activeParameterSupport: true } },
    publishDiagnostics: { tagSupport: { valueSet: [1, 2] } },
  },
}

/** What it asks for are settings; nothing else of an editor is there. */
function answerServer(method: string, params: unknown, python: string): unknown {
  if (method !== 'workspace/configuration') return null
  const { items } = params as { items?: { section?: unknown }[] }
  const settings: Record<string, unknown> = { python: { pythonPath: python }, basedpyright: { analysis } }
  return Array.isArray(items) ? items.slice(0, 100).map((item) => settings[String(item?.section)] ?? null) : null
}

const analysis = {
  typeCheckingMode: 'standard',
  diagnosticMode: 'openFilesOnly',
  stubPath: `${home}/stubs`,
  diagnosticSeverityOverrides: {
    // a run adds packages that its code imports
    reportMissingImports: 'warning',
    reportMissingModuleSource: 'none',
    // the last expression of a program is its result
    reportUnusedExpression: 'none',
  },
}

/** The files it is given at the start; of very many, the first. */
function chooseFiles(texts: WatchedTexts): string[] {
  let left = most.characters
  return texts
    .paths()
    .filter((path) => isRead.test(path))
    .slice(0, most.files)
    .filter((path) => (left -= texts.lengthOf(path) ?? 0) >= 0)
}

async function writeFile(sandbox: Sandbox, path: string, text: string): Promise<void> {
  await sandbox.files.write(path, bytesOf(text))
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

function toUri(path: string): string {
  return `${root}/${path.split('/').map(encodeURIComponent).join('/')}`
}
