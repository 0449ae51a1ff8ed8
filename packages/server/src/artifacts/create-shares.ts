import {
  CoherexError,
  hasRole,
  type MadeShare,
  type NewShare,
  type Page,
  type Run,
  type Share,
  type SharedArtifact,
  type ShareTarget,
} from '@coherex/contract'
import { hashToken, recordAudit, type TeamCaller } from '../access/index.ts'
import type { Agents } from '../agents/index.ts'
import { actFor, createId, createToken, type Database, type EventBus, type Transaction } from '../base/index.ts'
import type { Runs } from '../runs/index.ts'
import type { Workspaces } from '../workspaces/index.ts'
import { selectArtifact, selectVersions, type PageRequest } from './artifact-store.ts'
import {
  countShares,
  deleteShare,
  insertShare,
  noShare,
  selectEndedRun,
  selectShare,
  selectShares,
  selectToken,
} from './share-store.ts'
import { createSharedTexts } from './shared-texts.ts'

export interface SharesDeps {
  database: Database
  events: EventBus
  runs: Pick<Runs, 'get'>
  threads: Pick<Agents['threads'], 'get' | 'export'>
  files: Pick<Workspaces['files'], 'read'>
  /** Where people reach the server. */
  publicUrl: string
}

export type Shares = ReturnType<typeof createShares>

const mostOfOne = 100
const versionsShown = 50

