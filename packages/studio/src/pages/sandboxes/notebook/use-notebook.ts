import type { Cell, CellChange, Language, Sandbox } from '@coherex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { explainRefusal } from '../../../cell/explain-refusal.ts'
import { noOptions, readOptions, type TypedOptions } from '../../../cell/options/typed-options.ts'
import { cellsQuery, useCellChange, useCellCreate, useCellDelete } from '../../../data/cell.ts'
import { useRunCreate } from '../../../data/run/run-create.ts'
import { toast } from '../../../ui/toast/toast.ts'
import { useCellTexts } from './use-cell-texts.ts'

/** How long a cell may take that asks for no other time. */
export const usualSeconds = 120
// each is an editor with a memory of its own
const mostEditors = 6

const failed = (title: string) => (error: Error) => toast({ title, description: explainRefusal(error), tone: 'error' })

/** What can be done to the cells of a sandbox, shown at once where it can be. */
export function useNotebook({ id: sandboxId }: Sandbox, cells: readonly Cell[]) {
  const queryClient = useQueryClient()
  const texts = useCellTexts(sandboxId)
  const create = useCellCreate()
  const change = useCellChange()
  const remove = useCellDelete()
  const start = useRunCreate()
  // the server runs cells in the order in which it hears of them
  const sent = useRef<Promise<unknown>>(Promise.resolve())
  const [starting, setStarting] = useState<readonly string[]>([])
  const [editors, setEditors] = useState<readonly string[]>([])
  const [focused, setFocused] = useState<string>()
  const [options, setOptions] = useState<Readonly<Record<string, TypedOptions>>>({})

  function edit(id: string) {
    setEditors([id, ...editors.filter((one) => one !== id)].slice(0, mostEditors))
    setFocused(id)
  }
  function run(cell: Cell) {
    const source = texts.textOf(cell)
    const { part, errors } = readOptions(options[cell.id] ?? noOptions)
    if (source.trim() === '' || starting.includes(cell.id) || Object.keys(errors).length > 0) return
    setStarting((now) => [...now, cell.id])
    const { limits, input, stdin } = part
    const body = {
      ...{ sandboxId, cellId: cell.id, language: cell.language ?? 'python', code: source, interactive: true },
      ...(input === undefined ? {} : { input }),
      ...(stdin === undefined ? {} : { stdin }),
      limits: { timeoutMs: usualSeconds * 1000, ...limits },
    }
    const begun = sent.current.then(() => start.mutateAsync({ query: { wait: 'false' }, body }))
    sent.current = begun.catch(() => undefined) // told below
    begun
      .then(({ id }) => texts.ran(cell.id, source, id), failed('The cell was not started'))
      .finally(() => setStarting((now) => now.filter((one) => one !== cell.id)))
  }
  function insert(after: string | null, kind: Cell['kind'], language?: Language | null) {
    create.mutate(
      { params: { id: sandboxId }, body: { kind, after, ...(language ? { language } : {}) } },
      { onSuccess: ({ id }) => edit(id), onError: failed('The cell was not inserted') },
    )
  }
  function set(id: string, body: CellChange) {
    const { after: _after, ...part } = body
    texts.put(id, Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)))
    change.mutateAsync({ params: { id: sandboxId, cellId: id }, body }).catch((error: Error) => {
      failed('The cell was not changed')(error)
      void queryClient.invalidateQueries(cellsQuery(sandboxId))
    })
  }
  function move(cell: Cell, by: -1 | 1) {
    const at = cells.indexOf(cell)
    const to = at + by
    if (to < 0 || to >= cells.length) return
    const order = cells.toSpliced(at, 1).toSpliced(to, 0, cell)
    queryClient.setQueryData(cellsQuery(sandboxId).queryKey, order)
    set(cell.id, { after: order[to - 1]?.id ?? null })
  }
  function drop(cell: Cell) {
    const before = cells[cells.indexOf(cell) - 1]?.id ?? null
    const { kind, language, runId } = cell
    const source = texts.textOf(cell)
    const undo = () =>
      create.mutate(
        {
          params: { id: sandboxId },
          body: { kind, source, after: before, ...(language && { language }), ...(runId && { runId }) },
        },
        { onError: failed('The cell was not put back') },
      )
    queryClient.setQueryData(
      cellsQuery(sandboxId).queryKey,
      cells.filter(({ id }) => id !== cell.id),
    )
    remove
      .mutateAsync({ params: { id: sandboxId, cellId: cell.id } })
      .then(
        () => toast({ title: 'Cell deleted', tone: 'info', action: { label: 'Undo', run: undo } }),
        failed('The cell was not deleted'),
      )
  }
  return {
    ...{ run, insert, set, move, drop, edit, focused, setFocused },
    textOf: texts.textOf,
    /** A cell shows another run. */
    show: (id: string, runId: string) => texts.put(id, { runId }),
    write: texts.write,
    isStarting: (id: string) => starting.includes(id),
    isEditing: (id: string) => editors.includes(id),
    /** A text cell is rendered again. */
    leave: (id: string) => setEditors(editors.filter((one) => one !== id)),
    optionsOf: (id: string) => options[id] ?? noOptions,
    setOptions: (id: string, next: TypedOptions) => setOptions({ ...options, [id]: next }),
  }
}

export type NotebookActs = ReturnType<typeof useNotebook>
