import { CoherexError, type Me } from '@coherex/contract'
import type { Origin } from '../../../access/index.ts'
import type { Api } from '../../api.ts'

/** Looks again at who these headers belong to, after something about them has changed. */
export async function describeSignedIn(api: Api, headers: Headers, origin: Origin): Promise<Me> {
  const caller = await api.identifyCaller(headers, origin)
  if (!caller) throw new CoherexError('unauthenticated', 'Sign in again')
  return api.access.people.describe(caller)
}
