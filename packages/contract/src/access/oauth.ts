import { z } from 'zod'
import { idOf } from '../wire/id.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
import { role, scope } from './access.ts'

/** What an OAuth client asks for, as the address of the consent page has it. */
export const consentRequest = z.object({
  client_id: text().min(1).max(500),
  redirect_uri: text().min(1).max(500),
  response_type: text().max(20),
  code_challenge: text().max(200).optional(),
  code_challenge_method: text().max(20).optional(),
  scope: text().max(500).optional(),
  state: text().max(1000).optional(),
  resource: text().max(500).optional(),
})
export type ConsentRequest = z.infer<typeof consentRequest>

/** What a person decides: one of their teams, and what the client may do there in their name. */
export const consentDecision = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.literal('refuse'), request: consentRequest }),
  z.strictObject({
    decision: z.literal('grant'),
    request: consentRequest,
    teamId: idOf('team'),
    scopes: z.array(scope).min(1).max(4),
  }),
])
export type ConsentDecision = z.infer<typeof consentDecision>

export const consentDetails = z.object({
  client: z.object({
    name: z.string(),
    /** Whose word that name is; null for a client that registered itself. */
    site: z.string().nullable(),
  }),
  /** Host, or scheme of an app, where the answer goes. */
  redirectsTo: z.string(),
  scopes: z.array(scope),
  teams: z.array(z.object({ id: z.string(), name: z.string(), role })),
})
export type ConsentDetails = z.infer<typeof consentDetails>

/** A client that someone let into the team. */
export const oauthClientGrant = z.object({
  id: idOf('key'),
  name: z.string(),
  site: z.string().nullable(),
  scopes: z.array(scope),
  grantedBy: z.object({ id: z.string(), name: z.string() }),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
})
export type OAuthClientGrant = z.infer<typeof oauthClientGrant>
