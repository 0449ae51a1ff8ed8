import {
  CoherexError,
  toolLimits,
  type Page,
  type SharedTool,
  type StartedBy,
  type ToolCheck,
  type ToolDefinition,
  type ToolDetails,
  type ToolReach,
  type ToolReview,
  type ToolRules,
  type ToolStatus,
  type ToolSummary,
  type ToolUsage,
  type ToolUser,
  type ToolVersion,
} from '@coherex/contract'
import { findMember, type TeamCaller } from '../../access/index.ts'
import type { Blobs, ReleaseBlobs, Transaction } from '../../base/index.ts'
import { readLock } from '../../packages/index.ts'
import { createDefinitions, type DefinitionDeps } from '../definition/create-definitions.ts'
import { ownerOf } from '../definition/create-holding.ts'
import type { AgentAuthor } from '../definition/definition-kind.ts'
import type { VersionName } from '../definition/definition-store.ts'
import { describeVersion } from '../definition/describe-version.ts'
import { toGivenFiles } from '../definition/folder.ts'
import { tellWhoSees } from '../definition/tell-who-sees.ts'
import { findCallableTool, listCallableTools, type CallableTool } from './callable-tools.ts'
import { listTools, statusOf, toSummary, type ToolFilters } from './list-tools.ts'
import { listOfferedTools, readOfferedTool } from './offered-tools.ts'
import { createRecentVersions } from './recent-versions.ts'
import { neverPublished } from './refuse-tool.ts'
import { selectTriggers, selectUsers } from './select-users.ts'
import { selectHashes } from './tool-blobs.ts'
import { countRefusedCall, deleteCalls, selectDailyCalls, selectUsage } from './tool-calls.ts'
import { createToolHolding, noTriggers } from './tool-holding.ts'
import { createToolKind, type ToolFolder } from './tool-kind.ts'
import { createToolReviews } from './tool-reviews.ts'
import { readToolRules, setToolRules } from './tool-rules.ts'
import { toolTable, type ToolRow, type ToolVersionRow } from './tool-tables.ts'

interface NewToolVersion {
  content: ToolFolder
  note: string
  agent?: AgentAuthor | undefined
  /** Of a tool that is new. */
  reach?: ToolReach | undefined
  /** The newest version that its author knows of; 0 for none. */
  expectedVersion?: number | undefined
}

export interface FoundTool {
  version: number
  status: ToolStatus
  deprecation: string | null
  reach: ToolReach
  /** Of the version's files. */
  digest: string
  content: ToolFolder
}

export interface ToolDeps {
  blobs: Pick<Blobs, 'put' | 'read'>
  releaseBlobs: ReleaseBlobs
  /** Called in the transaction that publishes a version, or a tool again. */
  toolChanged(
    transaction: Transaction,
    caller: TeamCaller,
    tool: { name: string; published?: Pick<ToolDefinition, 'triggers'> },
  ): Promise<void>
}

