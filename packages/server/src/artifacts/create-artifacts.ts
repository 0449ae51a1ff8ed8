import {
  CoherexError,
  findFences,
  language as languageOf,
  type Artifact,
  type ArtifactExecution,
  type ArtifactRun,
  type ArtifactVersion,
  type Message,
  type NotebookFile,
  type Page,
  type Run,
  type Thread,
} from '@coherex/contract'
import { createRateLimiter, recordAudit, tellOfThread, type TeamCaller } from '../access/index.ts'
import type { Agents } from '../agents/index.ts'
import { storable, type Database, type EventBus, type Transaction } from '../base/index.ts'
import type { LiveRun, Runs } from '../runs/index.ts'
import { unifiedDiff, type Workspaces } from '../workspaces/index.ts'
import {
  insertVersion,
  openFence,
  selectArtifact,
  selectArtifacts,
  selectExecutions,
  selectVersions,
  updateArtifact,
  type PageRequest,
} from './artifact-store.ts'
import { fromNotebook } from './notebook/from-notebook.ts'
import { blockToNotebook, toNotebook } from './notebook/to-notebook.ts'
import { OpenBlocks } from './open-blocks.ts'

export interface ArtifactsDeps {
  database: Database
  events: EventBus
  runs: Pick<Runs, 'start' | 'report' | 'list' | 'get'>
  agents: Pick<Agents, 'threads' | 'sandboxOf'>
  workspaces: Pick<Workspaces, 'openText'>
}

/** A fence of a message, by which it is found. */
export interface FencePlace {
  threadId: string
  messageId: string
  index: number
}

export type Artifacts = ReturnType<typeof createArtifacts>

// what a browser says costs nothing to make up, and each is a row
const reportsAtOnce = { burst: 60, perSecond: 1 }

