import { createHash, timingSafeEqual } from 'node:crypto'
import {
  CoherexError,
  hasScope,
  type ConsentDecision,
  type ConsentRequest,
  type OAuthClientGrant,
  type Scope,
} from '@coherex/contract'
import { and, desc, eq } from 'drizzle-orm'
import { createId, createToken, enterTeam, type Database, type EventBus, type Transaction } from '../../base/index.ts'
import { accessPrefix, grantedStart } from '../access-prefix.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Caller, TeamCaller } from '../caller.ts'
import { revokeApiKey } from '../callers/api-keys.ts'
import { hashToken } from '../hash-token.ts'
import { apiKey, member, oauthGrant, person, team } from '../tables.ts'
import { createOAuthClients, type OAuthClient, type OAuthClientsDeps } from './oauth-clients.ts'
import { OAuthError } from './oauth-error.ts'
import { isRegistered } from './redirect-uri.ts'

export interface OAuthDeps extends OAuthClientsDeps {
  database: Database
  events: Pick<EventBus, 'publish'>
  publicUrl: string
}

export interface Tokens {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

const codeMs = 60_000
const accessMs = 30 * 60_000
const refreshMs = 30 * 86_400_000
/** What a client can be granted. Rights over people and keys are for people. */
const grantable: readonly Scope[] = ['read', 'run', 'write']

type Grant = typeof oauthGrant.$inferSelect
type HashColumn = 'codeHash' | 'accessHash' | 'refreshHash' | 'spentRefreshHash'
type Exchanged = { tokens: Tokens } | { tokens?: undefined; ended: string }
type Form = Record<string, string | undefined>

/**
 * The product as an authorisation server for MCP clients: OAuth 2.1 with PKCE. What a person grants is a key of theirs in one team
 * with the scopes they chose, which nobody can show: the tokens beside it are shown instead, at one resource, for a short time.
 */
export function createOAuth({ database, events, publicUrl, fetchDocument }: OAuthDeps) {
  const clients = createOAuthClients({ database, fetchDocument })
  const resource = `${publicUrl}/mcp`

  /** The client and what it asks for; throws in words for the person where they must not be sent on. */
  async function readRequest(request: ConsentRequest): Promise<{ client: OAuthClient; scopes: Scope[] }> {
    const client = await clients.find(request.client_id)
    if (!isRegistered(request.redirect_uri, client.redirectUris))
      throw new CoherexError('invalid_input', 'redirect_uri: not one that this client has named')
    if (request.response_type !== 'code') throw new CoherexError('invalid_input', 'response_type: must be "code"')
    if (request.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(request.code_challenge ?? ''))
      throw new CoherexError('invalid_input', 'code_challenge: PKCE with S256 is needed')
    if (request.resource !== undefined && request.resource.replace(/\/$/, '') !== resource)
      throw new CoherexError('invalid_input', `resource: tokens are for ${resource} alone`)
    const asked = (request.scope ?? grantable.join(' ')).split(' ')
    const scopes = grantable.filter((scope) => asked.includes(scope))
    return { client, scopes: scopes.length > 0 ? scopes : [...grantable] }
  }

  function sendBack({ redirect_uri: uri, state }: ConsentRequest, answer: Record<string, string>): string {
    const url = new URL(uri)
    for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
    if (state !== undefined) url.searchParams.set('state', state)
    // RFC 9207: a client that knows several servers sees who answers
    url.searchParams.set('iss', publicUrl)
    return url.href
  }

  async function selectGrant(transaction: Transaction, hash: string, column: HashColumn): Promise<Grant | undefined> {
    const isShown = eq(oauthGrant[column], hash)
    const [shown] = await transaction.select().from(oauthGrant).where(isShown)
    if (!shown) return undefined
    await enterTeam(transaction, shown.teamId)
    // once more, alone with it: the same code may be shown by two at once
    const isSame = and(eq(oauthGrant.teamId, shown.teamId), eq(oauthGrant.keyId, shown.keyId))
    const [grant] = await transaction.select().from(oauthGrant).where(and(isSame, isShown)).for('update')
    return grant
  }

  /** What was shown twice is in two hands: neither keeps anything. */
  async function endGrant(transaction: Transaction, { teamId, keyId }: Grant, why: string): Promise<void> {
    const [gone] = await transaction
      .delete(apiKey)
      .where(and(eq(apiKey.teamId, teamId), eq(apiKey.id, keyId)))
      .returning()
    await recordAudit(transaction, {
      teamId,
      actor: { kind: 'system', name: 'Coherex' },
      action: 'oauth.end',
      target: { kind: 'key', id: keyId, name: gone?.name ?? null },
      details: { why },
    })
  }

  async function issueTokens(transaction: Transaction, grant: Grant): Promise<Tokens> {
    const [access, refresh] = [accessPrefix + createToken(), `chr_${createToken()}`]
    const { teamId, keyId } = grant
    await transaction
      .update(oauthGrant)
      .set({
        isCodeUsed: true,
        accessHash: hashToken(access),
        accessExpiresAt: new Date(Date.now() + accessMs),
        refreshHash: hashToken(refresh),
        refreshExpiresAt: new Date(Date.now() + refreshMs),
        spentRefreshHash: grant.refreshHash,
      })
      .where(and(eq(oauthGrant.teamId, teamId), eq(oauthGrant.keyId, keyId)))
    const [key] = await transaction
      .update(apiKey)
      .set({ expiresAt: new Date(Date.now() + refreshMs) })
      .where(and(eq(apiKey.teamId, teamId), eq(apiKey.id, keyId)))
      .returning({ scopes: apiKey.scopes })
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: accessMs / 1000,
      refresh_token: refresh,
      scope: (key?.scopes ?? []).join(' '),
    }
  }

