import { useNavigate } from '@tanstack/react-router'
import {
  ArrowLeftRight,
  Keyboard,
  KeyRound,
  LogOut,
  Monitor,
  Moon,
  PanelLeft,
  Pin,
  PinOff,
  Plus,
  ShieldPlus,
  Sun,
  UserPlus,
  type LucideIcon,
} from 'lucide-react'
import { useMe } from '../../data/access/me.ts'
import { useRight } from '../../data/access/rights.ts'
import { useSignOut } from '../../data/access/sign-in.ts'
import { useTeamSwitch } from '../../data/access/team.ts'
import { toast } from '../../ui/toast/toast.ts'
import { newThings } from '../new-things.ts'
import { placePages } from '../places.ts'
import { isSame, thingKinds, thingLink, togglePin } from '../recent/things.ts'
import { useThings } from '../recent/use-things.ts'
import { useShownThing } from '../recent/use-visits.ts'
import { settingsPages } from '../settings-pages.ts'
import { setTheme, type Theme } from '../theme.ts'
import type { Command } from './command.ts'

interface CommandActions {
  onCreateTeam: () => void
  onToggleRail: () => void
  onShowKeys: () => void
}

const themes: [Theme, LucideIcon][] = [
  ['light', Sun],
  ['dark', Moon],
  ['system', Monitor],
]

/** Everything the palette can do for this person in this team. */
export function useCommands({ onCreateTeam, onToggleRail, onShowKeys }: CommandActions): Command[] {
  const { team, teams } = useMe()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const switchTeam = useTeamSwitch()
  const mayManage = useRight('admin', 'manage the team').may
  const tellFailure = (error: Error) => toast({ title: error.message, tone: 'error' })

  const mayCreate = useRight('editor', 'create things').may
  const { things, change } = useThings()
  const shown = useShownThing()

  const kept = [...things.pinned, ...things.recent.filter((one) => !things.pinned.some((pin) => isSame(pin, one)))]
  const recent: Command[] = kept.slice(0, 8).map((thing) => ({
    id: `thing ${thing.kind} ${thing.id}`,
    group: 'Recent',
    label: thing.title,
    words: thing.kind,
    icon: thingKinds[thing.kind].icon,
    run: () => void navigate(thingLink(thing)),
  }))
  const goTo: Command[] = placePages.map(({ to, search, label, icon, key, words = '' }) => ({
    id: `place ${label}`,
    group: 'Go to',
    label,
    words,
    icon,
    keys: `g ${key}`,
    run: () => void navigate({ to, search: search ?? {} }),
  }))
  const begin: Command[] = newThings.map(({ label, icon, link, words }) => ({
    id: `new ${label}`,
    group: 'New',
    label: `New ${label.toLowerCase()}`,
    words: `create ${words}`,
    icon,
    run: () => void navigate(link),
  }))
  const isPinned = shown !== undefined && things.pinned.some((one) => isSame(one, shown.thing))
  const pin: Command[] = !shown?.thing.title
    ? []
    : [
        {
          id: 'pin',
          group: 'Do',
          label: `${isPinned ? 'Unpin' : 'Pin'} ${shown.thing.title}`,
          words: 'this page rail navigation keep',
          icon: isPinned ? PinOff : Pin,
          run: () => change((now) => togglePin(now, shown.thing)),
        },
      ]
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
          run: () => void navigate({ to: '/secrets', search: { create: true } }),
        },
      ]
  const always: Command[] = [
    { id: 'create team', group: 'Do', label: 'Create team', words: 'new', icon: Plus, run: onCreateTeam },
    {
      id: 'rail',
      group: 'Do',
      label: 'Collapse or expand navigation',
      words: 'rail sidebar',
      icon: PanelLeft,
      keys: '[',
      run: onToggleRail,
    },
    {
      id: 'keys',
      group: 'Do',
      label: 'Show keys',
      words: 'shortcuts help',
      icon: Keyboard,
      keys: '?',
      run: onShowKeys,
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
  return [
    ...recent,
    ...goTo,
    ...(mayCreate ? begin : []),
    ...settings,
    ...pin,
    ...inTeam,
    ...asAdmin,
    ...always,
    ...switches,
    ...themeChoices,
  ]
}
