import { CoherexError, type DefinitionNoun, type DefinitionVerb } from '@coherex/contract'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Transaction } from '../../base/index.ts'
import type { AgentAuthor, DefinitionKind } from './definition-kind.ts'
import type { HeadRow, VersionRow, VersionState } from './definition-tables.ts'

export interface VersionName {
  name: string
  version: number
}

export interface NewVersion<Content> {
  name: string
  content: Content
  note: string
  /** Given when an agent wrote it. */
  agent?: AgentAuthor | undefined
}

/** What the verbs of a kind ask of its tables, in their transactions. */
export function createDefinitionStore<Head extends HeadRow, Version extends VersionRow, Content>(
  kind: DefinitionKind<Head, Version, Content>,
) {
  const { noun, heads, versions } = kind
  // the tables of a kind have the columns of its rows
  const toHead = (row: HeadRow | undefined) => row as Head | undefined
  const toVersion = (row: VersionRow) => row as Version

  const unknown = (name: string) => new CoherexError('not_found', `There is no ${noun} "${name}"`)
  const isHead = (teamId: string, name: string) => and(eq(heads.teamId, teamId), eq(heads.name, name))

  /** Of one name. */
  async function selectVersions(
    transaction: Transaction,
    { teamId, name }: Pick<HeadRow, 'teamId' | 'name'>,
    rest: { where?: SQL | undefined; limit?: number } = {},
  ): Promise<Version[]> {
    const query = transaction
      .select()
      .from(versions)
      .where(and(eq(versions.teamId, teamId), eq(versions.name, name), rest.where))
      .orderBy(sql`version DESC`)
    return (await (rest.limit === undefined ? query : query.limit(rest.limit))).map(toVersion)
  }

  async function selectVersion(transaction: Transaction, teamId: string, { name, version }: VersionName) {
    const where = eq(versions.version, version)
    const [row] = await selectVersions(transaction, { teamId, name }, { where })
    if (!row) throw new CoherexError('not_found', `There is no ${noun} "${name}" with a version ${version}`)
    return row
  }

  async function selectHead(transaction: Transaction, teamId: string, name: string): Promise<Head | undefined> {
    const [row] = await transaction.select().from(heads).where(isHead(teamId, name))
    return toHead(row)
  }

  /** The head of that name, held until the transaction ends. */
  async function findHead(transaction: Transaction, teamId: string, name: string): Promise<Head | undefined> {
    const [row] = await transaction.select().from(heads).where(isHead(teamId, name)).for('update')
    return toHead(row)
  }

  return {
    unknown,
    selectVersions,
    selectVersion,
    selectHead,
    findHead,

    async holdHead(transaction: Transaction, teamId: string, name: string): Promise<Head> {
      const head = await findHead(transaction, teamId, name)
      if (!head) throw unknown(name)
      return head
    },

    /** The head of that name, or a new one without a version in use. */
    async holdOrInsertHead(transaction: Transaction, { teamId, person }: TeamCaller, name: string): Promise<Head> {
      const held = await findHead(transaction, teamId, name)
      if (held) return held
      const count = await transaction.$count(heads, eq(heads.teamId, teamId))
      if (count >= kind.limits.ofTeam) {
        throw new CoherexError('quota_exceeded', `Cannot make another ${noun}: the team has ${count} already`)
      }
      const author = { createdBy: person.id, createdByName: person.name }
      await transaction
        .insert(heads)
        .values({ teamId, name, ...author, ...kind.begin(name) })
        .onConflictDoNothing()
      const row = await findHead(transaction, teamId, name)
      // it is there and not seen: someone's own
      if (!row) throw new CoherexError('conflict', `The name "${name}" is taken: choose another one`)
      return row
    },

    /** Changes a head that is held; answers what it is now. */
    async setHead(transaction: Transaction, { teamId, name }: Head, columns: object): Promise<Head> {
      const [row] = await transaction
        .update(heads)
        .set({ ...columns, updatedAt: new Date() })
        .where(isHead(teamId, name))
        .returning()
      const head = toHead(row)
      if (!head) throw new Error(`the ${noun} was not held`)
      return head
    },

    /** Fetches the content in use; undefined while there is none. */
    async readInUse(transaction: Transaction, head: Head): Promise<() => Promise<Content | undefined>> {
      const version = kind.inUse(head)
      if (version === 0) return async () => kind.builtIn?.(head.name)
      return kind.read(transaction, await selectVersion(transaction, head.teamId, { name: head.name, version }))
    },

    /** How many versions wait for a person: of one name, and of all. */
    async countProposals(transaction: Transaction, { teamId, name }: Head): Promise<[ofOne: number, ofTeam: number]> {
      const waits = and(eq(versions.teamId, teamId), eq(versions.state, 'proposed'))
      return [
        await transaction.$count(versions, and(waits, eq(versions.name, name))),
        await transaction.$count(versions, waits),
      ]
    },

    /** Stores the next version of a definition whose head is held. */
    async insertVersion(
      transaction: Transaction,
      caller: TeamCaller,
      { name, content, note, agent, state }: NewVersion<Content> & { state: VersionState },
    ): Promise<Version> {
      const { teamId, person } = caller
      const [last] = await selectVersions(transaction, { teamId, name }, { limit: 1 })
      const author = { createdBy: person.id, createdByName: person.name }
      const wrote = { byAgent: agent?.name ?? null, threadId: agent?.threadId ?? null }
      const [row] = await transaction
        .insert(versions)
        .values({
          ...{ teamId, name, version: (last?.version ?? 0) + 1, note, state, ...author, ...wrote },
          ...kind.columns(content, { caller, state, agent }),
        })
        .returning()
      if (!row) throw new Error('the version was not stored')
      await kind.keep?.(transaction, toVersion(row), content)
      return toVersion(row)
    },

    /** Writes down what a person made of a version that waits. */
    async setDecision(
      transaction: Transaction,
      { person }: TeamCaller,
      { teamId, name, version }: Version,
      { state, note }: { state: 'approved' | 'rejected'; note: string },
    ): Promise<void> {
      const decision = { decidedBy: person.id, decidedByName: person.name, decidedAt: new Date(), decisionNote: note }
      await transaction
        .update(versions)
        .set({ state, ...decision })
        .where(and(eq(versions.teamId, teamId), eq(versions.name, name), eq(versions.version, version)))
    },

    /** Names the agent where one acts, and for whom. */
    async audit(
      transaction: Transaction,
      caller: TeamCaller,
      entry: { verb: DefinitionVerb; name: string; details?: Record<string, unknown>; by?: AgentAuthor | undefined },
    ): Promise<void> {
      const { verb, name, details = {}, by } = entry
      await recordAudit(transaction, {
        teamId: caller.teamId,
        actor: by ? { kind: 'agent', id: by.name, name: by.name } : caller,
        // tests have kinds of their own
        action: `${noun as DefinitionNoun}.${verb}`,
        target: { kind: noun, name },
        details: { ...details, ...(by && { turnId: by.turnId, threadId: by.threadId, for: caller.person.name }) },
      })
    },
  }
}
