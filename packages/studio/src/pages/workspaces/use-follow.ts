import { useEffect, useEffectEvent, useState } from 'react'
import type { Peer } from '../../live/peers.ts'
import { othersOf } from './people-here.tsx'

/** Goes to the files that someone opens, until one does something oneself. */
export function useFollow(peers: readonly Peer[], path: string | undefined, onOpen: (path: string) => void) {
  const [followed, setFollowed] = useState<string>()
  const file = followed === undefined ? undefined : othersOf(peers).find(({ id }) => id === followed)?.file
  const open = useEffectEvent((next: string) => {
    if (next !== path) onOpen(next)
  })
  useEffect(() => {
    if (file !== undefined) open(file)
  }, [file, followed])
  return { followed, follow: setFollowed }
}
