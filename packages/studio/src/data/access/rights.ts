import { hasRole, type Role } from '@coherex/contract'
import { useMe } from './me.ts'

export interface Right {
  may: boolean
  /** Why not, as a sentence; undefined when it is allowed. */
  why: string | undefined
}

const holders: Record<Role, string> = {
  viewer: 'members',
  editor: 'editors, admins and owners',
  admin: 'admins and owners',
  owner: 'owners',
}

/** Whether my role in the current team allows something, such as `invite people`. */
export function useRight(needed: Role, what: string): Right {
  const { role } = useMe()
  const may = role !== null && hasRole(role, needed)
  return { may, why: may ? undefined : `Only ${holders[needed]} can ${what}.` }
}
