import { CoherexError, hasRole } from '@coherex/contract'
import { text } from 'drizzle-orm/pg-core'
import { findMember, type TeamCaller } from '../../access/index.ts'
import type { EventBus, Transaction } from '../../base/index.ts'
import type { createDefinitions } from './create-definitions.ts'
import type { HeadRow, VersionRow } from './definition-tables.ts'

/** Who answers for a definition, and who sees it. */
export const holdingColumns = <Reach extends string>() => ({
  ownerId: text('owner_id'),
  ownerName: text('owner_name'),
  reach: text('reach')
    .$type<Reach>()
    .notNull()
    .default('team' as Reach),
})

export interface HeldRow extends HeadRow {
  ownerId: string | null
  ownerName: string | null
  reach: string
}

type Verbs<Head extends HeldRow, Version extends VersionRow, Content> = Pick<
  ReturnType<typeof createDefinitions<Head, Version, Content>>,
  'store' | 'change'
>

interface HoldingOptions<Head> {
  noun: string
  /** Heard by the whole team. */
  events: Pick<EventBus, 'publish'>
  /** Why one cannot be private; undefined when it can. */
  whyNotPrivate?(transaction: Transaction, head: Head): Promise<string | undefined>
}

/** The verbs that change who answers for a definition and who sees it: its owner's, and admins'. */
export function createHolding<Head extends HeldRow, Version extends VersionRow, Content>(
  { store, change }: Verbs<Head, Version, Content>,
  { noun, events, whyNotPrivate }: HoldingOptions<Head>,
) {
  /** Throws unless the caller owns it or is an admin. */
  function refuseOthers(caller: TeamCaller, head: Head, what: string): void {
    const owner = ownerOf(head)
    if (owner.id === caller.person.id || hasRole(caller.role, 'admin')) return
    throw new CoherexError(
      'forbidden',
      `Cannot ${what} the ${noun} "${head.name}": that is up to ${owner.name} or an admin`,
    )
  }

  async function giveTo(transaction: Transaction, caller: TeamCaller, head: Head, personId: string): Promise<Head> {
    const { name } = head
    refuseOthers(caller, head, 'hand over')
    const member = await findMember(transaction, caller.teamId, personId)
    if (!member) throw new CoherexError('not_found', 'There is no such member in this team')
    if (head.reach === 'private') {
      const why = 'it is private. Share it with the team first'
      throw new CoherexError('conflict', `Cannot hand over the ${noun} "${name}": ${why}`)
    }
    const details = { before: ownerOf(head).name, after: member.name }
    await store.audit(transaction, caller, { verb: 'owner', name, details })
    return store.setHead(transaction, head, ownedBy(member))
  }

  async function showTo(transaction: Transaction, caller: TeamCaller, head: Head, reach: Head['reach']): Promise<Head> {
    const { name } = head
    refuseOthers(caller, head, 'change the reach of')
    if (reach === 'private' && ownerOf(head).id !== caller.person.id)
      throw new CoherexError('forbidden', `Cannot make the ${noun} "${name}" private: only its owner can`)
    const why = reach === 'private' ? await whyNotPrivate?.(transaction, head) : undefined
    if (why) throw new CoherexError('conflict', `Cannot make the ${noun} "${name}" private: ${why}`)
    await store.audit(transaction, caller, { verb: 'reach', name, details: { before: head.reach, after: reach } })
    return store.setHead(transaction, head, { reach })
  }

  return {
    refuseOthers,
    giveTo,
    showTo,

    async setOwner(caller: TeamCaller, name: string, personId: string): Promise<void> {
      await change(caller, name, async (transaction) => {
        await giveTo(transaction, caller, await store.holdHead(transaction, caller.teamId, name), personId)
      })
    },

    async setReach(caller: TeamCaller, name: string, reach: Head['reach']): Promise<void> {
      await change(caller, name, async (transaction) => {
        await showTo(transaction, caller, await store.holdHead(transaction, caller.teamId, name), reach)
      })
      // others' lists drop what they do not see any more, and hear no name of it
      if (reach === 'private') await events.publish({ teamId: caller.teamId, type: noun, id: null })
    },
  }
}

/** Whoever stored the first version in use answers for it. */
export const ownedBy = ({ id, name }: { id: string; name: string }) => ({ ownerId: id, ownerName: name })

export function ownerOf(head: HeldRow): { id: string; name: string } {
  return { id: head.ownerId ?? head.createdBy, name: head.ownerName ?? head.createdByName }
}
