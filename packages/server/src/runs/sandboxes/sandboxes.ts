import { CoherexError, type Page, type Sandbox, type SandboxRequest, type SandboxStatus } from '@coherex/contract'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import { forEachTeam, type Blobs, type Database, type EventBus, type Log, type Transaction } from '../../base/index.ts'
import type { EgressRules, RefusalStorm } from '../../egress/index.ts'
import type { ProcessSpec, Sandbox as RuntimeSandbox, SandboxEnding, SandboxSpec, Sign } from '../../runtimes/index.ts'
import { toNetworkRules } from '../bind-capabilities.ts'
import { unusedBlobs } from '../blob-use.ts'
import type { Grants } from '../grants.ts'
import { readEnvironment, toEnv, type Environment, type VariableOwners } from '../variables/environment.ts'
import { AwakeSandboxes } from './awake-sandboxes.ts'
import type { MachineMemory } from './machine-memory.ts'
import { alertOfSandbox, auditSandbox, forkedSandbox, newSandbox } from './new-sandbox.ts'
import type { OpenSandbox, RunningProcess } from './open-sandbox.ts'
import { restoreFiles } from './restore-files.ts'
import type { OpenNetwork } from './sandbox-network.ts'
import {
  copyContents,
  countSandboxes,
  countSaved,
  deleteCells,
  deleteEnded,
  deleteSaved,
  insertSandbox,
  putAbandonedToSleep,
  selectSandbox,
  selectSandboxes,
  selectSaved,
  updateSandbox,
  type SavedFile,
} from './sandbox-store.ts'
import { describeLoss, keepSessions, toSandbox, toSandboxLimits, type SandboxRow } from './sandbox.ts'
import { rowTouchMs, saveSandbox } from './save-sandbox.ts'
import type { Templates } from './templates.ts'
import { createSandboxWriter, mostPerTeam, tooMany } from './write-sandboxes.ts'

export interface SandboxesRooms {
  database: Database
  events: EventBus
  blobs: Blobs
  log: Log
  serverId: string
  grants: Grants
  templates: Templates
  machine: MachineMemory
  open(spec: SandboxSpec): Promise<RuntimeSandbox>
  /** A way out for a sandbox, within rules. */
  createNetwork(rules: EgressRules, onStorm?: (storm: RefusalStorm) => void): OpenNetwork
}

const saveDeadlineMs = 10_000
const saveEveryMs = 30_000
const endings: Record<SandboxEnding['why'], string> = {
  closed: 'it was closed',
  memory: 'it used more memory than its limit',
  crashed: 'it crashed',
  protocol: 'its processes broke the rules of the sandbox',
}

/** Sandboxes that live on: made, used, put to sleep with their files saved, and woken by their next use. */
export class Sandboxes {
  readonly #rooms: SandboxesRooms
  readonly #awake: AwakeSandboxes
  readonly #write: ReturnType<typeof createSandboxWriter>
  readonly #unsubscribe: () => void
  readonly #saver: NodeJS.Timeout