/** Tools of teams. A version waits until it is published, and never changes. */
export function createToolRegistry(deps: DefinitionDeps & ToolDeps) {
  const { database, blobs, releaseBlobs } = deps
  const toolKind = createToolKind(blobs)
  const verbs = createDefinitions(toolKind, { database, events: tellWhoSees(deps, toolTable) })
  const { store } = verbs
  const recent = createRecentVersions()

  const read = <T>(teamId: string, work: (transaction: Transaction) => Promise<T>) =>
    database.transaction({ team: teamId }, work)

  /** A version by number, or the published one, as callers get it: one that was never published is refused. */
  async function find(teamId: string, name: string, version?: number): Promise<FoundTool> {
    const { wasPublished, ...found } = await findStored(teamId, name, version)
    if (!wasPublished) throw new CoherexError('conflict', neverPublished(name, found.version))
    return found
  }

  /** Any version by number, for those who try, test and review it before it is published. */
  async function findStored(
    teamId: string,
    name: string,
    version?: number,
  ): Promise<FoundTool & { wasPublished: boolean }> {
    const { head, number, wasPublished } = await read(teamId, async (transaction) => {
      const row = await store.selectHead(transaction, teamId, name)
      if (!row) throw store.unknown(name)
      const asked = version ?? row.activeVersion
      if (asked === null) throw new CoherexError('conflict', `The tool "${name}" is not published yet`)
      const isApproved =
        asked === row.activeVersion ||
        (await store.selectVersion(transaction, teamId, { name, version: asked })).state === 'approved'
      return { head: row, number: asked, wasPublished: isApproved }
    })
    // one that was deleted and made again has the same numbers
    const key = JSON.stringify([teamId, name, number, head.createdAt])
    const found = await recent(key, async () => {
      const { version: row, content } = await verbs.readVersion(teamId, { name, version: number })
      return { digest: row.digest, content }
    })
    const { deprecation, reach } = head
    return { ...found, version: number, status: statusOf(head), deprecation, reach, wasPublished }
  }

  async function version(teamId: string, at: VersionName): Promise<ToolDetails> {
    const { version: row, content } = await verbs.readVersion(teamId, at)
    const { definition, input, output } = content
    const lock = content.lock === null ? null : ((await readLock(database, teamId, content.lock)) ?? null)
    return { ...toVersion(row), definition, input, output, lock, files: toGivenFiles(content.files) }
  }

  async function get(teamId: string, name: string): Promise<ToolSummary & { current: ToolDetails }> {
    const { head, callsOf } = await read(teamId, async (transaction) => ({
      head: await store.selectHead(transaction, teamId, name),
      callsOf: await selectDailyCalls(transaction, teamId, [name]),
    }))
    if (!head) throw store.unknown(name)
    const current = await version(teamId, { name, version: head.activeVersion ?? head.newestVersion })
    return { ...toSummary(head, current.definition, callsOf(name)), current }
  }

  /** What names it, in the version that is used. */
  async function usedBy(teamId: string, name: string): Promise<ToolUser[]> {
    return read(teamId, async (transaction) => {
      if (!(await store.selectHead(transaction, teamId, name))) throw store.unknown(name)
      const triggers = await selectTriggers(transaction, teamId, name)
      return [...(await selectUsers(transaction, teamId, name)), ...triggers]
    })
  }

  /** Who sees a tool; undefined where there is none, or none to see. */
  async function reachOf(teamId: string, name: string): Promise<ToolReach | undefined> {
    return (await read(teamId, (transaction) => store.selectHead(transaction, teamId, name)))?.reach
  }

  const holding = createToolHolding(verbs, deps.events)
  const reviews = createToolReviews(verbs)

  return {
    get,
    find,
    findStored,
    reachOf,
    version,

    /** Published tools that callers may have, with their schemas. */
    callable: (teamId: string, page: { limit: number; cursor?: string | undefined }): Promise<Page<CallableTool>> =>
      listCallableTools(database, teamId, page),
    findCallable: (teamId: string, name: string): Promise<CallableTool | undefined> =>
      findCallableTool(database, teamId, name),

    diff: verbs.diffVersions,
    list: (teamId: string, filters: ToolFilters): Promise<Page<ToolSummary>> => listTools(database, teamId, filters),

    async versions(
      teamId: string,
      name: string,
      page: { limit: number; cursor?: string | undefined },
    ): Promise<Page<ToolVersion>> {
      const { items, ...rest } = await verbs.listVersions(teamId, name, page)
      return { ...rest, items: items.map(toVersion) }
    },

    /** Stores the next version; the same files again are the version that has them. */
    async put(
      caller: TeamCaller,
      { content, note, agent, reach, expectedVersion }: NewToolVersion,
    ): Promise<ToolDetails> {
      const { name } = content.definition
      const check = async (transaction: Transaction, head: ToolRow) => {
        refuseOther(head, expectedVersion)
        if (head.newestVersion === 0 && reach !== undefined) await store.setHead(transaction, head, { reach })
        if (head.newestVersion >= toolLimits.versions)
          throw new CoherexError('quota_exceeded', `The tool has ${toolLimits.versions} versions: begin another one`)
        const [same] = await store.selectVersions(transaction, head, { where: toolKind.hasContent(content), limit: 1 })
        return same?.version
      }
      const made = await verbs.storeVersion(caller, { name, content, note, agent }, { state: () => 'proposed', check })
      return version(caller.teamId, { name, version: made.version })
    },

    /** Makes a version the one that callers get who name none. */
    async publish(caller: TeamCaller, at: VersionName, note: string): Promise<void> {
      const { teamId } = caller
      const { name, version: number } = at
      const { definition } = (await verbs.readVersion(teamId, at)).content
      await verbs.change(caller, name, async (transaction) => {
        const held = await store.holdHead(transaction, teamId, name)
        const row = await store.selectVersion(transaction, teamId, at)
        toolKind.admit(caller, row, { head: held, needs: [] })
        const head = await holding.follow(transaction, caller, held, definition)
        if (definition.triggers?.length && head.reach === 'private')
          throw new CoherexError('conflict', `Cannot publish the tool "${name}": ${noTriggers}`)
        await store.setHead(transaction, head, { activeVersion: number, unpublishedAt: null, deprecation: null })
        await deps.toolChanged(transaction, caller, { name, published: definition })
        const isNew = row.state === 'proposed'
        if (isNew || note) await store.setDecision(transaction, caller, row, { state: 'approved', note })
        const { digest, byAgent: agent, turnId, createdByName } = row
        const details = isNew
          ? { version: number, digest, agent, turnId, for: createdByName }
          : { version: number, ...(note && { note }) }
        await store.audit(transaction, caller, { verb: isNew ? 'approve' : 'change', name, details })
      })
    },

    /** Deletes a tool that nothing uses. */
    async remove(caller: TeamCaller, name: string): Promise<void> {
      const { teamId } = caller
      let hashes: string[] = []
      await verbs.remove(caller, name, async (transaction, head) => {
        holding.refuseOthers(caller, head, 'delete')
        const users = await selectUsers(transaction, teamId, name)
        if (users.length > 0) throw isUsed(name, users)
        await deleteCalls(transaction, teamId, name)
        hashes = await selectHashes(transaction, teamId, name)
      })
      releaseBlobs(teamId, hashes)
    },

    usedBy,

    async usage(teamId: string, name: string, { days }: { days: number }): Promise<ToolUsage> {
      return read(teamId, async (transaction) => {
        if (!(await store.selectHead(transaction, teamId, name))) throw store.unknown(name)
        return selectUsage(transaction, teamId, { name, days })
      })
    },

    /** Counts a call whose input did not fit. */
    async countRefused(caller: TeamCaller, at: VersionName & { startedBy?: StartedBy | undefined }): Promise<void> {
      await database.transaction({ team: caller.teamId, durable: false }, (transaction) =>
        countRefusedCall(transaction, caller, at),
      )
    },

    setOwner: holding.setOwner,
    setReach: holding.setReach,

    review: reviews.review,
    keepFindings: reviews.keepFindings,
    async reviews(
      teamId: string,
      asked: { name: string; version?: number | undefined; limit: number; cursor?: string | undefined },
    ): Promise<Page<ToolReview>> {
      return read(teamId, async (transaction) => {
        if (!(await store.selectHead(transaction, teamId, asked.name))) throw store.unknown(asked.name)
        return reviews.list(transaction, teamId, asked)
      })
    },

    /** Whether somebody answers for a version, and approved it where the team asks for that. */
    async checkHolders(teamId: string, at: VersionName): Promise<ToolCheck[]> {
      return read(teamId, async (transaction) => {
        const head = await store.selectHead(transaction, teamId, at.name)
        if (!head) throw store.unknown(at.name)
        const row = await store.selectVersion(transaction, teamId, at)
        const owner = await findMember(transaction, teamId, ownerOf(head).id)
        const rules = await readToolRules(transaction, teamId)
        const message = owner?.name ?? `${ownerOf(head).name} is not in the team any more: name another owner`
        return [
          { name: 'owner', passed: owner !== undefined, message },
          { name: 'review', ...(await reviews.check(transaction, row, rules)) },
        ]
      })
    },

    rules: (teamId: string): Promise<ToolRules> => read(teamId, (transaction) => readToolRules(transaction, teamId)),
    setRules: (caller: TeamCaller, rules: ToolRules): Promise<ToolRules> => setToolRules(database, caller, rules),

    offered: (
      teamId: string,
      page: { limit: number; cursor?: string | undefined; search?: string | undefined },
    ): Promise<Page<SharedTool>> => listOfferedTools(database, teamId, page),
    readOffered: (at: { team: string; name: string; version?: number | undefined }) =>
      readOfferedTool(database, toolKind, at),

    /** Takes a tool from its callers, tells them to leave it, or gives it back to them. */
    async setStatus(
      caller: TeamCaller,
      name: string,
      change: { status: 'published' | 'unpublished' } | { status: 'deprecated'; reason: string },
    ): Promise<void> {
      await verbs.change(caller, name, async (transaction) => {
        const head = await store.holdHead(transaction, caller.teamId, name)
        if (head.activeVersion === null)
          throw new CoherexError('conflict', `No version of the tool "${name}" was published yet`)
        await store.setHead(transaction, head, {
          unpublishedAt: change.status === 'unpublished' ? new Date() : null,
          deprecation: change.status === 'deprecated' ? change.reason : null,
        })
        if (change.status === 'published') await deps.toolChanged(transaction, caller, { name })
        await store.audit(transaction, caller, { verb: 'status', name, details: { ...change } })
      })
    },
  }
}

