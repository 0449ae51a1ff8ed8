import { roles, type Role } from '@coherex/contract'
import type { Choice } from '../../ui/field/select.tsx'

export const roleNames: Record<Role, string> = { viewer: 'Viewer', editor: 'Editor', admin: 'Admin', owner: 'Owner' }

const roleHints: Record<Role, string> = {
  viewer: 'Sees the team’s work',
  editor: 'Runs and changes the team’s work',
  admin: 'Also manages members, secrets and the audit log',
  owner: 'Also owns and can delete the team',
}

/** The roles someone may give: up to their own, the most powerful first. */
export function roleChoices(upTo: Role): Choice<Role>[] {
  return roles
    .slice(0, roles.indexOf(upTo) + 1)
    .map((role) => ({ value: role, label: roleNames[role], hint: roleHints[role] }))
    .reverse()
}
