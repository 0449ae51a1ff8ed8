import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database/test-database.ts'
import type { TeamCaller } from '../../access/index.ts'
import { openStore, parseDatabaseUrl, type BusEvent, type Store } from '../../base/index.ts'
import { createDefinitions } from './create-definitions.ts'
import type { DefinitionKind } from './definition-kind.ts'
import type { HeadRow, VersionRow } from './definition-tables.ts'

export interface DefinitionSamples<Content> {
  /** SQL for tables that no migration makes. */
  tables?: string
  /** A valid content whose diff shows the text. */
  content(name: string, text: string): Content
}

const agent = { name: 'author', threadId: 'thr_1', turnId: 'turn_1' }
const code = (expected: string) => expect.objectContaining({ code: expected })

/** What every kind of definition does, whatever its content is. */
export function definitionContract<Head extends HeadRow, Version extends VersionRow, Content>(
  kind: DefinitionKind<Head, Version, Content>,
  { tables = '', content }: DefinitionSamples<Content>,
): void {
  describe(`${kind.noun} as a definition`, () => {
    let own: TestDatabase
    let store: Store
    let verbs: ReturnType<typeof createDefinitions<Head, Version, Content>>
    let published: BusEvent[] = []
    const teamOf = (teamId: string) =>
      ({ kind: 'person', teamId, person: { id: 'per_a', name: 'Ann' }, via: 'session' }) as unknown as TeamCaller
    const ann = teamOf('team_a')
    const bob = { ...ann, person: { id: 'per_b', name: 'Bob' } } as TeamCaller

    beforeAll(async () => {
      own = await createTestDatabase()
      store = await openStore({ owner: parseDatabaseUrl(own.url), log: pino({ level: 'silent' }) })
      const superuser = await own.superuser()
      await superuser.query(`INSERT INTO coherex.team (team_id, name) VALUES ('team_a', 'A'), ('team_b', 'B')`)
      await superuser.query(tables.replaceAll(':app_role', `${own.name}_app`))
      await superuser.end()
      const events = { publish: async (event: BusEvent) => void published.push(event) }
      const limits = { ofTeam: 20, proposals: 3, proposalsOfTeam: 4 }
      verbs = createDefinitions({ ...kind, limits }, { database: store.database, events })
    })
    afterAll(async () => {
      await store.database.close()
      await own.drop()
    })
    beforeEach(() => {
      published = []
    })

    const put = (name: string, text: string, caller = ann) =>
      verbs.storeVersion(caller, { name, content: content(name, text), note: text }, { state: () => 'approved' })
    const propose = (name: string, text: string) =>
      verbs.storeVersion(ann, { name, content: content(name, text), note: text, agent }, { state: () => 'proposed' })
    const inUse = async (name: string) =>
      store.database.transaction({ team: 'team_a' }, async (transaction) =>
        kind.inUse(await verbs.store.holdHead(transaction, 'team_a', name)),
      )
    const states = async (name: string) =>
      (await verbs.listVersions('team_a', name, { limit: 10 })).items.map(({ version, state }) => [version, state])
    async function audited(name: string) {
      const superuser = await own.superuser()
      const { rows } = await superuser.query<{ action: string; actor_name: string; details: object }>(
        'SELECT action, actor_name, details FROM coherex.audit_event WHERE target_name = $1 AND target_kind = $2 ORDER BY id',
        [name, kind.noun],
      )
      await superuser.end()
      return rows
    }

    it('keeps versions as they were stored and lists them newest first, page by page', async () => {
      for (const text of ['one', 'two', 'three']) await put('kept', text)
      expect(await inUse('kept')).toBe(3)
      const first = await verbs.listVersions('team_a', 'kept', { limit: 2 })
      expect(first.items.map(({ version, note }) => [version, note])).toEqual([
        [3, 'three'],
        [2, 'two'],
      ])
      const rest = await verbs.listVersions('team_a', 'kept', { limit: 2, cursor: first.nextCursor ?? '' })
      expect(rest.items.map(({ note }) => note)).toEqual(['one'])
      const { content: read } = await verbs.readVersion('team_a', { name: 'kept', version: 1 })
      expect(read).toEqual(content('kept', 'one'))
      await expect(verbs.readVersion('team_a', { name: 'kept', version: 4 })).rejects.toEqual(code('not_found'))
      await expect(verbs.listVersions('team_a', 'nothing', { limit: 2 })).rejects.toEqual(code('not_found'))
    })

    it('shows what differs between two versions, with nothing invisible in it', async () => {
      await put('compared', 'one')
      await put('compared', 'two \u202E')
      const diff = await verbs.diffVersions('team_a', 'compared', { from: 1, to: 2 })
      expect(diff).toMatch(/^-.*one/m)
      expect(diff).toMatch(/^\+.*two <U\+202E>/m)
      expect(await verbs.diffVersions('team_a', 'compared', { from: 2, to: 2 })).toBe('')
      expect(await verbs.diffVersions('team_a', 'compared', { from: 0, to: 1 })).toContain('--- /dev/null')
    })

    it('writes the audit log and publishes an event for every change, and neither for one that fails', async () => {
      await put('told', 'one')
      await put('told', 'two')
      await propose('told', 'three')
      const [proposal] = await verbs.listProposals('team_a', 'told')
      await verbs.decide(
        bob,
        { name: 'told', version: 3 },
        { decision: 'approve', digest: proposal?.digest ?? '', note: '' },
      )
      await verbs.remove(ann, 'told')
      const changes = (await audited('told')).map(({ action, actor_name }) => [action, actor_name])
      expect(changes).toEqual([
        [`${kind.noun}.create`, 'Ann'],
        [`${kind.noun}.change`, 'Ann'],
        [`${kind.noun}.propose`, 'author'],
        [`${kind.noun}.approve`, 'Bob'],
        [`${kind.noun}.delete`, 'Ann'],
      ])
      const event = { teamId: 'team_a', type: kind.noun, id: 'told' }
      expect(published).toEqual([event, event, event, event, event])
      await expect(verbs.remove(ann, 'told')).rejects.toEqual(code('not_found'))
      expect(published).toHaveLength(5)
      expect(await audited('told')).toHaveLength(5)
    })

    it('keeps what is in use until a person approves a proposal with the digest of what they saw', async () => {
      await put('decided', 'one')
      await propose('decided', 'two')
      expect(await inUse('decided')).toBe(1)
      const [proposal] = await verbs.listProposals('team_a', 'decided')
      expect(proposal).toMatchObject({
        version: { version: 2, state: 'proposed', byAgent: 'author', threadId: 'thr_1', createdBy: 'per_a' },
        content: content('decided', 'two'),
        diff: expect.stringMatching(/^\+.*two/m),
        newly: kind.describeNewly?.(content('decided', 'one'), content('decided', 'two')) ?? [],
      })
      const at = { name: 'decided', version: 2 }
      const approve = (digest: string) => verbs.decide(bob, at, { decision: 'approve', digest, note: 'seen' })
      await expect(approve('0'.repeat(64))).rejects.toEqual(code('conflict'))
      expect(await inUse('decided')).toBe(1)
      await approve(proposal?.digest ?? '')
      expect(await inUse('decided')).toBe(2)
      const { version } = await verbs.readVersion('team_a', at)
      expect(version).toMatchObject({ state: 'approved', decidedBy: 'per_b', decisionNote: 'seen' })
      await expect(approve(proposal?.digest ?? '')).rejects.toEqual(code('conflict'))
      expect((await audited('decided')).at(-1)?.details).toMatchObject({ version: 2, agent: 'author', for: 'Ann' })
    })

    it('leaves what is in use when a person rejects a proposal', async () => {
      await put('rejected', 'one')
      await propose('rejected', 'two')
      const [proposal] = await verbs.listProposals('team_a', 'rejected')
      const answer = { decision: 'reject' as const, digest: proposal?.digest ?? '', note: 'no' }
      await verbs.decide(bob, { name: 'rejected', version: 2 }, answer)
      expect(await inUse('rejected')).toBe(1)
      expect(await verbs.listProposals('team_a', 'rejected')).toEqual([])
      expect(await states('rejected')).toEqual([
        [2, 'rejected'],
        [1, 'approved'],
      ])
    })

    it('refuses a proposal that is in use or waits already, and more than a person would look through', async () => {
      await put('crowded', 'zero')
      await expect(propose('crowded', 'zero')).rejects.toEqual(code('conflict'))
      for (const text of ['one', 'two', 'three']) await propose('crowded', text)
      await expect(propose('crowded', 'one')).rejects.toEqual(code('conflict'))
      await expect(propose('crowded', 'four')).rejects.toEqual(code('quota_exceeded'))
      await put('beside', 'zero')
      await propose('beside', 'one')
      await expect(propose('beside', 'two')).rejects.toEqual(code('quota_exceeded'))
      for (const name of ['crowded', 'beside']) await verbs.remove(ann, name)
    })

    it('stores an old version again as the newest one', async () => {
      for (const text of ['one', 'two']) await put('restored', text)
      await verbs.restore(bob, { name: 'restored', version: 1 }, (made) =>
        verbs.storeVersion(bob, made, { state: () => 'approved' }),
      )
      const { version, content: read } = await verbs.readVersion('team_a', { name: 'restored', version: 3 })
      expect(version).toMatchObject({ note: 'Back to version 1', createdBy: 'per_b' })
      expect(read).toEqual(content('restored', 'one'))
    })

    it('shows nothing of one team to another', async () => {
      await put('ours', 'one')
      await expect(verbs.listVersions('team_b', 'ours', { limit: 1 })).rejects.toEqual(code('not_found'))
      await expect(verbs.readVersion('team_b', { name: 'ours', version: 1 })).rejects.toEqual(code('not_found'))
      await expect(verbs.remove(teamOf('team_b'), 'ours')).rejects.toEqual(code('not_found'))
    })

    it('refuses one more name than a team may have', async () => {
      await expect(
        (async () => {
          for (let at = 0; at <= 20; at++) await put(`many-${at}`, 'one')
        })(),
      ).rejects.toEqual(code('quota_exceeded'))
    })
  })
}
