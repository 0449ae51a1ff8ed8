import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { StartError, type Database, type Transaction } from '../../base/index.ts'
import { installation, teamKey } from '../tables.ts'
import { deriveKey, seal, unseal } from './seal.ts'

/** The installation's key, which opens each team's key, which opens the team's secrets. */
export interface KeyRing {
  /** The key that seals a team's secrets. */
  teamKey(transaction: Transaction, teamId: string): Promise<Buffer>
  /** A fresh team key, sealed for storage. */
  newTeamKey(teamId: string): Buffer
  /** Takes the key that is in force now, where it was rotated since. */
  refresh(transaction: Transaction): Promise<void>
}

/** Finds the installation's key that has this proof. */
export type FindKey = (proof: string) => Promise<string | undefined>

/** Used in transactions with the scope `secrets`, so that no rotation comes between two looks. */
export function createKeyRing(secretKey: string, findKey: FindKey = async () => undefined): KeyRing {
  let master = deriveKey(secretKey, 'team keys')
  let proof = keyProof(secretKey)

  async function refresh(transaction: Transaction): Promise<void> {
    const [row] = await transaction.select().from(installation)
    if (!row || row.keyCheck === proof) return
    const key = await findKey(row.keyCheck)
    if (key === undefined) throw new Error('the secret key was rotated, and the new one is not here')
    master = deriveKey(key, 'team keys')
    proof = row.keyCheck
  }

  return {
    refresh,
    async teamKey(transaction, teamId) {
      const [row] = await transaction.select().from(teamKey).where(eq(teamKey.teamId, teamId))
      if (!row) throw new Error(`team ${teamId} has no key`)
      try {
        return unseal(master, contextOf(teamId), row.sealed)
      } catch {
        await refresh(transaction)
        return unseal(master, contextOf(teamId), row.sealed)
      }
    },
    newTeamKey: (teamId) => seal(master, contextOf(teamId), randomBytes(32)),
  }
}

export async function createTeamKey(transaction: Transaction, keyRing: KeyRing, teamId: string): Promise<void> {
  await keyRing.refresh(transaction)
  await transaction.insert(teamKey).values({ teamId, sealed: keyRing.newTeamKey(teamId) })
}

/** Refuses a key other than the one the stored secrets were sealed with. The first start stores the proof. */
export async function checkSecretKey(database: Database, secretKey: string): Promise<void> {
  const proof = keyProof(secretKey)
  const stored = await database.transaction({}, async (transaction) => {
    await transaction.insert(installation).values({ keyCheck: proof }).onConflictDoNothing()
    const [row] = await transaction.select().from(installation)
    return row?.keyCheck
  })
  if (stored === proof) return
  throw new StartError(
    'The secret key is not the one this data was sealed with: set COHEREX_SECRET_KEY, or put the right secret.key into the data directory',
  )
}

/** Tells which key this data was sealed with; undefined before anything was. */
export async function readKeyProof(database: Database): Promise<string | undefined> {
  const [row] = await database.transaction({}, (transaction) => transaction.select().from(installation))
  return row?.keyCheck
}

export function keyProof(secretKey: string): string {
  return deriveKey(secretKey, 'key check').toString('hex')
}

export function contextOf(teamId: string): string[] {
  return ['team-key', teamId]
}
