import { CoherexError, type Page } from '@coherex/contract'
import { and, eq, lt } from 'drizzle-orm'
import { decodeCursor, takePage, type TeamCaller } from '../../access/index.ts'
import type { Database, EventBus, Transaction } from '../../base/index.ts'
import type { DefinitionKind } from './definition-kind.ts'
import { createDefinitionStore, type NewVersion, type VersionName } from './definition-store.ts'
import type { HeadRow, VersionRow } from './definition-tables.ts'
import { showHidden } from './show-hidden.ts'

export interface DefinitionDeps {
  database: Database
  events: Pick<EventBus, 'publish'>
}

export interface Decision {
  decision: 'approve' | 'reject'
  /** Of what the person has seen. */
  digest: string
  note: string
}

/** A version that waits for a person, compared with what is in use. */
export interface Proposal<Version, Content> {
  version: Version
  content: Content
  diff: string
  newly: string[]
  digest: string
}

interface StoreOptions<Head> {
  /** A draft is in use, and what is proposed is not. */
  state(head: Head): 'draft' | 'proposed' | 'approved'
  /** Throws when nothing can be stored. A number it answers is a version that has this content already. */
  check?(transaction: Transaction, head: Head): Promise<number | undefined | void>
  /** Columns of the head beside the version in use. */
  columns?(head: Head): object
  details?: Record<string, unknown>
}

interface InUse<Head, Content> {
  head: Head
  version: number
  content: Content
  columns?: object
  /** Who stored it, or for whom an agent wrote it. */
  author: { id: string; name: string }
}

