import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useMe } from '../data/access/me.ts'
import type { LiveBlock } from '../live/live-block.ts'

interface LiveBlockOptions {
  /** Undefined while nobody may type in it here. */
  id: string | undefined
  path: string
  /** Whatever is typed in it, by anyone. */
  onChange(block: LiveBlock): void
  onLost(block: LiveBlock): void
  /** It is to be shown no more, and what was typed in it is stored. */
  onLeft(): Promise<unknown>
}

const retryMs = 2000

/** The text of a block that several type in, once all of it is here; undefined while it is opened or its line is lost. */
export function useLiveBlock({ id, path, onChange, onLost, onLeft }: LiveBlockOptions): LiveBlock | undefined {
  const me = useMe().person.id
  const [opened, setOpened] = useState<LiveBlock>()
  const [round, setRound] = useState(0)
  const changed = useEffectEvent(onChange)
  const lost = useEffectEvent(onLost)
  const left = useEffectEvent(onLeft)

  useEffect(() => {
    if (id === undefined) return undefined
    let gone = false
    let made: LiveBlock | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const close = () => {
      made?.close()
      setOpened((now) => (now === made ? undefined : now))
    }
    let lastText: string | undefined
    const look = () => {
      // keys that came before the editor showed another text
      if (made && lastText !== undefined && lastText !== made.text.toString()) {
        lastText = made.text.toString()
        lost(made)
      }
      if (!made || gone) return
      if (made.state === 'ready') {
        setOpened(made)
        changed(made)
      }
      if (made.state !== 'lost') return
      gone = true
      lastText = made.text.toString()
      lost(made)
      setOpened(undefined)
      // not before the editor shows another text: the cursor would be lost with this one
      timer = setTimeout(() => {
        made?.close()
        setRound((now) => now + 1)
      }, retryMs)
    }
    // a chunk that did not come is asked for again when the editor is opened again; until then versions are merged by lines
    import('../live/live-block.ts').then(
      (module) => {
        if (gone) return
        made = new module.LiveBlock(id, { path, me })
        made.subscribe(look)
      },
      () => undefined,
    )
    return () => {
      clearTimeout(timer)
      if (gone) return made?.close()
      gone = true
      void made?.store().then(left).then(close, close)
      return undefined
    }
  }, [id, path, me, round])

  return opened
}

/** The text as it is typed. */
export function useTypedText(block: LiveBlock | undefined): string | undefined {
  const subscribe = useCallback((listener: () => void) => block?.subscribe(listener) ?? (() => undefined), [block])
  return useSyncExternalStore(subscribe, () => block?.text.toString())
}
