import { useNavigate } from '@tanstack/react-router'
import {
  ArrowLeftRight,
  KeyRound,
  LogOut,
  Monitor,
  Moon,
  PanelLeft,
  Play,
  Plus,
  ShieldPlus,
  Sun,
  UserPlus,
  type LucideIcon,
} from 'lucide-react'
import { useMe } from '../data/me.ts'
import { useRight } from '../data/rights.ts'
import { useSignOut } from '../data/sign-in.ts'
import { useTeamSwitch } from '../data/team.ts'
import { toast } from '../ui/toast.ts'
import { matchCommands } from './match-commands.ts'
import { places } from './places.ts'
import { settingsPages } from './settings-pages.ts'
import { setTheme, type Theme } from './theme.ts'

export interface Command {
  id: string
  group: 'Go to' | 'Settings' | 'Do' | 'Switch team' | 'Theme'
  label: string
  words?: string
  icon: LucideIcon
  keys?: string
  run: () => void
}

interface CommandActions {
  onCreateTeam: () => void
  onToggleRail: () => void
}

const themes: [Theme, LucideIcon][] = [
  ['light', Sun],
  ['dark', Moon],
  ['system', Monitor],
]

/** Everything the palette can do for this person in this team. */
export function useCommands({ onCreateTeam, onToggleRail }: CommandActions): Command[] {
  const { team, teams } = useMe()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const switchTeam = useTeamSwitch()
  const mayManage = useRight('admin', 'manage the team').may
  const tellFailure = (error: Error) => toast({ title: error.message, tone: 'error' })

  const goTo: Command[] = places.map(({ to, label, icon, key }) => ({
    id: `place ${to}`,
    group: 'Go to',
    label,
    icon,
    keys: `g ${key}`,
    run: () => void navigate({ to }),
  }))
  const settings: Command[] = settingsPages
    .filter(({ ofTeam }) => !ofTeam || team)
    .map(({ to, label, icon, words }) => ({
      id: `settings ${to}`,
      group: 'Settings',
      label,
      icon,
      words,
      run: () => void navigate({ to }),
    }))
  const inTeam: Command[] = !team
    ? []
    : [
        {
          id: 'new run',
          group: 'Do',
          label: 'New scratch run',
          words: 'code execute write try',
          icon: Play,
          run: () => void navigate({ to: '/scratch' }),
        },
        {
          id: 'create key',
          group: 'Do',
          label: 'Create API key',
          words: 'token new',
          icon: KeyRound,
          run: () => void navigate({ to: '/settings/keys', search: { create: true } }),
        },
      ]
  const asAdmin: Command[] = !mayManage
    ? []
    : [
        {
          id: 'invite',
          group: 'Do',
          label: 'Invite someone',
          words: 'add member person',
          icon: UserPlus,
          run: () => void navigate({ to: '/settings/members', search: { invite: true } }),
        },
        {
          id: 'create secret',
          group: 'Do',
          label: 'Store secret',
          words: 'add new password credential',
          icon: ShieldPlus,
          run: () => void navigate({ to: '/settings/secrets', search: { create: true } }),
        },
      ]
  const always: Command[] = [
    { id: 'create team', group: 'Do', label: 'Create team', words: 'new', icon: Plus, run: onCreateTeam },
    {
      id: 'rail',
      group: 'Do',
      label: 'Narrow or widen navigation',
      words: 'rail sidebar',
      icon: PanelLeft,
      keys: '[',
      run: onToggleRail,
    },
    {
      id: 'sign out',
      group: 'Do',
      label: 'Sign out',
      words: 'log out logout',
      icon: LogOut,
      run: () => void signOut.mutateAsync().catch(tellFailure),
    },
  ]
  const switches: Command[] = teams
    .filter(({ id }) => id !== team?.id)
    .map(({ id, name }) => ({
      id: `team ${id}`,
      group: 'Switch team',
      label: `Switch to ${name}`,
      icon: ArrowLeftRight,
      // the palette is gone when the answer comes, and callbacks of mutate() with it
      run: () => void switchTeam.mutateAsync({ body: { teamId: id } }).catch(tellFailure),
    }))
  const themeChoices: Command[] = themes.map(([theme, icon]) => ({
    id: `theme ${theme}`,
    group: 'Theme',
    label: theme === 'system' ? 'Use the system’s theme' : `Use the ${theme} theme`,
    words: 'appearance mode colour',
    icon,
    run: () => setTheme(theme),
  }))
  return [...goTo, ...settings, ...inTeam, ...asAdmin, ...always, ...switches, ...themeChoices]
}

/** The commands that fit what is typed. An id is never a command's name: whoever pastes one wants to go there. */
export function useFoundCommands(commands: readonly Command[], text: string): Command[] {
  const navigate = useNavigate()
  const { team } = useMe()
  const [id] = /^run_\w{26}$/.exec(text.trim()) ?? []
  if (!id || !team) return matchCommands(commands, text)
  const run = () => void navigate({ to: '/runs/$id', params: { id } })
  return [{ id, group: 'Go to', label: `Run ${id}`, icon: Play, run }]
}