  constructor(rooms: SandboxesRooms) {
    this.#rooms = rooms
    this.#write = createSandboxWriter(rooms)
    this.#awake = new AwakeSandboxes({
      grants: rooms.grants,
      machine: rooms.machine,
      log: rooms.log,
      onIdle: (open) => void this.#sleep(open, `nobody used it for ${describeMs(open.row.idleTimeoutMs)}`),
      onEnded: (open, { why }) => void this.#ended(open, why),
    })
    this.#unsubscribe = rooms.events.subscribe(({ type, teamId }) => {
      if (type === 'team' && teamId) void this.#closeOrphans(teamId)
    })
    this.#saver = setInterval(() => {
      for (const open of this.#awake.all()) if (open.processes().some(({ exit }) => !exit)) this.#saveLater(open)
    }, saveEveryMs)
    this.#saver.unref()
  }

  /** Its files are whoever asks' business; `owners` are those whose variables it has besides its own. */
  async create(caller: TeamCaller, request: SandboxRequest, owners: VariableOwners = {}): Promise<Sandbox> {
    const { templates, serverId } = this.#rooms
    toNetworkRules(request)
    const template = request.template ? await templates.find(caller.teamId, request.template) : undefined
    const row = newSandbox(caller, request, { serverId, template, owners })
    const open = await this.#wake(row, async ({ inside }) => {
      if (template) await templates.fill(template, inside)
      await this.#write({ row, audit: auditSandbox(caller, 'sandbox.create', row) })
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
    const { page, saved } = await this.#transaction({ teamId }, async (transaction) => {
      const found = await selectSandboxes(transaction, teamId, query)
      const ids = found.items.map((row) => row.id)
      return { page: found, saved: await countSaved(transaction, teamId, ids) }
    })
    return { ...page, items: page.items.map((row) => toSandbox(row, saved.get(row.id), this.#awake.get(row.id))) }
  }

  /** The row of a sandbox, ended ones included. */
  async find(teamId: string, id: string): Promise<SandboxRow> {
    const row =
      this.awake(teamId, id)?.row ??
      (await this.#transaction({ teamId }, (transaction) => selectSandbox(transaction, teamId, id)))
    if (!row) throw new CoherexError('not_found', 'There is no such sandbox')
    return row
  }

  /** The sandbox if it is awake here; looking does not wake it. */
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
    return readEnvironment(this.#rooms.database, teamId, { workspaceId, agentName, env, from: 'sandbox' })
  }

  /** What was saved of a sandbox. */
  saved(teamId: string, id: string): Promise<SavedFile[]> {
    return this.#transaction({ teamId }, (transaction) => selectSaved(transaction, teamId, id))
  }

  save(open: OpenSandbox): Promise<void> {
    return saveSandbox(this.#rooms, open)
  }

  async change(open: OpenSandbox, change: Partial<SandboxRow>): Promise<Sandbox> {
    const { teamId, id } = open.row
    await this.#transaction(open.row, (transaction) => updateSandbox(transaction, teamId, id, change))
    open.row = { ...open.row, ...change }
    open.rewatch()
    return this.#announced(open.row)
  }

  /** Starts a command in the background. What it wrote is saved when it ends. */
  startProcess(teamId: string, id: string, spec: ProcessSpec): Promise<RunningProcess> {
    return this.use(teamId, id, (open) => open.start(spec, () => this.#saveLater(open)))
  }

  /** Ends a session or all of them; what they knew is not run again. */
  reset(teamId: string, id: string, context: string | undefined): Promise<Sandbox> {
    return this.use(teamId, id, async (open) => {
      await this.#transaction(open.row, (transaction) => deleteCells(transaction, teamId, id, context))
      return this.endSessions(teamId, id, context)
    })
  }

  /** Ends a session or all of them; their cells can be run again. */
  endSessions(teamId: string, id: string, context: string | undefined): Promise<Sandbox> {
    return this.use(teamId, id, async (open) => {
      const contexts = context === undefined ? open.inside.sessions().map((one) => one.context) : [context]
      for (const one of contexts) await open.inside.reset(one)
      return this.change(open, { notice: null, sessions: keepSessions(open.inside) })
    })
  }

  /** A new sandbox with the files as they are now. Variables live in processes and cannot be copied. */
  async fork(caller: TeamCaller, id: string, name: string | undefined): Promise<Sandbox> {
    const { teamId } = caller
    const awake = this.awake(teamId, id)
    if (awake) await this.save(awake)
    const source = await this.find(teamId, id)
    if (source.status === 'ended') throw hasEnded(source)
    const row = forkedSandbox(caller, source, { name, sessions: source.sessions, serverId: this.#rooms.serverId })
    const open = await this.#wake(row, async (opened) => {
      await this.#transaction(row, async (transaction) => {
        await this.#insert(transaction, row)
        await copyContents(transaction, teamId, source.id, row.id)
        await recordAudit(transaction, auditSandbox(caller, 'sandbox.fork', row, { from: source.id }))
      })
      const lost = await this.#restore(opened)
      if (lost.length === 0) return
      const notice = [row.notice, describeLost(lost)].filter(Boolean).join('; ')
      await this.#transaction(row, (transaction) => updateSandbox(transaction, teamId, row.id, { notice }))
      opened.row = { ...row, notice }
    })
    return this.#announced(open.row)
  }

  /** Ends it for good and deletes its files. Why it ended stays readable for a week. */
  async remove(caller: TeamCaller, id: string): Promise<void> {
    const { teamId, person } = caller
    const row = await this.find(teamId, id)
    if (row.status === 'ended') throw hasEnded(row)
    checkHolder(row, this.#rooms.serverId)
    await this.#awake.close(id, async (open) => open.inside.close())
    const unused = await this.#transaction(row, async (transaction) => {
      const released = await deleteSaved(transaction, teamId, id)
      await deleteCells(transaction, teamId, id)
      await updateSandbox(transaction, teamId, id, {
        status: 'ended',
        reason: `deleted by ${person.name}`,
        notice: null,
        sessions: [],
        endedAt: new Date(),
      })
      await recordAudit(transaction, auditSandbox(caller, 'sandbox.delete', row))
      return unusedBlobs(transaction, teamId, released)
    })
    for (const hash of unused) await this.#rooms.blobs.remove(teamId, hash)
    this.#announce(row)
  }

  /** Somebody made an address of a port for strangers. */
  async recordShare(caller: TeamCaller, { id, port }: { id: string; port: number }): Promise<void> {
    const row = await this.find(caller.teamId, id)
    if (row.status === 'ended') throw hasEnded(row)
    await this.#transaction(row, (transaction) =>
      recordAudit(transaction, auditSandbox(caller, 'sandbox.share', row, { port })),
    )
  }

  /** Addresses that were shared before now are void. */
  async unshare(caller: TeamCaller, id: string): Promise<void> {
    const { teamId } = caller
    const row = await this.find(teamId, id)
    const sharesSince = new Date()
    await this.#transaction(row, async (transaction) => {
      await updateSandbox(transaction, teamId, id, { sharesSince })
      await recordAudit(transaction, auditSandbox(caller, 'sandbox.unshare', row))
    })
    const awake = this.awake(teamId, id)
    if (awake) awake.row = { ...awake.row, sharesSince }
  }

  /** How many of the team are awake, and the memory they may take together. */
  usage(teamId: string): { sandboxesAtOnce: number; sandboxMemoryMb: number } {
    return this.#awake.usage(teamId)
  }

  /** Puts to sleep what a killed server left, and forgets what ended long ago. */
  async recover(): Promise<void> {
    const { database, serverId, log } = this.#rooms
    await forEachTeam(database, async (teamId) => {
      const count = await this.#transaction({ teamId }, async (transaction) => {
        await deleteEnded(transaction, teamId)
        return putAbandonedToSleep(transaction, teamId, { serverId, reason: 'the server stopped without warning' })
      })
      if (count > 0) log.warn({ teamId, sandboxes: count }, 'sandboxes of the server before sleep')
    })
  }

  /** Saves and closes all of them. */
  async close(): Promise<void> {
    this.#unsubscribe()
    clearInterval(this.#saver)
    await this.#awake.settle()
    await Promise.all(this.#awake.all().map((open) => this.#sleep(open, 'the server was stopped')))
  }

  /** Commands write when they like: what they wrote is saved now and then while they run, and when they end. */
  #saveLater(open: OpenSandbox): void {
    if (this.#awake.get(open.row.id) !== open) return
    this.save(open).catch((error: unknown) => {
      this.#rooms.log.warn({ error, sandbox: open.row.id }, 'files of a sandbox could not be saved')
    })
  }

  async #opened(teamId: string, id: string): Promise<OpenSandbox> {
    const known = await this.#awake.find(teamId, id)
    if (known) return known
    const row = await this.find(teamId, id)
    if (row.status === 'ended') throw hasEnded(row)
    checkHolder(row, this.#rooms.serverId)
    return this.#wake(row, async (open) => {
      const notice = describeWaking(row, await this.#restore(open))
      const change = { status: 'running' as const, reason: null, notice, sessions: [], serverId: this.#rooms.serverId }
      await this.#transaction(row, (transaction) =>
        updateSandbox(transaction, teamId, id, { ...change, lastUsedAt: new Date() }),
      )
      open.row = { ...row, ...change }
      this.#announce(row)
    })
  }

  #wake(row: SandboxRow, prepare: (open: OpenSandbox) => Promise<void>): Promise<OpenSandbox> {
    const { open, templates, createNetwork } = this.#rooms
    return this.#awake.wake({
      row,
      prepare: async (opened) => {
        await prepare(opened)
        const command = await templates.startOf(row)
        if (command !== null) await opened.start({ command }, () => this.#saveLater(opened))
      },
      open: async () => {
        const rules = row.network && toNetworkRules({ network: row.network })
        const storms: Sign[] = []
        const way = rules && createNetwork(rules, (storm) => storms.push(this.#alertOfStorm(row, storm)))
        const inside = await open({
          limits: toSandboxLimits(row.limits),
          domain: row.teamId,
          env: toEnv(await this.environment(row)),
          ...(way && { network: way.network }),
          ...(await templates.directoryOf(row)),
        })
        if (way) void inside.ended.then(() => way.close())
        return { inside, requests: () => way?.requests() ?? [], storms: () => storms }
      },
    })
  }

  /** Puts the saved files back; answers those that were not there. */
  async #restore(open: OpenSandbox): Promise<string[]> {
    const { teamId, id } = open.row
    const saved = await this.saved(teamId, id)
    const { known, lost } = await restoreFiles({ inside: open.inside, saved, blobs: this.#rooms.blobs, teamId })
    open.known = known
    return lost
  }

  async #sleep(open: OpenSandbox, reason: string): Promise<void> {
    const { teamId, id } = open.row
    await this.#awake.close(id, async () => {
      const saving = this.save(open).catch((error: unknown) => {
        this.#rooms.log.error({ error, sandbox: id }, 'files of a sandbox could not be saved')
      })
      await Promise.race([saving, new Promise((resolve) => setTimeout(resolve, saveDeadlineMs).unref())])
      const sessions = keepSessions(open.inside)
      await open.inside.close()
      await this.#transaction(open.row, (transaction) =>
        updateSandbox(transaction, teamId, id, { status: 'sleeping', reason, sessions }),
      )
    })
    this.#announce(open.row)
  }

  /** It ended by itself: what was not saved is lost, and its next use wakes it. */
  async #ended(open: OpenSandbox, why: SandboxEnding['why']): Promise<void> {
    const { teamId, id } = open.row
    await this.#awake.close(id, async () => {
      const signs = open.inside.signs()
      await this.#transaction(open.row, async (transaction) => {
        await updateSandbox(transaction, teamId, id, { status: 'sleeping', reason: endings[why] })
        if (signs.length > 0) await recordAudit(transaction, alertOfSandbox(open.row, signs))
      })
    })
    this.#announce(open.row)
  }

  /** At once and not with its end: whoever tries doors may do so for days. */
  #alertOfStorm(row: SandboxRow, { count }: RefusalStorm): Sign {
    const sign: Sign = { kind: 'egress-refusals', detail: `${count} requests were refused` }
    this.#transaction(row, (transaction) => recordAudit(transaction, alertOfSandbox(row, [sign]))).catch(
      (error: unknown) => this.#rooms.log.error({ error, sandbox: row.id }, 'an alert could not be recorded'),
    )
    return sign
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

  async #insert(transaction: Transaction, row: SandboxRow): Promise<void> {
    if ((await countSandboxes(transaction, row.teamId)) >= mostPerTeam) throw tooMany()
    await insertSandbox(transaction, row)
  }

  #transaction<T>({ teamId }: { teamId: string }, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#rooms.database.transaction({ team: teamId }, work)
  }

  async #show(row: SandboxRow): Promise<Sandbox> {
    const saved = await this.#transaction(row, (transaction) => countSaved(transaction, row.teamId, [row.id]))
    return toSandbox(row, saved.get(row.id), this.#awake.get(row.id))
  }

  #announced(row: SandboxRow): Promise<Sandbox> {
    this.#announce(row)
    return this.#show(row)
  }

  #announce({ teamId, id }: SandboxRow): void {
    void this.#rooms.events.publish({ teamId, type: 'sandbox', id })
  }
}