/** Links to artifacts, conversations and files. What a visitor sees is read with the rights of who shared it, whoever the visitor is. */
export function createShares({ database, events, runs, threads, files, publicUrl }: SharesDeps) {
  const texts = createSharedTexts({ threads, files })
  const within = <T>(teamId: string, work: (transaction: Transaction) => Promise<T>) =>
    database.transaction({ team: teamId }, work)

  async function readContent(
    teamId: string,
    share: Share & { lastMessage: string | null },
    version: number | undefined,
  ): Promise<SharedArtifact> {
    const { artifactId, threadId, lastMessage, workspaceId, path, createdBy } = share
    const { title, kind, language, mode, expiresAt } = share
    const shown = { title, kind, language, mode, expiresAt, sharedBy: createdBy.name }
    const still = { ...shown, version: 1, versions: [], run: null }
    if (threadId !== null && lastMessage !== null)
      return { ...still, code: '', messages: await texts.readThread(teamId, { threadId, lastMessage }) }
    if (workspaceId !== null && path !== null)
      return { ...still, code: await texts.readFile(teamId, { workspaceId, path }) }
    if (artifactId === null) throw noShare()
    const { artifact, versions, runId } = await within(teamId, async (transaction) => {
      const found = await selectArtifact(transaction, teamId, { id: artifactId, version })
      return {
        artifact: found,
        versions: await selectVersions(transaction, teamId, { id: artifactId, limit: versionsShown }),
        runId: await selectEndedRun(transaction, teamId, { artifactId, version: found.version }),
      }
    })
    return {
      ...shown,
      ...{ version: artifact.version, code: artifact.code },
      versions: versions.items.map((one) => ({ version: one.version, createdAt: one.createdAt })),
      run: runId === undefined ? null : toSharedRun(await runs.get(teamId, runId)),
    }
  }

  /** What a share shows now. Whoever shared it and may not see the artifact any more shows it to nobody. */
  async function content(teamId: string, id: string, version?: number): Promise<SharedArtifact> {
    const share = await within(teamId, (transaction) => selectShare(transaction, teamId, id))
    return actFor(share.createdBy.id, () => readContent(teamId, share, version)).catch((error: unknown) => {
      throw error instanceof CoherexError && error.code === 'not_found' ? noShare() : error
    })
  }

  /** What is to be shared, as the caller sees it. */
  async function find(teamId: string, { artifactId, threadId, workspaceId = '', path = '' }: ShareTarget) {
    if (threadId !== undefined) return texts.findThread(teamId, threadId)
    if (artifactId === undefined) return texts.findFile(teamId, { workspaceId, path })
    const { title, kind, language } = await within(teamId, (transaction) =>
      selectArtifact(transaction, teamId, { id: artifactId }),
    )
    return { title: title ?? language, kind, language }
  }

  return {
    content,

    async create(caller: TeamCaller, asked: NewShare): Promise<MadeShare> {
      const { teamId, person } = caller
      const { artifactId, threadId, workspaceId, path, mode, reach, isListed } = asked
      const target = { artifactId, threadId, workspaceId, path }
      const expiresAt = asked.expiresAt === undefined ? null : new Date(asked.expiresAt)
      if (expiresAt && expiresAt <= new Date()) {
        throw new CoherexError('invalid_input', 'The share would have expired already', {
          details: [{ field: 'expiresAt' }],
        })
      }
      const token = reach === 'public' ? createToken() : undefined
      const { title: ownTitle, ...found } = await find(teamId, target)
      const share = await within(teamId, async (transaction) => {
        if ((await countShares(transaction, teamId, target)) >= mostOfOne) {
          throw new CoherexError('conflict', `Cannot share "${ownTitle}": it has ${mostOfOne} shares. Revoke one first`)
        }
        const title = asked.title ?? ownTitle
        const made = await insertShare(
          transaction,
          {
            ...{ teamId, id: createId('share'), ...target, ...found, mode, reach, isListed, expiresAt, title },
            ...{ createdBy: person.id, createdByName: person.name },
          },
          token && hashToken(token),
        )
        await recordAudit(transaction, {
          ...{ teamId, actor: caller, action: 'share.create', target: { kind: 'share', id: made.id, name: title } },
          details: { ...target, mode, reach, isListed, expiresAt: made.expiresAt },
        })
        return made
      })
      await events.publish({ teamId, type: 'share', id: share.id })
      return {
        ...share,
        url: token === undefined ? `${publicUrl}/gallery/${share.id}` : `${publicUrl}/s/${token}`,
        embedUrl: token === undefined ? null : `${publicUrl}/embed/${token}`,
      }
    },

    /** Of something that the caller sees; without that the caller's own, and all for an admin. */
    async list({ teamId, person, role }: TeamCaller, query: PageRequest & ShareTarget): Promise<Page<Share>> {
      const { limit, cursor, ...target } = query
      const isOfOne = Object.values(target).some((one) => one !== undefined)
      // workspaces are for all of a team, and a link to a file that is gone can still be revoked
      if (target.artifactId !== undefined) await find(teamId, target)
      if (target.threadId !== undefined) await threads.get(teamId, target.threadId)
      const mine = hasRole(role, 'admin') ? ('team' as const) : { personId: person.id }
      const of = isOfOne ? { target } : mine
      return within(teamId, (transaction) => selectShares(transaction, teamId, { of, limit, cursor }))
    },

    gallery: (teamId: string, page: PageRequest): Promise<Page<Share>> =>
      within(teamId, (transaction) => selectShares(transaction, teamId, { of: 'gallery', ...page })),

    /** One's own; an admin revokes anyone's. */
    async revoke(caller: TeamCaller, id: string): Promise<void> {
      const { teamId, person, role } = caller
      await within(teamId, async (transaction) => {
        const by = hasRole(role, 'admin') ? undefined : person.id
        const { title, artifactId, threadId, workspaceId, path } = await deleteShare(transaction, teamId, { id, by })
        await recordAudit(transaction, {
          ...{ teamId, actor: caller, action: 'share.revoke', target: { kind: 'share', id, name: title } },
          details: { artifactId, threadId, workspaceId, path },
        })
      })
      await events.publish({ teamId, type: 'share', id })
    },

    /** What the address of a public share shows. Nothing of the request but the token counts. */
    async open(token: string, version?: number): Promise<SharedArtifact> {
      const found = await database.transaction({}, (transaction) => selectToken(transaction, hashToken(token)))
      if (!found) throw noShare()
      return content(found.teamId, found.shareId, version)
    },
  }
}

/** Without ids, people, requests and what the server knows beside the code's own words. */
function toSharedRun(run: Run): SharedArtifact['run'] {
  const { status, output, result, resultText, truncated, durationMs, endedAt, reportedBy, error } = run
  return {
    ...{ status, output, truncated, durationMs, endedAt },
    ...(result !== undefined && { result }),
    ...(resultText !== undefined && { resultText }),
    ...(reportedBy && { reportedBy }),
    ...(error && {
      error: {
        ...{ kind: error.kind, message: error.message },
        ...(error.line !== undefined && { line: error.line }),
        ...(error.summary !== undefined && { summary: error.summary }),
      },
    }),
  }
}
