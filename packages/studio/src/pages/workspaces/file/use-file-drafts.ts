import { useMemo, useRef, useState } from 'react'
import { readStored, storedNames, writeStored } from '../../../ui/stored.ts'

/** Typed text that is not saved yet, and the version it was typed over. */
export interface FileDraft {
  text: string
  version: number
}

export type FileDrafts = ReturnType<typeof useFileDrafts>

/** What was typed in the files of a workspace and not saved; it survives a reload. */
export function useFileDrafts(id: string) {
  // a draft is forgotten with the others when another person signs in
  const prefix = `draft.workspace.${id}/`
  const [drafts, setDrafts] = useState(() => readDrafts(prefix))
  // whoever types and saves in one breath saves what was typed, drawn or not
  const latest = useRef(drafts)

  function put(path: string, draft: FileDraft | undefined) {
    const next = new Map(latest.current)
    if (draft) next.set(path, draft)
    else next.delete(path)
    writeStored(prefix + path, draft && JSON.stringify(draft))
    latest.current = next
    setDrafts(next)
  }
  return {
    unsaved: useMemo(() => new Set(drafts.keys()), [drafts]),
    get: (path: string) => drafts.get(path),
    latest: (path: string) => latest.current.get(path),
    put,
    /** Files that were renamed or moved take their drafts along. */
    move(from: string, to: string) {
      for (const [path, draft] of latest.current) {
        if (path !== from && !path.startsWith(`${from}/`)) continue
        put(path, undefined)
        put(to + path.slice(from.length), draft)
      }
    },
  }
}

function readDrafts(prefix: string): ReadonlyMap<string, FileDraft> {
  return new Map(
    storedNames(prefix).flatMap((path) => {
      const draft = parseDraft(readStored(prefix + path))
      return draft ? [[path, draft]] : []
    }),
  )
}

function parseDraft(stored: string | undefined): FileDraft | undefined {
  try {
    const { text, version } = JSON.parse(stored ?? '{}') as Partial<FileDraft>
    return typeof text === 'string' && typeof version === 'number' ? { text, version } : undefined
  } catch {
    // what cannot be read is worth nothing
    return undefined
  }
}
