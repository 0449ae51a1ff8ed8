import { CoherexError } from '@coherex/contract'
import { and, eq, ne } from 'drizzle-orm'
import type { Database } from '../../base/index.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Caller } from '../caller.ts'
import { person, team } from '../tables.ts'
import { storePassword } from './passwords.ts'
import type { SignIn } from './sign-in.ts'

export interface Setup {
  name: string
  email: string
  password: string
  teamName: string
}

/** The first owner says who they are. Works once. */
export async function finishSetup(
  { database, signIn }: { database: Database; signIn: SignIn },
  caller: Caller,
  { name, email, password, teamName }: Setup,
): Promise<void> {
  if (caller.setupDone) throw new CoherexError('conflict', 'The setup is done already')
  const teamId = caller.teamId ?? ''
  const hash = await signIn.hashPassword(password)
  await database.transaction({ team: teamId }, async (transaction) => {
    const [taken] = await transaction
      .select({ id: person.id })
      .from(person)
      .where(and(eq(person.email, email), ne(person.id, caller.person.id)))
    if (taken) throw new CoherexError('conflict', `Someone with the e-mail ${email} exists already`)
    const done = await transaction
      .update(person)
      .set({ name, email, setupDone: true, updatedAt: new Date() })
      .where(and(eq(person.id, caller.person.id), eq(person.setupDone, false)))
      .returning({ id: person.id })
    // of two who finish it at once, one does
    if (done.length === 0) throw new CoherexError('conflict', 'The setup is done already')
    await transaction.update(team).set({ name: teamName }).where(eq(team.teamId, teamId))
    await storePassword(transaction, caller.person.id, hash)
    const actor = { ...caller, person: { ...caller.person, name } }
    await recordAudit(transaction, {
      teamId,
      actor,
      action: 'setup.finish',
      target: { kind: 'team', id: teamId, name: teamName },
    })
  })
}
