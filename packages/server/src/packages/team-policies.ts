import { defaultPackagePolicy, packagePolicy, type PackagePolicy } from '@coherex/contract'
import { eq } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../access/index.ts'
import type { Database, EventBus } from '../base/index.ts'
import { packagePolicyTable } from './package-tables.ts'

const rememberedMs = 60_000

/** The rules of teams for packages. They are asked for with every run, and so remembered until they change. */
export class TeamPolicies {
  readonly #database: Database
  readonly #events: EventBus
  readonly #known = new Map<string, { policy: PackagePolicy; until: number }>()
  readonly #unsubscribe: () => void
  // what was read before a change must not be remembered after it
  #changes = 0

  constructor({ database, events }: { database: Database; events: EventBus }) {
    this.#database = database
    this.#events = events
    this.#unsubscribe = events.subscribe(({ type, teamId }) => {
      if (type === 'package-policy' && teamId) this.#forget(teamId)
      if (type === 'reconnected') this.#known.clear()
    })
  }

  async of(teamId: string): Promise<PackagePolicy> {
    const known = this.#known.get(teamId)
    if (known && known.until > Date.now()) return known.policy
    const before = this.#changes
    const [row] = await this.#database.transaction({ team: teamId }, (transaction) =>
      transaction.select().from(packagePolicyTable).where(eq(packagePolicyTable.teamId, teamId)),
    )
    const policy = row ? packagePolicy.parse(row.policy) : defaultPackagePolicy
    if (this.#known.size > 10_000) this.#known.clear()
    if (before === this.#changes) this.#known.set(teamId, { policy, until: Date.now() + rememberedMs })
    return policy
  }

  async set(caller: TeamCaller, policy: PackagePolicy): Promise<PackagePolicy> {
    const { teamId } = caller
    const content = { policy, updatedBy: caller.person.name, updatedAt: new Date() }
    const before = await this.of(teamId)
    await this.#database.transaction({ team: teamId }, async (transaction) => {
      await transaction
        .insert(packagePolicyTable)
        .values({ teamId, ...content })
        .onConflictDoUpdate({ target: packagePolicyTable.teamId, set: content })
      const action = 'package.policy'
      await recordAudit(transaction, { teamId, actor: caller, action, details: { from: before, to: policy } })
    })
    this.#forget(teamId)
    await this.#events.publish({ teamId, type: 'package-policy', id: null })
    return policy
  }

  close(): void {
    this.#unsubscribe()
  }

  #forget(teamId: string): void {
    this.#changes++
    this.#known.delete(teamId)
  }
}