/** The verbs of every kind of definition. Each change is one transaction with its line in the audit log, and an event. */
export function createDefinitions<Head extends HeadRow, Version extends VersionRow, Content>(
  kind: DefinitionKind<Head, Version, Content>,
  { database, events }: DefinitionDeps,
) {
  const { noun, heads, versions, limits } = kind
  const store = createDefinitionStore(kind)

  /** All changes go through here, so that none forgets the event. */
  async function change<T>(
    { teamId }: TeamCaller,
    name: string,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const done = await database.transaction({ team: teamId }, work)
    await events.publish({ teamId, type: noun, id: name })
    return done
  }

  async function readVersion(teamId: string, at: VersionName): Promise<{ version: Version; content: Content }> {
    const { version, fetch } = await database.transaction({ team: teamId }, async (transaction) => {
      const row = await store.selectVersion(transaction, teamId, at)
      return { version: row, fetch: await kind.read(transaction, row) }
    })
    return { version, content: await fetch() }
  }

  async function putInUse(
    transaction: Transaction,
    caller: TeamCaller,
    { head, version, content, columns, author }: InUse<Head, Content>,
  ): Promise<void> {
    // the name may be there by a proposal of somebody else
    const owner = kind.inUse(head) === 0 ? kind.ownedBy?.(author) : undefined
    const changed = await store.setHead(transaction, head, { ...kind.use(version), ...owner, ...columns })
    await kind.changed?.(transaction, caller, changed, content)
  }

  async function admitProposal(transaction: Transaction, head: Head, content: Content): Promise<void> {
    const { name } = head
    const same = await store.selectVersions(transaction, head, { where: kind.hasContent(content) })
    const inUse = kind.inUse(head)
    const builtIn = inUse === 0 ? kind.builtIn?.(name) : undefined
    const isBuiltIn = builtIn !== undefined && kind.digest(undefined, builtIn) === kind.digest(undefined, content)
    if (isBuiltIn || same.some(({ version }) => version === inUse)) {
      throw new CoherexError('conflict', `"${name}" has this very definition already`)
    }
    const waiting = same.find(({ state }) => state === 'proposed')
    if (waiting) {
      throw new CoherexError('conflict', `This is proposed as version ${waiting.version} of "${name}" already`)
    }
    const [ofOne, ofTeam] = await store.countProposals(transaction, head)
    if (ofOne < limits.proposals && ofTeam < limits.proposalsOfTeam) return
    throw new CoherexError('quota_exceeded', `${ofOne} proposals for "${name}", ${ofTeam} in all, wait for a person`)
  }

  return {
    store,
    change,
    readVersion,

    async listVersions(
      teamId: string,
      name: string,
      { limit, cursor }: { limit: number; cursor?: string | undefined },
    ): Promise<Page<Version>> {
      const before = cursor ? Number(decodeCursor(cursor, 1)[0]) || 0 : undefined
      const rows = await database.transaction({ team: teamId }, async (transaction) => {
        const head = await store.selectHead(transaction, teamId, name)
        if (!head && !kind.builtIn?.(name)) throw store.unknown(name)
        const where = before === undefined ? undefined : lt(versions.version, before)
        return store.selectVersions(transaction, { teamId, name }, { where, limit: limit + 1 })
      })
      return takePage(rows, limit, (last) => [String(last.version)])
    },

    /** Version 0 is what comes with the product, or nothing. */
    async diffVersions(teamId: string, name: string, { from, to }: { from: number; to: number }): Promise<string> {
      const before = from === 0 ? kind.builtIn?.(name) : (await readVersion(teamId, { name, version: from })).content
      const after = await readVersion(teamId, { name, version: to })
      return kind.diff(name, before, after.content)
    },

    /** Newest first. */
    async listProposals(teamId: string, name: string): Promise<Proposal<Version, Content>[]> {
      const { fetchBefore, proposed } = await database.transaction({ team: teamId }, async (transaction) => {
        const head = await store.selectHead(transaction, teamId, name)
        const inUse = head ? await store.readInUse(transaction, head) : async () => kind.builtIn?.(name)
        if (!head && !kind.builtIn?.(name)) throw store.unknown(name)
        const rows = await store.selectVersions(
          transaction,
          { teamId, name },
          { where: eq(versions.state, 'proposed') },
        )
        const found: { version: Version; fetch: () => Promise<Content> }[] = []
        for (const version of rows) found.push({ version, fetch: await kind.read(transaction, version) })
        return { fetchBefore: inUse, proposed: found }
      })
      const before = await fetchBefore()
      const described: Proposal<Version, Content>[] = []
      for (const { version, fetch } of proposed) {
        const content = await fetch()
        described.push({
          ...{ version, content, diff: await kind.diff(name, before, content) },
          newly: (kind.describeNewly?.(before, content) ?? []).map((sentence) => showHidden(sentence)),
          digest: kind.digest(before, content),
        })
      }
      return described
    },

    /** Stores a version: in use at once, or a proposal that waits for a person. */
    async storeVersion(
      caller: TeamCaller,
      made: NewVersion<Content>,
      { state: stateOf, check, columns, details }: StoreOptions<Head>,
    ): Promise<{ name: string; version: number; state: 'draft' | 'proposed' | 'approved' }> {
      const { name, content, agent: by } = made
      await kind.prepare?.(caller.teamId, content)
      return change(caller, name, async (transaction) => {
        const head = await store.holdOrInsertHead(transaction, caller, name)
        const state = stateOf(head)
        const same = await check?.(transaction, head)
        if (same !== undefined) return { name, version: same, state }
        if (state === 'proposed') await admitProposal(transaction, head, content)
        const { version } = await store.insertVersion(transaction, caller, { ...made, state })
        if (state !== 'proposed') {
          const more = { columns: columns?.(head) ?? {}, author: caller.person }
          await putInUse(transaction, caller, { head, version, content, ...more })
        }
        const verb = state === 'proposed' ? 'propose' : kind.inUse(head) === 0 ? 'create' : 'change'
        await store.audit(transaction, caller, { verb, name, details: { version, ...details }, by })
        return { name, version, state }
      })
    },

    /** A person's answer to a proposal. What is approved is in use from then on. */
    async decide(
      caller: TeamCaller,
      { name, version }: VersionName,
      { decision, digest, note }: Decision,
    ): Promise<void> {
      const { teamId } = caller
      const isApproved = decision === 'approve'
      const { content } = await readVersion(teamId, { name, version })
      const needs = isApproved ? ((await kind.findNeeds?.(teamId, content)) ?? []) : []
      await change(caller, name, async (transaction) => {
        const head = await store.holdHead(transaction, teamId, name)
        const proposed = await store.selectVersion(transaction, teamId, { name, version })
        if (proposed.state !== 'proposed') {
          throw new CoherexError('conflict', `Version ${version} of "${name}" is ${proposed.state} already`)
        }
        const fetchBefore = await store.readInUse(transaction, head)
        if (kind.digest(await fetchBefore(), content) !== digest) {
          const what = `What you have seen of version ${version} of "${name}" is out of date`
          throw new CoherexError('conflict', `${what}: look again`)
        }
        if (isApproved) kind.admit(caller, proposed, { head, needs })
        await store.setDecision(transaction, caller, proposed, { state: isApproved ? 'approved' : 'rejected', note })
        const author = { id: proposed.createdBy, name: proposed.createdByName }
        if (isApproved) await putInUse(transaction, caller, { head, version, content, author })
        const { byAgent: agent, turnId, createdByName } = proposed
        const details = { version, digest, agent, turnId, for: createdByName }
        await store.audit(transaction, caller, { verb: decision, name, details })
      })
    },

    /** Stores an old version again as the newest one, by the verb that a person stores with. */
    async restore<T>(caller: TeamCaller, at: VersionName, put: (made: NewVersion<Content>) => Promise<T>): Promise<T> {
      const { version, content } = await readVersion(caller.teamId, at)
      kind.admitRestore(caller, version)
      return put({ name: at.name, content, note: `Back to version ${at.version}` })
    },

    /** `admit` throws where it must stay, and takes away what no reference does. */
    async remove(
      caller: TeamCaller,
      name: string,
      admit?: (transaction: Transaction, head: Head) => Promise<void>,
    ): Promise<void> {
      const { teamId } = caller
      await change(caller, name, async (transaction) => {
        const head = await store.holdHead(transaction, teamId, name)
        // that head only holds proposals for what comes with the product
        if (kind.inUse(head) === 0 && kind.builtIn?.(name)) throw store.unknown(name)
        await admit?.(transaction, head)
        await transaction.delete(heads).where(and(eq(heads.teamId, teamId), eq(heads.name, name)))
        await store.audit(transaction, caller, { verb: 'delete', name })
      })
    },
  }
}
