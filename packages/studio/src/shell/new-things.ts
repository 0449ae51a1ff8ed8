import type { LinkProps } from '@tanstack/react-router'
import { places } from './places.ts'

interface NewThing {
  label: string
  icon: (typeof places)['home']['icon']
  link: Pick<LinkProps, 'to' | 'search'>
  words: string
}

const { chat, workspaces, library, activity } = places
const create = { create: true }

/** What one can begin, and where. */
export const newThings: readonly NewThing[] = [
  { label: 'Chat', icon: chat.icon, link: { to: '/threads' }, words: 'conversation ask message' },
  { label: 'Workspace', icon: workspaces.icon, link: { to: '/workspaces', search: create }, words: 'files project' },
  { label: 'Scratch run', icon: workspaces.pages[1].icon, link: { to: '/scratch' }, words: 'code execute try' },
  { label: 'Sandbox', icon: activity.pages[1].icon, link: { to: '/sandboxes', search: create }, words: 'notebook' },
  { label: 'Agent', icon: library.pages[0].icon, link: { to: '/agents', search: create }, words: 'definition' },
  {
    label: 'Tool',
    icon: library.pages[1].icon,
    link: { to: '/tools', search: create },
    words: 'function code publish',
  },
  { label: 'Skill', icon: library.pages[2].icon, link: { to: '/skills', search: create }, words: 'instructions' },
]
