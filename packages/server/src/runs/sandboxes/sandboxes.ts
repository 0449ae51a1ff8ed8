import {
  CoherexError,
  type ChangedSandbox,
  type Page,
  type ProcessSignal,
  type Sandbox,
  type SandboxPackagesChange,
  type SandboxRequest,
  type SandboxStatus,
} from '@coherex/contract'
import { seesThread, tellOfThread, type TeamCaller } from '../../access/index.ts'
import { actingPerson, type Blobs, type EventBus, type ReleaseBlobs, type Transaction } from '../../base/index.ts'
import type { Preparation } from '../../packages/index.ts'
import type { Installer, ProcessSpec, SandboxEnding } from '../../runtimes/index.ts'
import { privateToOf, type DocumentName } from '../../workspaces/index.ts'
import type { Allowances } from '../allowances.ts'
import { toNetworkRules } from '../execute/bind-capabilities.ts'
import { readEnvironment, type Environment } from '../variables/environment.ts'
import { answerAsker, askHolder, type HolderRequest } from './ask-holder.ts'
import { AwakeSandboxes } from './awake-sandboxes.ts'
import { changeSandbox, type RowChange } from './change-sandbox.ts'
import { checkNotEnded, checkUsable } from './check-usable.ts'
import { deleteSandbox } from './delete-sandbox.ts'
import { describeEnding, describeIdle, describeMissing, describeWaking } from './describe-sandbox.ts'
import { interruptCells, killProcess } from './end-work.ts'
import { BackgroundSaver } from './files/background-saver.ts'
import { restoreFiles } from './files/restore-files.ts'
import { saveSandbox } from './files/save-sandbox.ts'
import type { MachineMemory } from './machine-memory.ts'
import { auditSandbox, forkedSandbox, newSandbox } from './new-sandbox.ts'
import { openInside, type OpenDeps } from './open-inside.ts'
import type { OpenSandbox, RunningProcess } from './open-sandbox.ts'
import { changePackages, type ChangedPackages } from './packages/change-packages.ts'
import { createInstaller } from './packages/installer.ts'
import { keepPackages, packagesOfRequest } from './packages/prepare-packages.ts'
import type { WantedPackages } from './packages/sandbox-packages.ts'
import {
  countSaved,
  deleteSaved,
  selectSandbox,
  selectIdsOfThread,
  selectSandboxes,
  selectSaved,
  updateSandbox,
  type SavedFile,
} from './sandbox-store.ts'
import { keepSessions, toSandbox, type SandboxOwners, type SandboxRow } from './sandbox.ts'
import { tellSigns } from './tell-signs.ts'
import { WorkLine } from './work-line.ts'
import { createSandboxWriter, writeFork } from './write-sandboxes.ts'

export interface SandboxesDeps extends OpenDeps {
  events: EventBus
  blobs: Blobs
  releaseBlobs: ReleaseBlobs
  serverId: string
  allowances: Allowances
  machine: MachineMemory
  /** What the files of a workspace say that code there needs. */
  packagesOfWorkspace(name: DocumentName): Promise<WantedPackages[]>
}

const saveDeadlineMs = 10_000

/** Sandboxes that live on: made, used, put to sleep with their files saved, and woken by their next use. */
export class Sandboxes {
  readonly #deps: SandboxesDeps
  readonly #awake: AwakeSandboxes
  readonly #write: ReturnType<typeof createSandboxWriter>
  readonly #unsubscribe: () => void
  readonly #saver: BackgroundSaver
  readonly #changes = new WorkLine()

