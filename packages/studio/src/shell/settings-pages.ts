import type { LinkProps } from '@tanstack/react-router'
import {
  CirclePause,
  Code,
  Cpu,
  Gauge,
  KeyRound,
  ListChecks,
  Package,
  Plug,
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
  {
    to: '/settings/overview',
    label: 'Overview',
    icon: ListChecks,
    ofTeam: true,
    words: 'checklist installation version health setup',
  },
  { to: '/settings/team', label: 'Team', icon: UsersRound, ofTeam: true, words: 'rename leave delete' },
  { to: '/settings/members', label: 'Members', icon: Users, ofTeam: true, words: 'people roles invite invitations' },
  {
    to: '/settings/models',
    label: 'Models',
    icon: Cpu,
    ofTeam: true,
    words: 'providers openai anthropic google ollama keys',
  },
  {
    to: '/settings/approval-rules',
    label: 'Approval rules',
    icon: CirclePause,
    ofTeam: true,
    words: 'ask permission agents tools',
  },
  {
    to: '/settings/mcp-servers',
    label: 'MCP servers',
    icon: Plug,
    ofTeam: true,
    words: 'tools remote connect oauth model context protocol',
  },
  { to: '/settings/keys', label: 'API keys', icon: KeyRound, ofTeam: true, words: 'token access scopes' },
  {
    to: '/settings/mcp',
    label: 'MCP',
    icon: Plug,
    ofTeam: true,
    words: 'claude cursor vscode codex clients deploy connect oauth',
  },
  { to: '/settings/quotas', label: 'Quotas', icon: Gauge, ofTeam: true, words: 'limits usage storage' },
  { to: '/settings/languages', label: 'Languages', icon: Code, ofTeam: true, words: 'install python r ruby version' },
  {
    to: '/settings/packages',
    label: 'Packages',
    icon: Package,
    ofTeam: true,
    words: 'npm pypi pip libraries rules lock prune',
  },
  { to: '/settings/audit', label: 'Audit log', icon: ScrollText, ofTeam: true, words: 'history events export' },
]
