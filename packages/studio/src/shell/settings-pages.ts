import type { LinkProps } from '@tanstack/react-router'
import {
  Cpu,
  Gauge,
  KeyRound,
  Lock,
  ScrollText,
  SunMoon,
  UserRound,
  Users,
  UsersRound,
  type LucideIcon,
} from 'lucide-react'

interface SettingsPage {
  to: NonNullable<LinkProps['to']>
  label: string
  icon: LucideIcon
  /** Belongs to the current team, as opposed to the person. */
  ofTeam: boolean
  /** Other words people look for in the palette. */
  words: string
}

/** The pages of the settings, in order. A new one is one entry here and one route in router.tsx. */
export const settingsPages: readonly SettingsPage[] = [
  {
    to: '/settings/profile',
    label: 'Profile',
    icon: UserRound,
    ofTeam: false,
    words: 'name password sessions account',
  },
  { to: '/settings/appearance', label: 'Appearance', icon: SunMoon, ofTeam: false, words: 'theme dark light mode' },
  { to: '/settings/team', label: 'Team', icon: UsersRound, ofTeam: true, words: 'rename leave delete' },
  { to: '/settings/members', label: 'Members', icon: Users, ofTeam: true, words: 'people roles invite invitations' },
  {
    to: '/settings/models',
    label: 'Models',
    icon: Cpu,
    ofTeam: true,
    words: 'providers openai anthropic google ollama keys',
  },
  { to: '/settings/keys', label: 'API keys', icon: KeyRound, ofTeam: true, words: 'token access scopes' },
  { to: '/settings/secrets', label: 'Secrets', icon: Lock, ofTeam: true, words: 'credentials environment variables' },
  { to: '/settings/quotas', label: 'Quotas', icon: Gauge, ofTeam: true, words: 'limits usage storage' },
  { to: '/settings/audit', label: 'Audit log', icon: ScrollText, ofTeam: true, words: 'history events export' },
]
