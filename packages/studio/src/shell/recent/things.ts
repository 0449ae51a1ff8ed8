import type { LinkProps } from '@tanstack/react-router'
import { Bot, Box, FolderGit2, MessageSquare, Wrench, type LucideIcon } from 'lucide-react'

/** Something with a page of its own that people come back to. */
export interface Thing {
  kind: ThingKind
  /** An id, or the name of an agent or tool. */
  id: string
  title: string
}

export interface Things {
  pinned: readonly Thing[]
  /** Last visited first. */
  recent: readonly Thing[]
}

const keptRecent = 12
const keptPinned = 30

interface KindFacts {
  /** What its page and its route in the API begin with. */
  path: string
  icon: LucideIcon
  /** Where its page keeps what it fetched. */
  queryKey: (id: string) => readonly string[]
  /** Its title in what was fetched. */
  field: 'name' | 'title'
}

export const thingKinds = {
  workspace: { path: 'workspaces', icon: FolderGit2, queryKey: (id) => ['workspace', id], field: 'name' },
  thread: { path: 'threads', icon: MessageSquare, queryKey: (id) => ['thread', 'one', id], field: 'title' },
  agent: { path: 'agents', icon: Bot, queryKey: (name) => ['agent', 'one', name], field: 'name' },
  tool: { path: 'tools', icon: Wrench, queryKey: (name) => ['tool', 'one', name], field: 'name' },
  sandbox: { path: 'sandboxes', icon: Box, queryKey: (id) => ['sandbox', id], field: 'name' },
} satisfies Record<string, KindFacts>

export type ThingKind = keyof typeof thingKinds
const kindNames = Object.keys(thingKinds) as ThingKind[]

export const noThings: Things = { pinned: [], recent: [] }

/** The address of a thing. */
export function thingLink({ kind, id }: Pick<Thing, 'kind' | 'id'>): Pick<LinkProps, 'to' | 'params'> {
  if (kind === 'agent') return { to: '/agents/$name', params: { name: id } }
  if (kind === 'tool') return { to: '/tools/$name', params: { name: id } }
  return { to: `/${thingKinds[kind].path}/$id`, params: { id } } as Pick<LinkProps, 'to' | 'params'>
}

/** Which thing an address shows. */
export function thingAt(pathname: string): Pick<Thing, 'kind' | 'id'> | undefined {
  const [, path, id] = /^\/([a-z]+)\/([^/]+)\/?$/.exec(pathname) ?? []
  const kind = kindNames.find((name) => thingKinds[name].path === path)
  return kind && id ? { kind, id: decodeURIComponent(id) } : undefined
}

/** Which thing a `DELETE` of the API takes away. */
export function thingDeleted(route: string, params: Record<string, unknown>): Pick<Thing, 'kind' | 'id'> | undefined {
  const [, path, param] = /^\/api\/v1\/([a-z]+)\/\{(id|name)\}$/.exec(route) ?? []
  const id = param && params[param]
  const kind = kindNames.find((name) => thingKinds[name].path === path)
  return kind && typeof id === 'string' ? { kind, id } : undefined
}

export const isSame = (a: Pick<Thing, 'kind' | 'id'>, b: Pick<Thing, 'kind' | 'id'>) =>
  a.kind === b.kind && a.id === b.id

/** After a visit: the thing is the most recent, and is called what it is called now. */
export function visitThing({ pinned, recent }: Things, thing: Thing): Things {
  return {
    pinned: pinned.map((one) => (isSame(one, thing) ? thing : one)),
    recent: [thing, ...recent.filter((one) => !isSame(one, thing))].slice(0, keptRecent),
  }
}

export function forgetThing({ pinned, recent }: Things, gone: Pick<Thing, 'kind' | 'id'>): Things {
  return {
    pinned: pinned.filter((one) => !isSame(one, gone)),
    recent: recent.filter((one) => !isSame(one, gone)),
  }
}

/** Pins a thing, or takes its pin out. */
export function togglePin({ pinned, recent }: Things, thing: Thing): Things {
  const others = pinned.filter((one) => !isSame(one, thing))
  return { pinned: others.length < pinned.length ? others : [...others, thing].slice(-keptPinned), recent }
}

/** What was stored; anything else is nothing. */
export function readThings(stored: string | undefined): Things {
  try {
    const { pinned, recent } = JSON.parse(stored ?? '{}') as Partial<Record<keyof Things, unknown>>
    return { pinned: thingsOf(pinned), recent: thingsOf(recent) }
  } catch {
    return noThings
  }
}

function thingsOf(value: unknown): Thing[] {
  return Array.isArray(value) ? value.filter(isThing) : []
}

function isThing(value: unknown): value is Thing {
  const { kind, id, title } = (value ?? {}) as Partial<Record<keyof Thing, unknown>>
  return kindNames.some((name) => name === kind) && typeof id === 'string' && typeof title === 'string'
}
