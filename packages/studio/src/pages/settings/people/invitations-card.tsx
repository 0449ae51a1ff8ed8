import type { Invitation } from '@coherex/contract'
import { Mail } from 'lucide-react'
import { useInvitationList, useInvitationRevoke } from '../../../data/access/invitation.ts'
import { roleNames } from '../../../data/access/roles.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ListBody } from '../../../ui/list/list-body.tsx'
import type { Column } from '../../../ui/list/table.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { toast } from '../../../ui/toast/toast.ts'

export function InvitationsCard() {
  const invitations = useInvitationList({ enabled: true })
  const revoke = useInvitationRevoke()

  const columns: Column<Invitation>[] = [
    {
      key: 'email',
      header: 'E-mail',
      className: 'w-full max-w-0',
      cell: ({ email, invitedBy }) => (
        <span className="block min-w-0">
          <span className="block truncate font-medium">{email}</span>
          <span className="block truncate text-small text-muted">by {invitedBy}</span>
        </span>
      ),
    },
    { key: 'role', header: 'Role', from: 'sm', cell: ({ role }) => <Pill>{roleNames[role]}</Pill> },
    { key: 'expires', header: 'Expires', from: 'sm', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    {
      key: 'actions',
      header: '',
      align: 'right',
      cell: ({ id, email }) => (
        <Button
          size="small"
          busy={revoke.isPending && revoke.variables.params.id === id}
          onClick={() =>
            revoke.mutate(
              { params: { id } },
              {
                onSuccess: () => toast({ title: `The invitation of ${email} is withdrawn` }),
                onError: (error) => toast({ title: error.message, tone: 'error' }),
              },
            )
          }
        >
          Withdraw
        </Button>
      ),
    },
  ]

  return (
    <Card title="Open invitations" description="Links that were not used yet." flush>
      <ListBody
        label="Invitations"
        pages={invitations}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <Empty icon={Mail} title="No open invitations">
            People you invite are listed here until they join.
          </Empty>
        }
      />
    </Card>
  )
}
