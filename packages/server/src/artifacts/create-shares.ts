import {
  CoherexError,
  hasRole,
  type MadeShare,
  type NewShare,
  type Page,
  type Run,
  type Share,
  type SharedArtifact,
} from '@coherex/contract'
import { hashToken, recordAudit, type TeamCaller } from '../access/index.ts'
import { actFor, createId, createToken, type Database, type EventBus, type Transaction } from '../base/index.ts'
import type { Runs } from '../runs/index.ts'
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

export interface SharesDeps {
  database: Database
  events: EventBus
  runs: Pick<Runs, 'get'>
  /** Where people reach the server. */
  publicUrl: string
}

export type Shares = ReturnType<typeof createShares>

const mostOfArtifact = 100
const versionsShown = 50

/** Links to artifacts. What a visitor sees is read with the rights of who shared it, whoever the visitor is. */
export function createShares({ database, events, runs, publicUrl }: SharesDeps) {
  const within = <T>(teamId: string, work: (transaction: Transaction) => Promise<T>) =>
    database.transaction({ team: teamId }, work)

  async function readContent(
    teamId: string,
    share: Share & { artifactId: string },
    version: number | undefined,
  ): Promise<SharedArtifact> {
    const { artifactId, title, kind, language, mode, expiresAt, createdBy } = share
    const { artifact, versions, runId } = await within(teamId, async (transaction) => {
      const found = await selectArtifact(transaction, teamId, { id: artifactId, version })
      return {
        artifact: found,
        versions: await selectVersions(transaction, teamId, { id: artifactId, limit: versionsShown }),
        runId: await selectEndedRun(transaction, teamId, { artifactId, version: found.version }),
      }
    })
    return {
      ...{ title, kind, language, mode, expiresAt, sharedBy: createdBy.name },
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

  return {
    content,

    async create(caller: TeamCaller, asked: NewShare): Promise<MadeShare> {
      const { teamId, person } = caller
      const { artifactId, mode, reach, isListed } = asked
      const expiresAt = asked.expiresAt === undefined ? null : new Date(asked.expiresAt)
      if (expiresAt && expiresAt <= new Date()) {
        throw new CoherexError('invalid_input', 'The share would have expired already', {
          details: [{ field: 'expiresAt' }],
        })
      }
      const token = reach === 'public' ? createToken() : undefined
      const share = await within(teamId, async (transaction) => {
        const artifact = await selectArtifact(transaction, teamId, { id: artifactId })
        if ((await countShares(transaction, teamId, artifactId)) >= mostOfArtifact) {
          throw new CoherexError(
            'conflict',
            `Cannot share artifact "${artifactId}": it has ${mostOfArtifact} shares. Revoke one first`,
          )
        }
        const title = asked.title ?? artifact.title ?? artifact.language
        const made = await insertShare(
          transaction,
          {
            ...{ teamId, id: createId('share'), artifactId, mode, reach, isListed, expiresAt, title },
            ...{ kind: artifact.kind, language: artifact.language, createdBy: person.id, createdByName: person.name },
          },
          token && hashToken(token),
        )
        await recordAudit(transaction, {
          ...{ teamId, actor: caller, action: 'share.create', target: { kind: 'share', id: made.id, name: title } },
          details: { artifactId, mode, reach, isListed, expiresAt: made.expiresAt },
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

    /** Of an artifact that the caller sees; without one the caller's own, and all for an admin. */
    list: (
      { teamId, person, role }: TeamCaller,
      { artifactId, ...page }: PageRequest & { artifactId?: string | undefined },
    ): Promise<Page<Share>> =>
      within(teamId, async (transaction) => {
        if (artifactId !== undefined) await selectArtifact(transaction, teamId, { id: artifactId })
        const mine = hasRole(role, 'admin') ? 'team' : { personId: person.id }
        return selectShares(transaction, teamId, { of: artifactId === undefined ? mine : { artifactId }, ...page })
      }),

    gallery: (teamId: string, page: PageRequest): Promise<Page<Share>> =>
      within(teamId, (transaction) => selectShares(transaction, teamId, { of: 'gallery', ...page })),

    /** One's own; an admin revokes anyone's. */
    async revoke(caller: TeamCaller, id: string): Promise<void> {
      const { teamId, person, role } = caller
      await within(teamId, async (transaction) => {
        const by = hasRole(role, 'admin') ? undefined : person.id
        const { title, artifactId } = await deleteShare(transaction, teamId, { id, by })
        await recordAudit(transaction, {
          ...{ teamId, actor: caller, action: 'share.revoke', target: { kind: 'share', id, name: title } },
          details: { artifactId },
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
