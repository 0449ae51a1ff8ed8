import { CoherexError } from '@coherex/contract'
import { quotasOf } from '../../access/index.ts'
import type { Transaction } from '../../base/index.ts'
import { workspaceBytes } from '../../workspaces/index.ts'
import type { SkillRow } from './skill-tables.ts'

const versionsPerSkill = 1_000

/** Throws when a team has no room for another version of that size. */
export async function checkSkillRoom(
  transaction: Transaction,
  { teamId, newestVersion }: SkillRow,
  {
    size,
    stored,
  }: {
    size: number
    /** What all versions of all skills take, those that the caller does not see among them. */ stored: number
  },
): Promise<void> {
  if (newestVersion >= versionsPerSkill) {
    throw new CoherexError('quota_exceeded', `The skill has ${versionsPerSkill} versions: delete it and begin anew`)
  }
  const { storageMb } = await quotasOf(transaction, teamId)
  const used = stored + (await workspaceBytes(transaction, teamId)) + size
  if (used <= storageMb * 1024 * 1024) return
  throw new CoherexError('quota_exceeded', `The team's quota is used up: ${storageMb} MB of storage`, {
    details: { quota: 'storageMb', limit: storageMb, used: Math.round(used / 1024 / 1024) },
  })
}
