import { useCallback, useRef, useSyncExternalStore } from 'react'
import type { LiveTexts } from './live-texts.ts'

/**
 * A file as it is typed; undefined while it is not here. Read when it is asked for, and again after a change, or when no
 * change came for so long.
 */
export function useLiveText(live: LiveTexts | undefined, path: string | undefined, pauseMs = 0): string | undefined {
  const read = useRef<{ of: unknown; text: string }>(undefined)
  const found = path === undefined ? undefined : live?.textAt(path)
  const text = found?.text
  const subscribe = useCallback(
    (listener: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const tell = () => {
        read.current = undefined
        listener()
      }
      const change = () => {
        if (pauseMs === 0) return tell()
        clearTimeout(timer)
        timer = setTimeout(tell, pauseMs)
      }
      text?.observe(change)
      const unsubscribe = live?.onFiles(change)
      return () => {
        clearTimeout(timer)
        text?.unobserve(change)
        unsubscribe?.()
      }
    },
    [live, text, pauseMs],
  )
  return useSyncExternalStore(subscribe, () => {
    if (!text) return undefined
    if (read.current?.of !== text) read.current = { of: text, text: text.toString() }
    return read.current.text
  })
}
