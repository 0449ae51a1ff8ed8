import { useMemo, useSyncExternalStore } from 'react'
import { useMe } from '../../data/access/me.ts'
import { readStored, storedNames, writeStored } from '../../ui/state/stored.ts'
import { noThings, readThings, type Things } from './things.ts'

const prefix = 'things.'
const listeners = new Set<() => void>()

/** What this person pinned and visited in this team, in this browser. */
export function useThings(): { things: Things; change: (next: (now: Things) => Things) => void } {
  const { person, team } = useMe()
  const name = team ? `${prefix}${person.id}.${team.id}` : undefined
  const stored = useSyncExternalStore(listen, () => name && readStored(name))
  const things = useMemo(() => readThings(stored), [stored])
  return {
    things: name ? things : noThings,
    change(next) {
      if (name === undefined) return
      const now = readThings(readStored(name))
      const changed = JSON.stringify(next(now))
      if (changed === JSON.stringify(now)) return
      writeStored(name, changed)
      for (const tell of listeners) tell()
    },
  }
}

/** Titles belong to a person: the next one at this browser does not find them. */
export function keepThingsOf(personId: string): void {
  for (const name of storedNames(prefix)) if (!name.startsWith(`${personId}.`)) writeStored(prefix + name, undefined)
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  // another window pinned or visited something
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
