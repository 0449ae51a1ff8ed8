import { CoherexError, hasRole, type ToolDefinition, type ToolReach } from '@coherex/contract'
import { findMember, findMemberByEmail, recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Transaction } from '../../base/index.ts'
import type { createDefinitions } from '../definition/create-definitions.ts'
import { ownerOf } from './list-tools.ts'
import { selectTriggers } from './select-users.ts'
import type { ToolFolder } from './tool-kind.ts'
import type { ToolRow, ToolVersionRow } from './tool-tables.ts'

type Verbs = Pick<ReturnType<typeof createDefinitions<ToolRow, ToolVersionRow, ToolFolder>>, 'store' | 'change'>

export const noTriggers =
  'what its triggers are sent is the team’s. Take them out of tool.yaml, or share it with the team'

/** Who answers for a tool, and who sees it. */
export function createToolHolding({ store, change }: Verbs) {
  async function giveTo(transaction: Transaction, caller: TeamCaller, head: ToolRow, personId: string) {
    const { name } = head
    refuseOthers(caller, head, 'hand over')
    const member = await findMember(transaction, caller.teamId, personId)
    if (!member) throw new CoherexError('not_found', 'There is no such member in this team')
    if (head.reach === 'private')
      throw new CoherexError(
        'conflict',
        `Cannot hand over the tool "${name}": it is private. Share it with the team first`,
      )
    await recordAudit(transaction, {
      ...{ teamId: caller.teamId, actor: caller, action: 'tool.owner', target: { kind: 'tool', name } },
      details: { before: ownerOf(head).name, after: member.name },
    })
    return store.setHead(transaction, head, { ownerId: member.id, ownerName: member.name })
  }

  async function showTo(transaction: Transaction, caller: TeamCaller, head: ToolRow, reach: ToolReach) {
    const { name } = head
    refuseOthers(caller, head, 'change the reach of')
    if (reach === 'private' && ownerOf(head).id !== caller.person.id)
      throw new CoherexError('forbidden', `Cannot make the tool "${name}" private: only its owner can`)
    if (reach === 'private' && (await selectTriggers(transaction, caller.teamId, name)).length > 0)
      throw new CoherexError('conflict', `Cannot make the tool "${name}" private: ${noTriggers}`)
    await recordAudit(transaction, {
      ...{ teamId: caller.teamId, actor: caller, action: 'tool.reach', target: { kind: 'tool', name } },
      details: { before: head.reach, after: reach },
    })
    return store.setHead(transaction, head, { reach })
  }

  return {
    async setOwner(caller: TeamCaller, name: string, personId: string): Promise<void> {
      await change(caller, name, async (transaction) => {
        await giveTo(transaction, caller, await store.holdHead(transaction, caller.teamId, name), personId)
      })
    },

    async setReach(caller: TeamCaller, name: string, reach: ToolReach): Promise<void> {
      await change(caller, name, async (transaction) => {
        await showTo(transaction, caller, await store.holdHead(transaction, caller.teamId, name), reach)
      })
    },

    /** Makes owner and reach what the version says that is being published. */
    async follow(
      transaction: Transaction,
      caller: TeamCaller,
      held: ToolRow,
      { owner, reach }: Pick<ToolDefinition, 'owner' | 'reach'>,
    ): Promise<ToolRow> {
      const head = reach !== undefined && reach !== held.reach ? await showTo(transaction, caller, held, reach) : held
      if (owner === undefined) return head
      const found = await findMemberByEmail(transaction, caller.teamId, owner)
      if (!found)
        throw new CoherexError(
          'conflict',
          `Cannot publish the tool "${head.name}": its owner ${owner} is not in the team`,
        )
      return found.id === ownerOf(head).id ? head : giveTo(transaction, caller, head, found.id)
    },
  }
}

/** Throws unless the caller owns the tool or is an admin. */
export function refuseOthers(caller: TeamCaller, head: ToolRow, what: string): void {
  const owner = ownerOf(head)
  if (owner.id === caller.person.id || hasRole(caller.role, 'admin')) return
  throw new CoherexError('forbidden', `Cannot ${what} the tool "${head.name}": that is up to ${owner.name} or an admin`)
}
