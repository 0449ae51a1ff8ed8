import type { Quotas, Role, Scope } from '@coherex/contract'
import { boolean, customType, integer, jsonb, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

const auth = pgSchema('coherex_auth')
const coherex = pgSchema('coherex')

const at = (name: string) => timestamp(name, { withTimezone: true })
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export const installation = auth.table('installation', {
  id: boolean('id').primaryKey().default(true),
  keyCheck: text('key_check').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
})

export const person = auth.table('person', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull(),
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text('image'),
  operator: boolean('operator').notNull().default(false),
  setupDone: boolean('setup_done').notNull().default(true),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
})

export const session = auth.table('session', {
  id: text('id').primaryKey(),
  token: text('token').notNull(),
  personId: text('person_id').notNull(),
  activeTeamId: text('active_team_id'),
  ipAddress: text('ip_address'),
  userAgent: text('user_agent'),
  expiresAt: at('expires_at').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
})

/** How someone signs in, as better-auth has it: a password's hash, or the name a provider knows them by. */
export const account = auth.table('account', {
  id: text('id').primaryKey(),
  personId: text('person_id').notNull(),
  accountId: text('account_id').notNull(),
  providerId: text('provider_id').notNull(),
  accessToken: text('access_token'),
  refreshToken: text('refresh_token'),
  idToken: text('id_token'),
  accessTokenExpiresAt: at('access_token_expires_at'),
  refreshTokenExpiresAt: at('refresh_token_expires_at'),
  scope: text('scope'),
  password: text('password'),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
})

/** Sign-ins through OIDC that are under way. */
export const verification = auth.table('verification', {
  id: text('id').primaryKey(),
  identifier: text('identifier').notNull(),
  value: text('value').notNull(),
  expiresAt: at('expires_at').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
})

export const oneTimeLink = auth.table('one_time_link', {
  hash: text('hash').primaryKey(),
  purpose: text('purpose').$type<'sign-in' | 'reset'>().notNull(),
  personId: text('person_id').notNull(),
  expiresAt: at('expires_at').notNull(),
})

export const attempt = auth.table('attempt', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  resetsAt: at('resets_at').notNull(),
})

export const team = coherex.table('team', {
  teamId: text('team_id').primaryKey(),
  name: text('name').notNull(),
  quotas: jsonb('quotas').$type<Partial<Quotas>>().notNull().default({}),
  createdAt: at('created_at').notNull().defaultNow(),
})

export const member = coherex.table('member', {
  teamId: text('team_id').notNull(),
  personId: text('person_id').notNull(),
  role: text('role').$type<Role>().notNull(),
  joinedAt: at('joined_at').notNull().defaultNow(),
})

export const invitation = coherex.table('invitation', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  email: text('email').notNull(),
  role: text('role').$type<Role>().notNull(),
  tokenHash: text('token_hash').notNull(),
  invitedBy: text('invited_by').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  expiresAt: at('expires_at').notNull(),
})

export const apiKey = coherex.table('api_key', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  personId: text('person_id').notNull(),
  name: text('name').notNull(),
  start: text('start').notNull(),
  tokenHash: text('token_hash').notNull(),
  scopes: text('scopes').array().$type<Scope[]>().notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  lastUsedAt: at('last_used_at'),
  expiresAt: at('expires_at'),
})

export const teamKey = coherex.table('team_key', {
  teamId: text('team_id').primaryKey(),
  sealed: bytes('sealed').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
})

export const secret = coherex.table('secret', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  name: text('name').notNull(),
  hint: text('hint').notNull(),
  sealed: bytes('sealed').notNull(),
  updatedBy: text('updated_by').notNull(),
  updatedAt: at('updated_at').notNull().defaultNow(),
})

export const auditEvent = coherex.table('audit_event', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  at: at('at').notNull().defaultNow(),
  actorKind: text('actor_kind').$type<'person' | 'key' | 'agent' | 'system'>().notNull(),
  actorId: text('actor_id'),
  actorName: text('actor_name').notNull(),
  action: text('action').notNull(),
  targetKind: text('target_kind'),
  targetId: text('target_id'),
  targetName: text('target_name'),
  details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
  ip: text('ip'),
  requestId: text('request_id'),
})

export const idempotencyKey = coherex.table('idempotency_key', {
  teamId: text('team_id').notNull(),
  sender: text('sender').notNull(),
  key: text('key').notNull(),
  requestHash: text('request_hash').notNull(),
  status: integer('status'),
  body: text('body'),
  createdAt: at('created_at').notNull().defaultNow(),
})

/** A client that registered itself. */
export const oauthClient = auth.table('oauth_client', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  redirectUris: text('redirect_uris').array().notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  usedAt: at('used_at'),
})

export const oauthGrant = coherex.table('oauth_grant', {
  teamId: text('team_id').notNull(),
  keyId: text('key_id').notNull(),
  clientId: text('client_id').notNull(),
  resource: text('resource').notNull(),
  redirectUri: text('redirect_uri').notNull(),
  codeChallenge: text('code_challenge').notNull(),
  codeHash: text('code_hash').notNull(),
  codeExpiresAt: at('code_expires_at').notNull(),
  isCodeUsed: boolean('is_code_used').notNull().default(false),
  accessHash: text('access_hash'),
  accessExpiresAt: at('access_expires_at'),
  refreshHash: text('refresh_hash'),
  refreshExpiresAt: at('refresh_expires_at'),
  spentRefreshHash: text('spent_refresh_hash'),
})
