import { CoherexError, type Cell } from '@coherex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { cellsQuery, useCellChange } from '../../../data/cell.ts'
import { readStored, storedNames, writeStored } from '../../../ui/state/stored.ts'
import { toast } from '../../../ui/toast/toast.ts'

const saveAfterMs = 600

/** What is typed into cells and not saved yet. It is saved a moment later, and survives a reload until then. */
export function useCellTexts(sandboxId: string) {
  const queryClient = useQueryClient()
  const change = useCellChange()
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const prefix = `draft.notebook.${sandboxId}.`
  // one object, changed in place: the key that runs a cell may come before what was typed is drawn
  const [texts] = useState(() => new Map(storedNames(prefix).map((id) => [id, readStored(prefix + id) ?? ''])))
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())

  /** Shows a cell as the server now has it. */
  function put(id: string, part: Partial<Cell>) {
    queryClient.setQueryData(cellsQuery(sandboxId).queryKey, (cells) =>
      cells?.map((cell) => (cell.id === id ? { ...cell, ...part } : cell)),
    )
  }
  function forget(id: string, saved: string) {
    if (texts.get(id) !== saved) return
    texts.delete(id)
    writeStored(prefix + id, undefined)
  }
  const save = useEffectEvent((id: string) => {
    clearTimeout(timers.current.get(id))
    timers.current.delete(id)
    const source = texts.get(id)
    if (source === undefined) return
    change.mutateAsync({ params: { id: sandboxId, cellId: id }, body: { source } }).then(
      () => {
        put(id, { source })
        forget(id, source)
      },
      (error: Error) => {
        // somebody deleted it meanwhile
        if (error instanceof CoherexError && error.code === 'not_found') return forget(id, source)
        return toast({ title: 'The cell was not saved', description: error.message, tone: 'error' })
      },
    )
  })
  const saveAll = useEffectEvent(() => {
    for (const id of [...texts.keys()]) save(id)
  })
  // what was typed before a reload, and what is typed when the page is left
  useEffect(() => {
    saveAll()
    return () => saveAll()
  }, [sandboxId])

  return {
    textOf: ({ id, source }: Cell) => texts.get(id) ?? source,
    write(id: string, text: string) {
      texts.set(id, text)
      writeStored(prefix + id, text)
      clearTimeout(timers.current.get(id))
      timers.current.set(
        id,
        setTimeout(() => save(id), saveAfterMs),
      )
      redraw()
    },
    /** A run takes the text along, so there is nothing left to save. */
    ran(id: string, source: string, runId: string) {
      clearTimeout(timers.current.get(id))
      put(id, { source, runId })
      forget(id, source)
    },
    put,
  }
}
