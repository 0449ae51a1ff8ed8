import type { LinkProps } from '@tanstack/react-router'
import {
  Activity,
  Bot,
  Box,
  FolderGit2,
  House,
  Images,
  Inbox,
  Library,
  Lock,
  MessageSquare,
  Settings,
  SlidersHorizontal,
  Sparkles,
  SquarePen,
  SquareTerminal,
  Variable,
  Wrench,
  type LucideIcon,
} from 'lucide-react'

/** A page that one can go to from anywhere. */
export interface PlacePage {
  to: NonNullable<LinkProps['to']>
  search?: Record<string, string>
  label: string
  icon: LucideIcon
  /** Pressed after `g`. */
  key: string
  /** Other words people look for. */
  words?: string
}

/** An entry of the rail: the pages that serve one intent. */
export interface Place {
  label: string
  icon: LucideIcon
  /** The first is where the entry leads. */
  pages: readonly [PlacePage, ...PlacePage[]]
  /** Addresses below which it is current too. */
  also?: readonly string[]
  /** Says how much waits there. */
  hasCount?: boolean
}

/** Where one can go, in the order of the rail. A new page is one entry here and one route in router.tsx. */
export const places = {
  home: {
    label: 'Home',
    icon: House,
    pages: [{ to: '/', label: 'Home', icon: House, key: 'h' }],
  },
  inbox: {
    label: 'Inbox',
    icon: Inbox,
    pages: [{ to: '/inbox', label: 'Inbox', icon: Inbox, key: 'i', words: 'approvals proposals reviews questions' }],
    hasCount: true,
  },
  chat: {
    label: 'Chat',
    icon: MessageSquare,
    pages: [{ to: '/threads', label: 'Chat', icon: MessageSquare, key: 'c', words: 'conversations threads messages' }],
  },
  workspaces: {
    label: 'Workspaces',
    icon: FolderGit2,
    pages: [
      { to: '/workspaces', label: 'Workspaces', icon: FolderGit2, key: 'w', words: 'files projects' },
      { to: '/scratch', label: 'Scratch', icon: SquarePen, key: 'x', words: 'code run try' },
    ],
  },
  library: {
    label: 'Library',
    icon: Library,
    pages: [
      { to: '/agents', label: 'Agents', icon: Bot, key: 'a', words: 'library' },
      { to: '/tools', label: 'Tools', icon: Wrench, key: 'o', words: 'library functions code' },
      { to: '/skills', label: 'Skills', icon: Sparkles, key: 'k', words: 'library instructions' },
      { to: '/gallery', label: 'Gallery', icon: Images, key: 'y', words: 'library shared published blocks artifacts' },
    ],
  },
  data: {
    label: 'Data',
    icon: SlidersHorizontal,
    pages: [
      { to: '/variables', label: 'Variables', icon: Variable, key: 'v', words: 'data environment settings' },
      { to: '/secrets', label: 'Secrets', icon: Lock, key: 't', words: 'data credentials tokens passwords' },
    ],
  },
  activity: {
    label: 'Activity',
    icon: Activity,
    pages: [
      { to: '/executions', label: 'Executions', icon: Activity, key: 'e', words: 'activity turns runs deliveries' },
      { to: '/sandboxes', label: 'Compute', icon: Box, key: 'b', words: 'activity sandboxes notebooks templates' },
    ],
    also: ['/runs'],
  },
} satisfies Record<string, Place>

export type PlaceName = keyof typeof places

/** Every place in the order of the rail. */
export const railPlaces: readonly Place[] = Object.values(places)

/** Pages that have keys and no entry of their own in the rail. */
const otherPages: readonly PlacePage[] = [
  {
    to: '/executions',
    search: { kind: 'code' },
    label: 'Runs',
    icon: SquareTerminal,
    key: 'r',
    words: 'code executions',
  },
  { to: '/settings', label: 'Settings', icon: Settings, key: 's', words: 'team account' },
]

/** All pages that the palette and the keys lead to. */
export const placePages: readonly PlacePage[] = [...railPlaces.flatMap(({ pages }) => pages), ...otherPages]

/** Where `g` and a key lead; `p` is the inbox for those who learned it as approvals. */
export function pageOfKey(key: string): PlacePage | undefined {
  return placePages.find((page) => page.key === (key === 'p' ? 'i' : key))
}

/** Whether an address belongs to a place. */
export function isWithin(place: Place, pathname: string): boolean {
  const roots = [...place.pages.map(({ to }) => to), ...(place.also ?? [])]
  return roots.some((root) => pathname === root || (root !== '/' && pathname.startsWith(`${root}/`)))
}
