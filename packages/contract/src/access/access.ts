import { z } from 'zod'

/** From the least to the most a member may do. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const
export const role = z.enum(roles)
export type Role = z.infer<typeof role>

export const scopes = ['read', 'run', 'write', 'admin'] as const
export const scope = z.enum(scopes)
export type Scope = z.infer<typeof scope>

/**
 * Who may call a route: `anyone` without signing in; `caller` signed in by session or key; `person` by session only,
 * whatever the team; `operator` who runs the installation, by session or an admin key; otherwise a member of the current
 * team with at least `role`, by session or by an API key that has `scope`; `by: 'session'` leaves only the first.
 */
export type Access = 'anyone' | 'caller' | 'person' | 'operator' | { role: Role; scope: Scope; by?: 'session' }

const impliedScopes: Record<Scope, readonly Scope[]> = {
  read: ['read'],
  run: ['run', 'read'],
  write: ['write', 'read'],
  admin: scopes,
}

export function hasScope(held: readonly Scope[], needed: Scope): boolean {
  return held.some((one) => impliedScopes[one].includes(needed))
}

export function hasRole(held: Role, needed: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(needed)
}