function hasEnded({ id, reason }: SandboxRow): CoherexError {
  return new CoherexError('conflict', `Cannot use sandbox "${id}": it has ended, ${reason ?? 'for good'}`)
}

/** A sandbox lives in one server process. One whose process fell silent long ago may be taken over. */
function checkHolder(row: SandboxRow, serverId: string): void {
  if (row.status !== 'running' || row.serverId === serverId) return
  if (Date.now() - row.lastUsedAt.getTime() > row.idleTimeoutMs + 2 * rowTouchMs) return
  throw new CoherexError('unavailable', `Cannot use sandbox "${row.id}": another server process holds it`)
}

function describeWaking({ reason, sessions, notice }: SandboxRow, lost: string[]): string {
  return [
    `It slept because ${reason ?? 'nobody used it'}: its files are back`,
    // one that slept twice without a cell in between still lacks what it lacked before
    describeLoss(sessions) ??
      (notice?.includes('variables are gone') ? 'its variables are gone' : 'no variables were lost'),
    ...(lost.length > 0 ? [describeLost(lost)] : []),
  ].join('; ')
}

function describeLost(lost: string[]): string {
  return lost.length === 1 ? '1 file could not be put back' : `${lost.length} files could not be put back`
}

function describeMs(ms: number): string {
  return ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`
}