  async function exchangeCode(form: Form): Promise<Exchanged> {
    const { code = '', code_verifier: verifier = '', client_id: clientId } = form
    const hash = hashToken(code)
    return database.transaction({ token: hash }, async (transaction) => {
      const grant = await selectGrant(transaction, hash, 'codeHash')
      if (!grant) throw invalidGrant('The code is not valid')
      if (grant.isCodeUsed) {
        await endGrant(transaction, grant, 'its code was shown twice')
        return { ended: grant.teamId }
      }
      if (grant.codeExpiresAt < new Date()) throw invalidGrant('The code has expired')
      if (clientId !== grant.clientId) throw invalidGrant('The code was given to another client')
      if (form['redirect_uri'] !== grant.redirectUri) throw invalidGrant('redirect_uri is not the one of the code')
      if (!isVerified(verifier, grant.codeChallenge)) throw invalidGrant('code_verifier does not fit the challenge')
      return { tokens: await issueTokens(transaction, grant) }
    })
  }

  async function refresh({ refresh_token: token = '', client_id: clientId }: Form): Promise<Exchanged> {
    const hash = hashToken(token)
    return database.transaction({ token: hash }, async (transaction) => {
      const spent = await selectGrant(transaction, hash, 'spentRefreshHash')
      if (spent) {
        await endGrant(transaction, spent, 'a refresh token was shown twice')
        return { ended: spent.teamId }
      }
      const grant = await selectGrant(transaction, hash, 'refreshHash')
      if (!grant || !grant.refreshExpiresAt || grant.refreshExpiresAt < new Date())
        throw invalidGrant('The refresh token is not valid')
      if (clientId !== grant.clientId) throw invalidGrant('The refresh token was given to another client')
      return { tokens: await issueTokens(transaction, grant) }
    })
  }

