import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { CoherexError, hasScope } from '@coherex/contract'
import { inTeam, type IdentifyCaller, type Standing, type TeamCaller } from '../../access/index.ts'
import { actFor } from '../../base/index.ts'
import type { Sandboxes } from '../../runs/index.ts'
import { clientAddress } from '../http/requests/observe-requests.ts'
import { toIdentifyingHeaders } from '../socket/identifying-headers.ts'
import type { PreviewLink } from './preview-links.ts'

export interface AdmissionOptions {
  sandboxes: Sandboxes
  identifyCaller: IdentifyCaller
  standing: Standing
  trustProxy: boolean
}

export type Admission = ReturnType<typeof createAdmission>

/** Decides who sees what a sandbox serves. */
export function createAdmission({ sandboxes, identifyCaller, standing, trustProxy }: AdmissionOptions) {
  /** Whether a link still counts: its time, its team, its sandbox, and whether whoever it counts for may see that. */
  async function isValid(link: PreviewLink, personId = viewerOf(link)): Promise<boolean> {
    if (link.until < Date.now()) return false
    if (link.for === 'view' && !(await standing(link))) return false
    const find = () => sandboxes.find(link.teamId, link.sandboxId).catch(() => undefined) // the team may be gone
    const row = await (personId === undefined ? find() : actFor(personId, find))
    if (!row || row.status === 'ended') return false
    return link.for !== 'anyone' || row.sharesSince.getTime() <= link.at
  }

  /** Which browser this is, as far as it can be told without a cookie. */
  function clientOf({ headers, socket }: IncomingMessage): string {
    const forwarded = headers['x-forwarded-for']
    const address = clientAddress(socket.remoteAddress ?? null, [forwarded].flat().join(','), trustProxy)
    return createHash('sha256').update(`${address}\n${headers['user-agent']}`).digest('base64url').slice(0, 16)
  }

  /** Throws unless the request may be served. Answers the member it comes from when the link asks for one. */
  async function admit(link: PreviewLink, request: IncomingMessage): Promise<TeamCaller | undefined> {
    const isOwn = link.for !== 'view' || link.client === clientOf(request)
    if (link.for !== 'team' && isOwn && (await isValid(link))) return undefined
    // an address that was copied out of a browser is as good as the link it came from
    const mayShow = link.for === 'team' || (link.for === 'view' && request.headers['sec-fetch-mode'] === 'navigate')
    if (!mayShow) throw new CoherexError('not_found', 'This address is not valid any more')
    const origin = { ip: request.socket.remoteAddress ?? null, requestId: null }
    const caller = await identifyCaller(toIdentifyingHeaders(request), origin)
    if (!caller) throw new CoherexError('unauthenticated', 'Sign in to see this: it is shown to members of its team')
    if (caller.teamId !== link.teamId || !hasScope(caller.scopes, 'read')) {
      throw new CoherexError('not_found', 'There is no such preview in your team')
    }
    return inTeam(caller)
  }

  return { isValid, clientOf, admit }
}

/** Whose rights a look through a link has: the member's who opens it, or those of whoever shared it. */
export function viewerOf(link: PreviewLink, member?: TeamCaller): string | undefined {
  return link.for === 'team' ? member?.person.id : link.personId
}