/** Code blocks of conversations: edited as versions, run on the server, or run by a browser that reports it. */
export function createArtifacts({ database, events, runs, agents, workspaces }: ArtifactsDeps) {
  const limitReports = createRateLimiter(reportsAtOnce)
  const within = <T>(teamId: string, work: (transaction: Transaction) => Promise<T>) =>
    database.transaction({ team: teamId }, work)
  const get = (teamId: string, id: string, version?: number): Promise<Artifact> =>
    within(teamId, (transaction) => selectArtifact(transaction, teamId, { id, version }))
  const tell = (teamId: string, { threadId, id }: Artifact) =>
    tellOfThread({ database, events }, threadId, { teamId, type: 'artifact', id })

  async function open({ teamId }: TeamCaller, { threadId, messageId, index }: FencePlace): Promise<string> {
    const message = await agents.threads.readMessage(teamId, threadId, messageId)
    const fence = findFences(textsOf(message)).find((one) => one.index === index)
    if (!fence) {
      throw new CoherexError('not_found', `Message "${messageId}" has no code block ${index} that can be run or shown`)
    }
    return within(teamId, (transaction) => openFence(transaction, teamId, { threadId, message, fence }))
  }

  async function save(
    caller: TeamCaller,
    change: {
      id: string
      code: string
      expectedVersion?: number | undefined
      base?: string | undefined
      /** Others whose typing is in it. */
      with?: string[]
    },
  ): Promise<Artifact> {
    const { teamId, person } = caller
    const { id } = change
    const version = await within(teamId, async (transaction) => {
      const made = await insertVersion(transaction, teamId, { ...change, person })
      if (made === undefined) return undefined
      const target = { kind: 'artifact', id }
      await recordAudit(transaction, {
        teamId,
        actor: caller,
        action: 'artifact.save',
        target,
        details: { version: made, ...(change.with?.length && { with: change.with }) },
      })
      return made
    })
    const saved = await get(teamId, id)
    if (version !== undefined) await tell(teamId, saved)
    return saved
  }

  /** Runs it and does not wait for the end, or keeps what a browser says of it. */
  async function execute(caller: TeamCaller, id: string, asked: ArtifactExecution): Promise<LiveRun | Run> {
    const { teamId, person } = caller
    const { code, expectedVersion } = asked
    if (asked.runtime === 'browser') limitReports(`${teamId} ${person.id}`)
    const artifact = code === undefined ? await get(teamId, id) : await save(caller, { id, code, expectedVersion })
    return perform(caller, artifact, asked)
  }

  async function perform(caller: TeamCaller, artifact: Artifact, asked: ArtifactExecution): Promise<LiveRun | Run> {
    const { teamId } = caller
    const { id, threadId, version } = artifact
    const language = languageOf.safeParse(artifact.language)
    if (artifact.kind !== 'code' || !language.success) {
      throw new CoherexError('invalid_input', `Cannot run artifact "${id}": ${artifact.language} is shown, not run`)
    }
    const request = { language: language.data, code: artifact.code }
    const origin = { threadId, artifact: { id, version } }
    const run =
      asked.runtime === 'browser'
        ? await runs.report(caller, request, { ...origin, report: storable(asked.report) })
        : await runs.start(
            caller,
            { ...request, sandboxId: await agents.sandboxOf(caller, threadId), interactive: true },
            origin,
          )
    await within(teamId, (transaction) => updateArtifact(transaction, teamId, id, { runId: run.id }))
    await tell(teamId, artifact)
    return run
  }

  async function readState(teamId: string, { code, runId }: Artifact) {
    const run = runId === null ? undefined : await runs.get(teamId, runId)
    return { code, run: run?.endedAt ? run : undefined }
  }

  const openBlocks = new OpenBlocks({ events, workspaces, get, save })

  return {
    get,
    save,
    execute,

    /** A block for clients that type in it together. It stays open until it is released. */
    openLive: (caller: TeamCaller, id: string) => openBlocks.open(caller, id),

    /** Keeps what is typed in open blocks and lets go of them. */
    close: () => openBlocks.close(),

    async open(caller: TeamCaller, place: FencePlace): Promise<Artifact> {
      return get(caller.teamId, await open(caller, place))
    },

    executeFence: async (caller: TeamCaller, place: FencePlace, asked: ArtifactExecution): Promise<LiveRun | Run> =>
      execute(caller, await open(caller, place), asked),

    async ofThread(teamId: string, threadId: string): Promise<Artifact[]> {
      await agents.threads.check(teamId, threadId)
      return within(teamId, (transaction) => selectArtifacts(transaction, teamId, threadId))
    },

    /** The branch of a conversation as a notebook of Jupyter, with what its blocks show now. */
    async exportNotebook(teamId: string, threadId: string): Promise<NotebookFile> {
      const thread = await agents.threads.get(teamId, threadId)
      const blocks = await within(teamId, (transaction) => selectArtifacts(transaction, teamId, threadId))
      const states = new Map(
        await Promise.all(
          blocks.map(async (block) => [`${block.messageId} ${block.index}`, await readState(teamId, block)] as const),
        ),
      )
      return toNotebook(thread, (messageId, index) => states.get(`${messageId} ${index}`))
    },

    /** One block as a notebook of Jupyter. */
    async exportBlock(teamId: string, id: string): Promise<NotebookFile> {
      const block = await get(teamId, id)
      return blockToNotebook(block, await readState(teamId, block))
    },

    /** A conversation whose blocks are the cells of a notebook. What the cells showed is kept as reported by whoever brings it. */
    async importNotebook(
      caller: TeamCaller,
      { notebook, ...named }: { notebook: NotebookFile; title: string; agent: string },
    ): Promise<Thread> {
      limitReports(`${caller.teamId} ${caller.person.id}`)
      const { file, kept } = fromNotebook(notebook, { ...named, by: caller.person.name })
      const thread = await agents.threads.import(caller, file)
      const place = { threadId: thread.id, messageId: thread.messages.at(-1)?.id ?? '' }
      for (const { index, report } of kept) {
        const artifact = await get(caller.teamId, await open(caller, { ...place, index }))
        await perform(caller, artifact, { runtime: 'browser', report })
      }
      return thread
    },

    versions: (teamId: string, id: string, page: PageRequest): Promise<Page<ArtifactVersion>> =>
      within(teamId, (transaction) => selectVersions(transaction, teamId, { id, ...page })),

    async diff(teamId: string, id: string, { from, to }: { from: number; to: number }): Promise<string> {
      const [before, after] = [await get(teamId, id, from), await get(teamId, id, to)]
      return unifiedDiff({ path: after.title ?? after.language, before: before.code, after: after.code })
    },

    async executions(
      teamId: string,
      id: string,
      page: PageRequest & { search?: string | undefined },
    ): Promise<Page<ArtifactRun>> {
      await get(teamId, id)
      return within(teamId, (transaction) => selectExecutions(transaction, teamId, { of: { id }, ...page }))
    },

    async executionsOfMessage(
      teamId: string,
      of: Omit<FencePlace, 'index'>,
      page: PageRequest,
    ): Promise<Page<ArtifactRun>> {
      await agents.threads.readMessage(teamId, of.threadId, of.messageId)
      return within(teamId, (transaction) => selectExecutions(transaction, teamId, { of, ...page }))
    },
  }
}

function textsOf({ parts }: Message): string[] {
  return parts.flatMap((part) => (part.type === 'text' ? String(part['text']) : []))
}
