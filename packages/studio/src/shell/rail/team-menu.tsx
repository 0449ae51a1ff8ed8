import { useNavigate } from '@tanstack/react-router'
import { LogOut, Plus } from 'lucide-react'
import type { ReactElement } from 'react'
import { useMe } from '../../data/access/me.ts'
import { useSignOut } from '../../data/access/sign-in.ts'
import { useTeamSwitch } from '../../data/access/team.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Menu, MenuGroup, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { settingsPages } from '../settings-pages.ts'
import { useShell } from '../shell-context.ts'

interface TeamMenuProps {
  trigger: ReactElement
  side: 'top' | 'right'
  /** An entry leads to another page. */
  onNavigate?: (() => void) | undefined
}

export function TeamMenu({ trigger, side, onNavigate }: TeamMenuProps) {
  const { person, team, teams } = useMe()
  const { openCreateTeam } = useShell()
  const navigate = useNavigate()
  const switchTeam = useTeamSwitch()
  const signOut = useSignOut()
  const tellFailure = (error: Error) => toast({ title: error.message, tone: 'error' })
  const pages = (ofTeam: boolean) =>
    settingsPages
      .filter((page) => page.ofTeam === ofTeam)
      .map(({ to, label, icon: Icon }) => (
        <MenuItem
          key={to}
          icon={<Icon aria-hidden />}
          onSelect={() => {
            onNavigate?.()
            void navigate({ to })
          }}
        >
          {label}
        </MenuItem>
      ))

  return (
    <Menu trigger={trigger} side={side} align={side === 'right' ? 'end' : 'start'} defaultOpen>
      {teams.length > 0 && (
        <MenuGroup label="Teams">
          {teams.map(({ id, name }) => (
            <MenuItem
              key={id}
              icon={<Avatar name={name} shape="square" size="small" />}
              checked={id === team?.id}
              onSelect={() =>
                id !== team?.id &&
                switchTeam.mutate(
                  { body: { teamId: id } },
                  { onSuccess: () => toast({ title: `You are now in ${name}` }), onError: tellFailure },
                )
              }
            >
              {name}
            </MenuItem>
          ))}
        </MenuGroup>
      )}
      <MenuItem icon={<Plus />} onSelect={openCreateTeam}>
        Create team
      </MenuItem>
      {team && (
        <>
          <MenuLine />
          <MenuGroup label="Settings">{pages(true)}</MenuGroup>
        </>
      )}
      <MenuLine />
      <MenuGroup label={person.email}>
        {pages(false)}
        <MenuItem icon={<LogOut />} onSelect={() => signOut.mutate(undefined, { onError: tellFailure })}>
          Sign out
        </MenuItem>
      </MenuGroup>
    </Menu>
  )
}