export type ToolRegistry = ReturnType<typeof createToolRegistry>

function isUsed(name: string, users: ToolUser[]): CoherexError {
  const all = [...new Set(users.map((user) => `the ${user.kind} "${user.name}"`))]
  const named = all.length > 5 ? [...all.slice(0, 5), `${all.length - 5} more`].join(', ') : all.join(' and ')
  const why = `Cannot delete the tool "${name}": ${named} ${all.length === 1 ? 'uses' : 'use'} it`
  return new CoherexError('conflict', `${why}. Take it out of there first, or unpublish it`, { details: users })
}

function toVersion(row: ToolVersionRow): ToolVersion {
  const { state, digest, size } = row
  return { ...describeVersion(row), state, digest, size }
}

function refuseOther({ name, newestVersion }: ToolRow, expected: number | undefined): void {
  if (expected === undefined || expected === newestVersion) return
  const why = newestVersion === 0 ? 'it does not exist' : `its newest version is ${newestVersion}, not ${expected}`
  const wayOut =
    newestVersion === 0
      ? 'Save it with expectedVersion 0'
      : expected === 0
        ? 'Choose another name'
        : `Put your changes on version ${newestVersion} and save with expectedVersion ${newestVersion}`
  throw new CoherexError('conflict', `Cannot save the tool "${name}": ${why}. ${wayOut}`)
}
