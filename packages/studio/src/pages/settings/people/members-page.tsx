import type { Member } from '@coherex/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Ellipsis, KeySquare, UserMinus, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { useInvitationList } from '../../../data/access/invitation.ts'
import { useMe } from '../../../data/access/me.ts'
import { useMemberList } from '../../../data/access/member.ts'
import { useRight } from '../../../data/access/rights.ts'
import { Page } from '../../../shell/page.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { ListBody } from '../../../ui/list/list-body.tsx'
import type { Column } from '../../../ui/list/table.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { Reason } from '../../../ui/reason.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { Together } from '../../../ui/together.tsx'
import { InvitationsCard } from './invitations-card.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'
import { ResetLinkDialog } from './reset-link-dialog.tsx'
import { RoleSelect } from './role-select.tsx'

export function MembersPage() {
  const { invite = false } = useSearch({ from: '/shell/settings/team-pages/members' })
  const navigate = useNavigate()
  const { person } = useMe()
  const members = useMemberList()
  const right = useRight('admin', 'manage members')
  const invitations = useInvitationList({ enabled: right.may })
  const [removing, setRemoving] = useState<Member>()
  const [resetting, setResetting] = useState<Member>()
  const showInvite = (open: boolean) =>
    void navigate({ to: '/settings/members', search: open ? { invite: true } : {}, replace: true })

  const columns: Column<Member>[] = [
    {
      key: 'person',
      header: 'Person',
      className: 'w-full max-w-0',
      cell: (member) => (
        <span className="flex items-center gap-2.5">
          <Avatar name={member.person.name || member.person.email} />
          <span className="min-w-0">
            <span className="block truncate font-medium">
              {member.person.name || 'No name yet'}
              {member.person.id === person.id && <span className="font-normal text-muted"> (you)</span>}
            </span>
            <span className="block truncate text-small text-muted">{member.person.email}</span>
          </span>
        </span>
      ),
    },
    { key: 'joined', header: 'Joined', from: 'md', cell: ({ joinedAt }) => <Time at={joinedAt} /> },
    { key: 'role', header: 'Role', cell: (member) => <RoleSelect member={member} /> },
    ...(right.may
      ? [
          {
            key: 'actions',
            header: '',
            align: 'right' as const,
            cell: (member: Member) =>
              member.person.id !== person.id && (
                <Menu trigger={<IconButton label={`More for ${member.person.name}`} icon={<Ellipsis aria-hidden />} />}>
                  <MenuItem icon={<KeySquare />} onSelect={() => setResetting(member)}>
                    Create password reset link
                  </MenuItem>
                  <MenuItem icon={<UserMinus />} danger onSelect={() => setRemoving(member)}>
                    Remove from team
                  </MenuItem>
                </Menu>
              ),
          },
        ]
      : []),
  ]

  return (
    <Page
      title="Members"
      description="Who works in this team, and what each of them may do."
      actions={
        <Reason why={right.why}>
          <Button look="primary" icon={<UserPlus aria-hidden />} disabled={!right.may} onClick={() => showInvite(true)}>
            Invite someone
          </Button>
        </Reason>
      }
    >
      <Together queries={[members, invitations]}>
        <Card flush>
          <ListBody
            label="Members"
            pages={members}
            columns={columns}
            rowKey={(member) => member.person.id}
            empty={
              <Empty icon={Users} title="Nobody is here">
                A team without members cannot exist; load the page again.
              </Empty>
            }
          />
        </Card>
        {right.may && <InvitationsCard />}
      </Together>
      {invite && right.may && <InviteDialog onClose={() => showInvite(false)} />}
      {removing && <RemoveMemberDialog member={removing} onClose={() => setRemoving(undefined)} />}
      {resetting && <ResetLinkDialog member={resetting} onClose={() => setResetting(undefined)} />}
    </Page>
  )
}
