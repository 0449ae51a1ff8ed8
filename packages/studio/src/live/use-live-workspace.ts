import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useMe } from '../data/access/me.ts'
import type { LiveState, LiveWorkspace } from './live-workspace.ts'
import type { Peer } from './peers.ts'

export interface Live {
  /** Undefined until it is loaded and has all the server has. */
  workspace: LiveWorkspace | undefined
  /** The same, from when it is there. */
  opened: LiveWorkspace | undefined
  peers: readonly Peer[]
  /** Opens the document anew, without what the server refused. */
  discardRefused: () => void
}

const connecting: LiveState = { kind: 'connecting' }
const nobody: readonly Peer[] = []
const nothing = () => () => undefined

/** The live document of a workspace while its page is open; an archived one has none. */
export function useLiveWorkspace(id: string, enabled: boolean): Live {
  const me = useMe().person.id
  const [opened, setOpened] = useState<LiveWorkspace>()
  const [round, setRound] = useState(0)

  useEffect(() => {
    if (!enabled) return undefined
    let gone = false
    let made: LiveWorkspace | undefined
    // a chunk that did not come is asked for again when the page is opened again; until then files are read
    import('./live-workspace.ts').then(
      (module) => {
        if (gone) return
        made = new module.LiveWorkspace(id, me)
        setOpened(made)
      },
      () => undefined,
    )
    return () => {
      gone = true
      setOpened(undefined)
      made?.close()
    }
  }, [id, me, enabled, round])

  const subscribe = useSubscription(opened)
  const peers = useSyncExternalStore(subscribe, () => opened?.peers ?? nobody)
  const isReady = useSyncExternalStore(subscribe, () => opened?.isReady ?? false)
  return {
    workspace: isReady ? opened : undefined,
    opened,
    peers,
    discardRefused() {
      opened?.discardRefused()
      setRound(round + 1)
    },
  }
}

/** Whether what was typed is stored. It changes with every key, so only those who show it ask. */
export function useLiveState({ opened }: Live): LiveState {
  return useSyncExternalStore(useSubscription(opened), () => opened?.state ?? connecting)
}

function useSubscription(opened: LiveWorkspace | undefined) {
  return useCallback((listener: () => void) => opened?.subscribe(listener) ?? nothing(), [opened])
}
