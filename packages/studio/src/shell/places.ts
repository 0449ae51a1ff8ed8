import type { LinkProps } from '@tanstack/react-router'
import {
  Activity,
  Bot,
  Box,
  CirclePause,
  FolderGit2,
  House,
  MessageSquare,
  Settings,
  SquarePen,
  SquareTerminal,
  type LucideIcon,
} from 'lucide-react'

export interface Place {
  to: NonNullable<LinkProps['to']>
  label: string
  icon: LucideIcon
  /** Pressed after `g`. */
  key: string
  /** Also current on pages below it. */
  hasPagesBelow: boolean
  /** Says how much waits there. */
  hasCount?: boolean
}

/** Where one can go, in the order of the rail. A new place is one entry here and one route in router.tsx. */
export const places: readonly Place[] = [
  { to: '/', label: 'Home', icon: House, key: 'h', hasPagesBelow: false },
  { to: '/threads', label: 'Chat', icon: MessageSquare, key: 'c', hasPagesBelow: true },
  { to: '/workspaces', label: 'Workspaces', icon: FolderGit2, key: 'w', hasPagesBelow: true },
  { to: '/agents', label: 'Agents', icon: Bot, key: 'a', hasPagesBelow: true },
  { to: '/approvals', label: 'Approvals', icon: CirclePause, key: 'p', hasPagesBelow: false, hasCount: true },
  { to: '/runs', label: 'Runs', icon: SquareTerminal, key: 'r', hasPagesBelow: true },
  { to: '/executions', label: 'Executions', icon: Activity, key: 'e', hasPagesBelow: true },
  { to: '/sandboxes', label: 'Sandboxes', icon: Box, key: 'b', hasPagesBelow: true },
  { to: '/scratch', label: 'Scratch', icon: SquarePen, key: 'x', hasPagesBelow: false },
  { to: '/settings', label: 'Settings', icon: Settings, key: 's', hasPagesBelow: true },
]
