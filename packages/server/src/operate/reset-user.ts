import { createOneTimeLink, findPersonByEmail, recordForPerson } from '../access/index.ts'
import { attachStore, StartError, type Log } from '../base/index.ts'
import type { Config } from '../config.ts'
import { localUrl } from '../local-url.ts'
import { openBeside } from './open-beside.ts'

export interface UserReset {
  email: string
  link: string
  expiresAt: string
}

/** A link with which someone who is locked out chooses a new password. Whoever runs this owns the machine. */
export async function resetUser(config: Config, log: Log, email: string): Promise<UserReset> {
  const beside = await openBeside(config)
  try {
    const { database } = await attachStore({ owner: beside.owner, log })
    try {
      const person = await findPersonByEmail(database, email)
      if (!person) throw new StartError(`Nobody here has the e-mail ${email}`)
      const { token, expiresAt } = await database.transaction({}, async (transaction) => {
        const made = await createOneTimeLink(transaction, 'reset', person.id)
        const actor = { kind: 'system' as const, name: 'operator' }
        await recordForPerson(transaction, { person, actor, action: 'password.reset-link' })
        return made
      })
      const url = config.publicUrl ?? localUrl(config.host, config.port)
      return { email: person.email, link: `${url}/reset/${token}`, expiresAt: expiresAt.toISOString() }
    } finally {
      await database.close()
    }
  } finally {
    await beside.close()
  }
}
