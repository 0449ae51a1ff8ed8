import type { TeamCaller } from '../../access/index.ts'
import type { Log } from '../../base/index.ts'
import type { Packages } from '../../packages/index.ts'
import type { PackageSet, Program, Sandbox, SandboxSpec } from '../../runtimes/index.ts'
import type { WatchedTexts, Workspaces } from '../../workspaces/index.ts'
import { checkNeeded } from '../add-packages.ts'
import { splitPackages } from '../execute/needed-packages.ts'
import type { Sandboxes } from '../sandboxes/sandboxes.ts'
import { languageServerMb, PythonServer } from './python-server.ts'
import { type LanguageTimes, manifests, WorkspaceLanguage } from './workspace-language.ts'

export interface LanguageServersDeps {
  sandboxes: Pick<Sandboxes, 'reserve'>
  workspaces: Pick<Workspaces, 'watchTexts'>
  open(spec: SandboxSpec): Promise<Sandbox>
  packages: Packages
  python: string
  /** The package of the server is there. */
  isInstalled: boolean
  log: Log
  times?: LanguageTimes
}

const emptyProgram: Program = {
  ...{ language: 'python', code: '', entry: 'main.py', files: {}, env: {}, packages: [] },
  ...{ typecheck: false, readOnly: false },
}
const isRead = (entry: (string | undefined)[]): entry is [string, string] => entry[1] !== undefined
const packagesWithinMs = 15_000

const languageTimes: LanguageTimes = {
  ...{ idleMs: 5 * 60_000, leftMs: 30_000 },
  ...{ firstMs: 1_000, longestMs: 60_000, wellMs: 120_000 },
  ...{ askMs: 15_000, settleMs: 2_000 },
}

/** The language servers of this process, one for each workspace that somebody edits Python in. */
export class LanguageServers {
  readonly #deps: LanguageServersDeps
  readonly #workspaces = new Map<string, Promise<WorkspaceLanguage>>()
  #isClosed = false

  constructor(deps: LanguageServersDeps) {
    this.#deps = deps
  }

  /** Why there are none; undefined when there are. */
  get unavailable(): string | undefined {
    if (this.#isClosed) return 'the server is stopping'
    return this.#deps.isInstalled ? undefined : 'the package basedpyright is not installed: run npm install'
  }

  /** The language server of a workspace. It is started by the first Python file that is opened. */
  async of(caller: TeamCaller, workspaceId: string): Promise<WorkspaceLanguage> {
    const key = `${caller.teamId} ${workspaceId}`
    const made = this.#workspaces.get(key) ?? this.#create(key, caller, workspaceId)
    this.#workspaces.set(key, made)
    try {
      const language = await made
      if (!language.isDone) return language
    } catch (error) {
      if (this.#workspaces.get(key) === made) this.#workspaces.delete(key)
      throw error
    }
    if (this.#workspaces.get(key) === made) this.#workspaces.delete(key)
    return this.of(caller, workspaceId)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const all = await Promise.allSettled(this.#workspaces.values())
    await Promise.all(all.flatMap((one) => (one.status === 'fulfilled' ? [one.value.end()] : [])))
  }

  async #create(key: string, caller: TeamCaller, workspaceId: string): Promise<WorkspaceLanguage> {
    const { sandboxes, workspaces, open, python, log, times = languageTimes } = this.#deps
    const { teamId } = caller
    const texts = await workspaces.watchTexts(teamId, workspaceId)
    return new WorkspaceLanguage({
      ...{ texts, times, log },
      start: async (hear) => {
        const giveBack = await sandboxes.reserve(teamId, languageServerMb)
        const openCounted = async (spec: SandboxSpec) => {
          const sandbox = await open(spec)
          void sandbox.ended.then(giveBack)
          return sandbox
        }
        try {
          const sets = await this.#findSets(caller, workspaceId, texts)
          return await PythonServer.start({ teamId, texts, python, sets, open: openCounted, ...hear })
        } catch (error) {
          giveBack()
          throw error
        }
      },
      onDone: () => void this.#workspaces.delete(key),
    })
  }

  /** The Python packages that runs of the workspace have, where they can be had soon. */
  async #findSets(caller: TeamCaller, workspaceId: string, texts: WatchedTexts): Promise<PackageSet[]> {
    const { packages, log } = this.#deps
    try {
      const signal = AbortSignal.timeout(packagesWithinMs)
      const named = await this.#prepareNamed(caller, texts, signal)
      if (named) return [named]
      const kept = await packages.keptBy(caller.teamId, { kind: 'workspace', id: workspaceId })
      const ofPython = kept.filter(({ language }) => language === 'python')
      return await Promise.all(
        ofPython.map(async ({ hash }) => (await packages.prepareLock(caller, hash, { signal })).set),
      )
    } catch (error) {
      // it works without them, and says which imports it does not find
      log.info({ error }, 'a language server has no packages')
      return []
    }
  }

  /** The packages that files of the workspace name now, as a run of one of its programs would have them. */
  async #prepareNamed(caller: TeamCaller, texts: WatchedTexts, signal: AbortSignal): Promise<PackageSet | undefined> {
    const { packages } = this.#deps
    const files = Object.fromEntries(manifests.map((path) => [path, texts.read(path)]).filter(isRead))
    const program = { ...emptyProgram, files }
    const { needed } = splitPackages({ language: 'python', code: '' }, program)
    const allowed = needed && (await checkNeeded(packages, caller.teamId, needed))
    if (!allowed) return undefined
    const { language, implied: requirements, lockFile } = allowed
    return (await packages.prepare(caller, { language, requirements, lockFile }, { signal })).set
  }
}
