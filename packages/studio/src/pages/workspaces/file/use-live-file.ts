import { useEffect, useState } from 'react'
import type { Transaction } from 'yjs'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'

/** Where a file is that was opened: at its path, at another, nowhere any more, or not here yet. */
export type FoundFile =
  | { kind: 'none' }
  | { kind: 'here'; textId: string }
  | { kind: 'moved'; textId: string; to: string }
  | { kind: 'gone'; text: string }

const none: FoundFile = { kind: 'none' }

/** Follows an open file. Of one that others delete, the text as it was in sight stays. */
export function useLiveFile(live: LiveWorkspace | undefined, path: string): FoundFile {
  const [found, setFound] = useState<{ of: unknown; path: string; file: FoundFile }>()
  const isStale = found?.of !== live || found?.path !== path
  if (isStale) setFound({ of: live, path, file: read(live, path) })

  useEffect(() => {
    if (!live) return undefined
    const look = (transaction?: Transaction) => {
      // read at once: when this is drawn, the characters are gone
      const lost = transaction && live.textLostIn(transaction, path)
      setFound((before) => {
        const next = read(live, path)
        if (next.kind === 'here' || !before || before.path !== path || before.file.kind === 'none') {
          return { of: live, path, file: next }
        }
        if (before.file.kind === 'gone') return before
        const { textId } = before.file
        const to = live.pathOf(textId)
        if (to !== undefined) return { of: live, path, file: { kind: 'moved', textId, to } }
        return { of: live, path, file: { kind: 'gone', text: lost ?? '' } }
      })
    }
    const unsubscribe = live.onFiles(look)
    look()
    return unsubscribe
  }, [live, path])
  return isStale ? read(live, path) : found.file
}

function read(live: LiveWorkspace | undefined, path: string): FoundFile {
  const textId = live?.textAt(path)?.id
  return textId === undefined ? none : { kind: 'here', textId }
}