  return {
    resource,
    scopes: grantable,
    register: clients.register,

    /** What a client asks of a person, for the page on which they decide. */
    async describe(caller: Caller, request: ConsentRequest) {
      const { client, scopes } = await readRequest(request)
      const teams = await database.transaction({ person: caller.person.id }, (transaction) =>
        transaction
          .select({ id: team.teamId, name: team.name, role: member.role })
          .from(member)
          .innerJoin(team, eq(team.teamId, member.teamId))
          .where(eq(member.personId, caller.person.id)),
      )
      const { host, protocol } = new URL(request.redirect_uri)
      return {
        client: { name: client.name, site: client.site },
        redirectsTo: host || protocol,
        scopes,
        teams,
      }
    },

    /** Where the person is sent with their decision. */
    async decide(caller: Caller, { request, ...decision }: ConsentDecision): Promise<{ redirectTo: string }> {
      const { client, scopes: asked } = await readRequest(request)
      if (decision.decision === 'refuse') return { redirectTo: sendBack(request, { error: 'access_denied' }) }
      const { teamId } = decision
      const scopes = decision.scopes.filter((scope) => hasScope(asked, scope) && grantable.includes(scope))
      if (scopes.length === 0) throw new CoherexError('invalid_input', 'scopes: at least one that the client asks for')
      const code = `chc_${createToken()}`
      const keyId = createId('key')
      await database.transaction({ team: teamId, person: caller.person.id }, async (transaction) => {
        const [membership] = await transaction
          .select({ role: member.role })
          .from(member)
          .where(and(eq(member.teamId, teamId), eq(member.personId, caller.person.id)))
        if (!membership) throw new CoherexError('not_found', 'You are not in this team')
        await transaction.insert(apiKey).values({
          ...{ teamId, id: keyId, personId: caller.person.id, name: client.name, start: grantedStart, scopes },
          // nobody holds what this is the hash of: the key is not one that can be shown
          tokenHash: hashToken(createToken()),
          expiresAt: new Date(Date.now() + codeMs),
        })
        await transaction.insert(oauthGrant).values({
          ...{ teamId, keyId, resource, clientId: client.id, redirectUri: request.redirect_uri },
          codeChallenge: request.code_challenge ?? '',
          codeHash: hashToken(code),
          codeExpiresAt: new Date(Date.now() + codeMs),
        })
        await recordAudit(transaction, {
          ...{ teamId, actor: caller, action: 'oauth.grant' },
          target: { kind: 'key', id: keyId, name: client.name },
          details: { scopes, client: client.id.slice(0, 300), redirectUri: request.redirect_uri },
        })
      })
      await clients.noteUse(client.id)
      await events.publish({ teamId, type: 'key', id: keyId })
      return { redirectTo: sendBack(request, { code }) }
    },

    /** The token endpoint. */
    async exchange(form: Form): Promise<Tokens> {
      if (form['resource'] !== undefined && form['resource'].replace(/\/$/, '') !== resource)
        throw new OAuthError('invalid_target', `Tokens are for ${resource} alone`)
      const type = form['grant_type']
      if (type !== 'authorization_code' && type !== 'refresh_token')
        throw new OAuthError('unsupported_grant_type', 'grant_type: authorization_code or refresh_token')
      const done = await (type === 'refresh_token' ? refresh(form) : exchangeCode(form))
      if (done.tokens) {
        await clients.noteUse(form['client_id'] ?? '')
        return done.tokens
      }
      // after the transaction: what it ended stays ended
      await events.publish({ teamId: done.ended, type: 'key', id: null })
      throw invalidGrant('It was used before: everything that was granted with it is withdrawn')
    },

    /** RFC 7009: whoever holds a token of either kind can end what was granted. One that is not known is no error. */
    async revokeToken({ token = '' }: Form): Promise<void> {
      const hash = hashToken(token)
      const teamId = await database.transaction({ token: hash }, async (transaction) => {
        const grant =
          (await selectGrant(transaction, hash, 'accessHash')) ?? (await selectGrant(transaction, hash, 'refreshHash'))
        if (grant) await endGrant(transaction, grant, 'the client revoked it')
        return grant?.teamId
      })
      if (teamId !== undefined) await events.publish({ teamId, type: 'key', id: null })
    },

    /** Clients that people of the team have let in: one's own, and for an admin everyone's. */
    async list(caller: TeamCaller): Promise<OAuthClientGrant[]> {
      const { teamId } = caller
      const isAdmin = caller.role === 'admin' || caller.role === 'owner'
      const rows = await database.transaction({ team: teamId }, (transaction) =>
        transaction
          .select({ key: apiKey, clientId: oauthGrant.clientId, personName: person.name })
          .from(oauthGrant)
          .innerJoin(apiKey, and(eq(apiKey.teamId, oauthGrant.teamId), eq(apiKey.id, oauthGrant.keyId)))
          .innerJoin(person, eq(person.id, apiKey.personId))
          .where(
            and(
              eq(oauthGrant.teamId, teamId),
              eq(oauthGrant.isCodeUsed, true),
              isAdmin ? undefined : eq(apiKey.personId, caller.person.id),
            ),
          )
          .orderBy(desc(apiKey.id))
          .limit(200),
      )
      return rows.map(({ key, clientId, personName }) => ({
        id: key.id,
        name: key.name,
        site: clientId.startsWith('https://') ? new URL(clientId).host : null,
        scopes: key.scopes,
        grantedBy: { id: key.personId, name: personName },
        createdAt: key.createdAt.toISOString(),
        lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
      }))
    },

    async revoke(caller: TeamCaller, id: string): Promise<void> {
      await revokeApiKey(database, caller, id)
      await events.publish({ teamId: caller.teamId, type: 'key', id })
    },
  }
}

export type OAuth = ReturnType<typeof createOAuth>

function isVerified(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const made = createHash('sha256').update(verifier).digest('base64url')
  return made.length === challenge.length && timingSafeEqual(Buffer.from(made), Buffer.from(challenge))
}

function invalidGrant(message: string): OAuthError {
  return new OAuthError('invalid_grant', message)
}
