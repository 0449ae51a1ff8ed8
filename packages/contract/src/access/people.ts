import { z } from 'zod'
import { idOf } from '../wire/id.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
import { role, scope } from './access.ts'

/** One line for people to read: no control characters, and none that turn the reading direction around. */
export function lineOfText(longest: number) {
  return text()
    .trim()
    .min(1)
    .max(longest)
    .regex(/^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u, 'must be one line of visible characters')
}

export const personName = lineOfText(80)
export const email = text().trim().toLowerCase().max(254).pipe(z.email())
export const password = text().min(10, 'at least 10 characters').max(200)
export const teamName = lineOfText(60)

export const person = z.object({
  id: idOf('person'),
  name: z.string(),
  email: z.string(),
  /** Runs the installation: sees its health, sets quotas of teams. */
  operator: z.boolean(),
})
export type Person = z.infer<typeof person>

export const team = z.object({ id: idOf('team'), name: z.string(), createdAt: moment })
export type Team = z.infer<typeof team>

/** Who is asking, and as what. */
export const me = z.object({
  person,
  team: team.nullable(),
  role: role.nullable(),
  teams: z.array(team.extend({ role })),
  /** False until the first owner has chosen a name and a password. */
  setupDone: z.boolean(),
  /** How this request was signed in. */
  via: z.enum(['session', 'key']),
  scopes: z.array(scope),
})
export type Me = z.infer<typeof me>

export const member = z.object({ person: person.omit({ operator: true }), role, joinedAt: moment })
export type Member = z.infer<typeof member>

export const invitation = z.object({
  id: idOf('invitation'),
  email: z.string(),
  role,
  invitedBy: z.string(),
  createdAt: moment,
  expiresAt: moment,
})
export type Invitation = z.infer<typeof invitation>

export const session = z.object({
  id: z.string(),
  current: z.boolean(),
  createdAt: moment,
  lastSeenAt: moment,
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
})
export type Session = z.infer<typeof session>

export const apiKey = z.object({
  id: idOf('key'),
  name: z.string(),
  /** The first characters, to tell keys apart. */
  start: z.string(),
  scopes: z.array(scope),
  createdBy: person.pick({ id: true, name: true }),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  expiresAt: moment.nullable(),
})
export type ApiKey = z.infer<typeof apiKey>

/** A link that an admin passes on by hand where no mail server is set. */
export const passOnLink = z.object({ link: z.url().nullable(), mailed: z.boolean(), expiresAt: moment })

export const signInMethods = z.object({
  password: z.literal(true),
  oidc: z.object({ name: z.string() }).nullable(),
  mail: z.boolean(),
})