  constructor(deps: SandboxesDeps) {
    this.#deps = deps
    this.#write = createSandboxWriter(deps)
    this.#awake = new AwakeSandboxes({
      allowances: deps.allowances,
      machine: deps.machine,
      log: deps.log,
      onIdle: (open) => void this.#sleep(open, describeIdle(open.row)),
      onEnded: (open, { why }) => void this.#ended(open, why),
    })
    this.#unsubscribe = deps.events.subscribe((event) => {
      const { type, id, teamId } = event
      void answerAsker(deps.events, event, (...asked) => this.#actHere(...asked)).catch((error: unknown) => {
        deps.log.warn({ error }, 'another server process got no answer about a sandbox')
      })
      if (type === 'team' && teamId) void this.#closeOrphans(teamId)
      if (type === 'sandbox' && teamId && id) void this.#closeDeleted(teamId, id)
    })
    this.#saver = new BackgroundSaver({ awake: this.#awake, save: (open) => this.save(open), log: deps.log })
  }

  /** Its files are whoever asks' business. */
  async create(
    caller: TeamCaller,
    request: SandboxRequest,
    { onProgress, ...owners }: SandboxOwners & Pick<Preparation, 'onProgress'> = {},
  ): Promise<Sandbox> {
    const { templates, serverId } = this.#deps
    toNetworkRules(request)
    const template = request.template ? await templates.find(caller.teamId, request.template) : undefined
    const { teamId } = caller
    const { workspaceId } = owners
    const declared = workspaceId ? await this.#deps.packagesOfWorkspace({ teamId, workspaceId }) : []
    const privateTo = workspaceId ? await privateToOf(this.#deps.database, teamId, workspaceId) : null
    const asked = { request, template, declared, onProgress }
    const packages = await packagesOfRequest(this.#deps.packages, caller, asked)
    const row = newSandbox(caller, request, { serverId, template, owners: { ...owners, privateTo }, ...packages })
    const open = await this.#wake(row, async ({ inside }) => {
      if (template) await templates.fill(template, inside)
      await this.#write({ row, audit: auditSandbox(caller, 'sandbox.create', row) })
      await keepPackages(this.#deps.packages, row)
    })
    if (template) {
      await this.save(open)
      return this.#announced(open.row)
    }
    this.#announce(open.row)
    // nothing can be saved of it yet: no need to ask
    return toSandbox(open.row, undefined, open)
  }

  async get(teamId: string, id: string): Promise<Sandbox> {
    return this.#show(await this.find(teamId, id))
  }

  async list(
    teamId: string,
    query: { limit: number; cursor?: string | undefined; status?: SandboxStatus | undefined },
  ): Promise<Page<Sandbox>> {
    const { page, saved } = await this.#deps.database.transaction({ team: teamId }, async (transaction) => {
      const found = await selectSandboxes(transaction, teamId, query)
      const ids = found.items.map((row) => row.id)
      return { page: found, saved: await countSaved(transaction, teamId, ids) }
    })
    return { ...page, items: page.items.map((row) => toSandbox(row, saved.get(row.id), this.#awake.get(row.id))) }
  }

  /** The row of a sandbox, ended ones included. */
  async find(teamId: string, id: string): Promise<SandboxRow> {
    const awake = this.awake(teamId, id)
    if (awake && (await this.#isSeen(awake.row))) return awake.row
    const row = await this.#deps.database.transaction({ team: teamId }, (transaction) =>
      selectSandbox(transaction, teamId, id),
    )
    if (!row) throw new CoherexError('not_found', 'There is no such sandbox')
    return row
  }

  /** The same of one that can still be used: an ended one has no files, variables, processes or addresses. */
  async findUsable(teamId: string, id: string): Promise<SandboxRow> {
    const row = await this.find(teamId, id)
    checkNotEnded(row)
    return row
  }

  /** The sandbox if it is awake here; looking does not wake it. For those who have found it before: nothing is checked. */
  awake(teamId: string, id: string): OpenSandbox | undefined {
    const awake = this.#awake.get(id)
    return awake?.row.teamId === teamId ? awake : undefined
  }

  /** Does something with a sandbox, which wakes it if it sleeps and keeps it awake meanwhile. */
  async use<T>(teamId: string, id: string, work: (sandbox: OpenSandbox) => Promise<T>): Promise<T> {
    const open = await this.#opened(teamId, id)
    return open.during(() => work(open))
  }

  /** The variables it has now. Its processes have those of when it was opened. */
  environment({ teamId, env, workspaceId, agentName }: SandboxRow): Promise<Environment> {
    return readEnvironment(this.#deps.database, teamId, { workspaceId, agentName, env, from: 'sandbox' })
  }

  /** What was saved of a sandbox, for those who have found it before. */
  saved(teamId: string, id: string): Promise<SavedFile[]> {
    return this.#transaction({ teamId }, (transaction) => selectSaved(transaction, teamId, id))
  }

  save(open: OpenSandbox): Promise<void> {
    return saveSandbox(this.#deps, open)
  }

  async change(open: OpenSandbox, change: Partial<SandboxRow>): Promise<Sandbox> {
    const { teamId, id } = open.row
    await this.#transaction(open.row, (transaction) => updateSandbox(transaction, teamId, id, change))
    open.row = { ...open.row, ...change }
    open.rewatch()
    return this.#announced(open.row)
  }

  /** Renames it, or changes its network, limits or idle time, without waking it. */
  async update(caller: TeamCaller, id: string, asked: RowChange): Promise<ChangedSandbox> {
    const { teamId } = caller
    const known = await this.#awake.find(teamId, id)
    const found = await this.find(teamId, id)
    const row = known?.row ?? found
    checkUsable(row, this.#deps.serverId)
    const deps = {
      awake: this.#awake,
      transaction: <T>(work: (transaction: Transaction) => Promise<T>) => this.#transaction(row, work),
      announce: (changed: SandboxRow) => this.#announced(changed),
    }
    return changeSandbox(deps, caller, { row, asked })
  }

  /** Adds packages or takes some away, one change after the other. */
  changePackages(
    caller: TeamCaller,
    id: string,
    { preparation, ...asked }: SandboxPackagesChange & { preparation: Preparation },
  ): Promise<ChangedPackages> {
    const { packages } = this.#deps
    return this.#changes.add(id, () =>
      changePackages({ sandboxes: this, packages }, caller, { id, asked, preparation }),
    )
  }

  /** Starts a command in the background. What it wrote is saved when it ends. */
  startProcess(teamId: string, id: string, spec: ProcessSpec): Promise<RunningProcess> {
    return this.use(teamId, id, (open) => open.start(spec, () => this.#saver.saveLater(open)))
  }

  /** A new sandbox with the files as they are now. Variables live in processes and cannot be copied. */
  async fork(caller: TeamCaller, id: string, name: string | undefined): Promise<Sandbox> {
    const { teamId } = caller
    await this.findUsable(teamId, id)
    const awake = this.awake(teamId, id)
    if (awake) await this.save(awake)
    const source = await this.findUsable(teamId, id)
    const row = forkedSandbox(caller, source, { name, sessions: source.sessions, serverId: this.#deps.serverId })
    const open = await this.#wake(row, async (opened) => {
      await writeFork(this.#deps.database, {
        row,
        source,
        audit: auditSandbox(caller, 'sandbox.fork', row, { from: source.id }),
      })
      await keepPackages(this.#deps.packages, row)
      const missing = [describeMissing(await this.#restore(opened)), ...opened.lacks].filter((one) => one !== undefined)
      if (missing.length === 0) return
      const notice = [row.notice, ...missing].filter(Boolean).join('; ')
      await this.#transaction(row, (transaction) => updateSandbox(transaction, teamId, row.id, { notice }))
      opened.row = { ...row, notice }
    })
    return this.#announced(open.row)
  }

  /** Ends running cells and keeps their sessions; false where none ran. */
  async interrupt(teamId: string, id: string, context?: string): Promise<boolean> {
    return this.#actWhereHeld(teamId, id, { act: 'interrupt', ...(context === undefined ? {} : { context }) })
  }

  /** Sends a signal to a process; false where there is no such process. */
  async kill(teamId: string, id: string, { pid, signal }: { pid: number; signal: ProcessSignal }): Promise<boolean> {
    return this.#actWhereHeld(teamId, id, { act: 'kill', pid, signal })
  }

  async #actWhereHeld(teamId: string, id: string, asked: HolderRequest): Promise<boolean> {
    const { status, serverId } = await this.findUsable(teamId, id)
    const here = this.#actHere(teamId, id, asked)
    if (here) return here
    if (status !== 'running' || serverId === this.#deps.serverId) return false
    return askHolder(this.#deps.events, { teamId, id }, asked)
  }

  /** Undefined where the sandbox is not awake here. */
  #actHere(teamId: string, id: string, asked: HolderRequest): Promise<boolean> | undefined {
    const open = this.awake(teamId, id)
    if (!open) return undefined
    return asked.act === 'interrupt' ? interruptCells(open, asked.context) : killProcess(open, asked)
  }

  /** Ends it for good and deletes its files. Why it ended stays readable for a week. */
  async remove(caller: TeamCaller, id: string): Promise<void> {
    const row = await this.find(caller.teamId, id)
    checkNotEnded(row)
    // one that another server process holds is closed there, when that hears of it
    await this.#awake.close(id, async (open) => {
      await open.inside.close()
      await this.#transaction(row, (transaction) => tellSigns(transaction, open))
    })
    await deleteSandbox(this.#deps, caller, row)
    this.#announce(row)
  }

  /** Ends all that belong to a thread. */
  async removeOfThread(caller: TeamCaller, threadId: string): Promise<void> {
    const { teamId } = caller
    const ids = await this.#deps.database.transaction({ team: teamId }, (transaction) =>
      selectIdsOfThread(transaction, teamId, threadId),
    )
    for (const id of ids) await this.remove(caller, id)
  }

  /** How many of the team are awake, and the memory they may take together. */
  usage(teamId: string): { sandboxesAtOnce: number; sandboxMemoryMb: number } {
    return this.#awake.usage(teamId)
  }

  /** Counts memory that is used beside them within the team's quotas. Answers how to give it back. */
  reserve(teamId: string, memoryMb: number): Promise<() => void> {
    return this.#awake.reserve(teamId, memoryMb)
  }

  /** Saves and closes all of them. */
  async close(): Promise<void> {
    this.#unsubscribe()
    this.#saver.stop()
    await this.#awake.settle()
    await Promise.all(this.#awake.all().map((open) => this.#sleep(open, 'the server was stopped')))
  }

  async #opened(teamId: string, id: string): Promise<OpenSandbox> {
    const known = await this.#awake.find(teamId, id)
    const row = await this.find(teamId, id)
    if (known) return known
    checkUsable(row, this.#deps.serverId)
    return this.#wake(row, async (open) => {
      const notice = [describeWaking(row, await this.#restore(open)), ...open.lacks].join('; ')
      const change = { status: 'running' as const, reason: null, notice, sessions: [], serverId: this.#deps.serverId }
      await this.#transaction(row, (transaction) =>
        updateSandbox(transaction, teamId, id, { ...change, lastUsedAt: new Date() }),
      )
      open.row = { ...row, ...change }
      this.#announce(row)
    })
  }

  #wake(row: SandboxRow, prepare: (open: OpenSandbox) => Promise<void>): Promise<OpenSandbox> {
    return this.#awake.wake({
      row,
      open: async () =>
        openInside(this.#deps, row, { environment: await this.environment(row), installer: this.#installerOf(row) }),
      prepare: async (open) => {
        await prepare(open)
        const command = await this.#deps.templates.startOf(row)
        if (command !== null) await open.start({ command }, () => this.#saver.saveLater(open))
      },
    })
  }

  #installerOf(row: SandboxRow): Installer {
    const { database, log } = this.#deps
    return createInstaller({
      ...{ database, log, row: () => this.#awake.get(row.id)?.row ?? row },
      change: (caller, asked, preparation) => this.changePackages(caller, row.id, { ...asked, preparation }),
    })
  }

  /** Puts the saved files back; answers those that were not there. */
  async #restore(open: OpenSandbox): Promise<string[]> {
    const { teamId, id } = open.row
    const saved = await this.saved(teamId, id)
    const { known, lost } = await restoreFiles({ inside: open.inside, saved, blobs: this.#deps.blobs, teamId })
    open.known = known
    return lost
  }

  async #sleep(open: OpenSandbox, reason: string): Promise<void> {
    const { teamId, id } = open.row
    await this.#awake.close(id, async () => {
      const saving = this.save(open).catch((error: unknown) => {
        this.#deps.log.error({ error, sandbox: id }, 'files of a sandbox could not be saved')
      })
      await Promise.race([saving, new Promise((resolve) => setTimeout(resolve, saveDeadlineMs).unref())])
      const sessions = keepSessions(open.inside)
      await open.inside.close()
      await this.#transaction(open.row, async (transaction) => {
        await updateSandbox(transaction, teamId, id, { status: 'sleeping', reason, sessions })
        await tellSigns(transaction, open)
      })
    })
    this.#announce(open.row)
  }

  /** It ended by itself: what was not saved is lost, and its next use wakes it. */
  async #ended(open: OpenSandbox, why: SandboxEnding['why']): Promise<void> {
    const { teamId, id } = open.row
    await this.#awake.close(id, async () => {
      await this.#transaction(open.row, async (transaction) => {
        await updateSandbox(transaction, teamId, id, { status: 'sleeping', reason: describeEnding(why) })
        await tellSigns(transaction, open)
      })
    })
    this.#announce(open.row)
  }

  /** Closes a sandbox that was deleted through another server process. */
  async #closeDeleted(teamId: string, id: string): Promise<void> {
    const open = this.awake(teamId, id)
    if (!open) return
    try {
      const row = await this.#transaction(open.row, (transaction) => selectSandbox(transaction, teamId, id))
      if (row?.status !== 'ended') return
      await this.#awake.close(id, async () => open.inside.close())
      // saved while it was being deleted
      const released = await this.#transaction(row, (transaction) => deleteSaved(transaction, teamId, id))
      this.#deps.releaseBlobs(teamId, released)
    } catch (error) {
      this.#deps.log.warn({ error, sandbox: id }, 'a deleted sandbox could not be closed')
    }
  }

  /** A team that is gone leaves no sandbox behind. */
  async #closeOrphans(teamId: string): Promise<void> {
    for (const open of this.#awake.all().filter(({ row }) => row.teamId === teamId)) {
      const row = await this.#transaction(open.row, (transaction) =>
        selectSandbox(transaction, teamId, open.row.id),
      ).catch(() => open.row) // the database is away: nothing is known to be gone
      if (!row) await this.#awake.close(open.row.id, async () => open.inside.close())
    }
  }

  /** Bookkeeping of what was found or is held here. */
  #transaction<T>({ teamId }: { teamId: string }, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#deps.database.transaction({ team: teamId, upkeep: true }, work)
  }

  /** Row-level security does not reach what is in memory: a thread's sandbox is seen by those who see the thread. */
  async #isSeen({ teamId, threadId, privateTo }: SandboxRow): Promise<boolean> {
    if (privateTo !== null && privateTo !== actingPerson()) return false
    return threadId === null || seesThread(this.#deps.database, teamId, threadId)
  }

  /** Says that something of a sandbox changed, to those who may see it. */
  async tell(teamId: string, id: string, type: 'sandbox' | 'cell'): Promise<void> {
    const row =
      this.awake(teamId, id)?.row ??
      (await this.#transaction({ teamId }, (transaction) => selectSandbox(transaction, teamId, id)))
    if (row) this.#announce(row, type)
  }

  async #show(row: SandboxRow): Promise<Sandbox> {
    const saved = await this.#transaction(row, (transaction) => countSaved(transaction, row.teamId, [row.id]))
    return toSandbox(row, saved.get(row.id), this.#awake.get(row.id))
  }

  #announced(row: SandboxRow): Promise<Sandbox> {
    this.#announce(row)
    return this.#show(row)
  }

  #announce({ teamId, id, threadId, privateTo }: SandboxRow, type: 'sandbox' | 'cell' = 'sandbox'): void {
    const event = { teamId, type, id }
    const only = privateTo === null ? {} : { only: { personId: privateTo, admins: false } }
    if (threadId === null || privateTo !== null) void this.#deps.events.publish({ ...event, ...only })
    // the database may be away: pages look again when it is back
    else void tellOfThread(this.#deps, threadId, event).catch(() => undefined)
  }
}
