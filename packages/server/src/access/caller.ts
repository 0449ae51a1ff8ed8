import { CoherexError, hasRole, hasScope, type Access, type Person, type Role, type Scope } from '@coherex/contract'

/** Where a request came from, for the audit log. */
export interface Origin {
  ip: string | null
  requestId: string | null
  /** How a program names itself; a session is always the studio's. */
  door?: 'cli' | 'api' | 'mcp'
}

/** Someone who has shown who they are. `team` and `role` are absent while they are in no team. */
export interface Caller extends Origin {
  person: Person
  setupDone: boolean
  teamId: string | null
  role: Role | null
  via: 'session' | 'key'
  /** Session or API key they came with. */
  credentialId: string
  scopes: readonly Scope[]
}

/** A caller who acts in a team. */
export interface TeamCaller extends Caller {
  teamId: string
  role: Role
}

/** Throws unless the access rule of a route lets the caller pass. The one place where that is decided. */
export function checkAccess(access: Exclude<Access, 'anyone'>, caller: Caller): void {
  if (access === 'caller') return
  if (access === 'person') {
    if (caller.via === 'session') return
    throw new CoherexError('forbidden', 'This takes a signed-in person: API keys may not do it')
  }
  if (access === 'operator') {
    if (caller.person.operator && hasScope(caller.scopes, 'admin')) return
    throw new CoherexError('forbidden', 'Only operators of this installation may do that')
  }
  if (access.by === 'session' && caller.via !== 'session') {
    throw new CoherexError('forbidden', 'This takes a signed-in person: API keys may not do it')
  }
  if (!caller.teamId || !caller.role)
    throw new CoherexError('forbidden', 'You are in no team: make one, or ask for an invitation')
  if (!hasRole(caller.role, access.role)) {
    throw new CoherexError('forbidden', `Your role "${caller.role}" may not do that: it takes "${access.role}"`)
  }
  if (!hasScope(caller.scopes, access.scope)) {
    throw new CoherexError('forbidden', `This API key lacks the scope "${access.scope}"`)
  }
}

export function inTeam(caller: Caller): TeamCaller {
  if (!caller.teamId || !caller.role) throw new CoherexError('forbidden', 'You are in no team')
  return caller as TeamCaller
}
