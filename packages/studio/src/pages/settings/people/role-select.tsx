import { hasRole, type Member } from '@coherex/contract'
import { useMe } from '../../../data/access/me.ts'
import { useMemberChangeRole } from '../../../data/access/member.ts'
import { useRight } from '../../../data/access/rights.ts'
import { roleChoices, roleNames } from '../../../data/access/roles.ts'
import { Select } from '../../../ui/field/select.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { toast } from '../../../ui/toast/toast.ts'

/** A member's role: a choice for those who may change it, a word for the rest. */
export function RoleSelect({ member }: { member: Member }) {
  const { role: mine } = useMe()
  const right = useRight('admin', 'change roles')
  const change = useMemberChangeRole()
  const { person, role } = member
  // an admin does not decide about owners
  if (!right.may || !mine || !hasRole(mine, role)) {
    return (
      <span title={right.why ?? 'Only an owner can change the role of an owner.'}>
        <Pill tone={role === 'owner' ? 'violet' : 'grey'}>{roleNames[role]}</Pill>
      </span>
    )
  }
  return (
    <Select
      size="small"
      className="w-26! min-w-26"
      label={`Role of ${person.name}`}
      value={change.isPending ? change.variables.body.role : role}
      choices={roleChoices(mine)}
      onChange={(next) =>
        next !== role &&
        change.mutate(
          { params: { personId: person.id }, body: { role: next } },
          {
            onSuccess: () =>
              toast({
                title: `${person.name} is ${roleNames[next].toLowerCase()} now`,
                action: {
                  label: 'Undo',
                  run: () => change.mutate({ params: { personId: person.id }, body: { role } }),
                },
              }),
            onError: (error) => toast({ title: error.message, tone: 'error' }),
          },
        )
      }
    />
  )
}
