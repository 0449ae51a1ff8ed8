import { AsyncLocalStorage } from 'node:async_hooks'

const acting = new AsyncLocalStorage<string | undefined>()

/**
 * Does work for a person: every transaction in it shows what is theirs alone besides what their team sees. Carried along and not
 * handed down, so that no verb can forget it; work that nobody is named for sees no one's private rows.
 */
export function actFor<T>(personId: string, work: () => T): T {
  return acting.run(personId, work)
}

/** Does work for nobody, such as telling many people of what one of them did. */
export function actForNobody<T>(work: () => T): T {
  return acting.run(undefined, work)
}

/** The person that the work under way is done for. */
export function actingPerson(): string | undefined {
  return acting.getStore()
}
