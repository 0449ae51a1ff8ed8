import { CoherexError } from '@coherex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { fileTextQuery, readFileText, useFileWrite } from '../../../data/file.ts'
import { announce } from '../../../shell/announce.ts'
import { toast } from '../../../ui/toast.ts'
import type { FileDrafts } from './use-file-drafts.ts'

/** `merge` keeps what others did since, `over` makes the file what was typed; theirs stays in the history. */
export type SaveWay = 'merge' | 'over'

/** Saves what was typed in a file. Nothing typed is forgotten before the server has it. */
export function useSaveFile(id: string, drafts: FileDrafts) {
  const write = useFileWrite()
  const queryClient = useQueryClient()
  const [conflicts, setConflicts] = useState<ReadonlySet<string>>(new Set())

  function setConflict(path: string, on: boolean) {
    setConflicts((before) => {
      const next = new Set(before)
      if (on) next.add(path)
      else next.delete(path)
      return next
    })
  }

  // one after the other: whoever saves while the last save is still under way is not turned away
  const last = useRef<Promise<unknown>>(Promise.resolve())
  function save(path: string, way: SaveWay = 'merge'): Promise<boolean> {
    const turn = last.current.then(() => saveNow(path, way))
    last.current = turn
    return turn
  }

  async function saveNow(path: string, way: SaveWay): Promise<boolean> {
    const sent = drafts.latest(path)
    if (!sent) return false
    try {
      await write.mutateAsync({
        params: { id, path },
        query: way === 'merge' ? { readVersion: sent.version } : {},
        body: sent.text,
      })
      const stored = await readFileText(id, path)
      queryClient.setQueryData(fileTextQuery(id, { path, hash: stored.hash }).queryKey, stored)
      const merged = stored.text !== sent.text
      const now = drafts.latest(path)
      if (now?.text === sent.text) drafts.put(path, undefined)
      // what was typed since lies over what was stored, unless that has others' lines in it that were not seen
      else if (now && !merged) drafts.put(path, { text: now.text, version: stored.version })
      setConflict(path, false)
      announce(`Saved ${path}`)
      if (merged) toast({ title: `Saved ${path}, merged with what others changed` })
      return true
    } catch (error) {
      if (isOverlap(error)) setConflict(path, true)
      else {
        const description = error instanceof Error ? error.message : String(error)
        toast({ title: `Could not save ${path}. Your text is kept here.`, description, tone: 'error' })
      }
      return false
    }
  }

  function discard(path: string) {
    const draft = drafts.latest(path)
    drafts.put(path, undefined)
    setConflict(path, false)
    if (!draft) return
    toast({
      title: `Your changes of ${path} are discarded`,
      tone: 'info',
      action: { label: 'Undo', run: () => drafts.put(path, draft) },
    })
  }

  return { save, discard, saving: write.isPending, hasConflict: (path: string) => conflicts.has(path) }
}

/** Others changed the same lines. An archived workspace, or a folder of that name, is a conflict of another kind. */
function isOverlap(error: unknown): boolean {
  if (!(error instanceof CoherexError) || error.code !== 'conflict') return false
  const { details } = error
  return typeof details === 'object' && details !== null && 'readVersion' in details
}
