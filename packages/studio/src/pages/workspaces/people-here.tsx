import { Circle, Eye, EyeOff } from 'lucide-react'
import type { Peer } from '../../live/peers.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'

interface PeopleHereProps {
  peers: readonly Peer[]
  followed: string | undefined
  onFollow: (id: string | undefined) => void
}

const mostNamed = 2

/** Who else is here and at which file; picking one follows them. */
export function PeopleHere({ peers, followed, onFollow }: PeopleHereProps) {
  const others = othersOf(peers)
  if (others.length === 0) return null
  const named = others.slice(0, mostNamed).map(({ name }) => name)
  const more = others.length - named.length
  const leader = others.find(({ id }) => id === followed)
  return (
    <span role="status" className="flex min-w-0 items-center">
      <Menu
        side="top"
        trigger={
          <button
            type="button"
            title={others.map(({ name, file }) => (file ? `${name}: ${file}` : name)).join('\n')}
            className="flex min-w-0 items-center gap-1.5 hover:text-text"
          >
            {others.slice(0, mostNamed).map(({ id, color }) => (
              <Circle key={id} aria-hidden className="size-2 shrink-0 fill-current" style={{ color }} />
            ))}
            <span className="truncate">
              {leader ? (
                `Following ${leader.name}`
              ) : (
                <>
                  {named.join(', ')}
                  {more > 0 && ` and ${more} more`} {others.length === 1 ? 'is' : 'are'} here
                </>
              )}
            </span>
          </button>
        }
      >
        {others.map(({ id, name, file, isAgent }) =>
          id === followed ? (
            <MenuItem key={id} icon={<EyeOff aria-hidden />} onSelect={() => onFollow(undefined)}>
              Stop following {name}
            </MenuItem>
          ) : (
            <MenuItem
              key={id}
              icon={<Eye aria-hidden />}
              hint={file ? (isAgent ? `Wrote last in ${file}` : `At ${file}`) : undefined}
              onSelect={() => onFollow(id)}
            >
              Follow {name}
            </MenuItem>
          ),
        )}
      </Menu>
    </span>
  )
}

/** Each once, at the file that they look at. */
export function othersOf(peers: readonly Peer[]): Peer[] {
  const others = new Map<string, Peer>()
  for (const peer of peers) {
    if (peer.isMe) continue
    others.set(peer.id, { ...peer, file: peer.file ?? others.get(peer.id)?.file })
  }
  return [...others.values()]
}
