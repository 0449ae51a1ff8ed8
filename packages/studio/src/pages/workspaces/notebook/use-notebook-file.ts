import { CoherexError, outputsOfRun, type Language, type Run } from '@coherex/contract'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { explainRefusal } from '../../../cell/explain-refusal.ts'
import { useSandboxInterrupt } from '../../../data/sandbox.ts'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { editText, type TextEdit } from '../../../live/replace-text.ts'
import { toast } from '../../../ui/toast/toast.ts'
import type { Session } from '../run/use-session.ts'
import { boundOutputs } from './bound-outputs.ts'
import {
  editKind,
  editOutputs,
  editSource,
  insertCell,
  insertRaw,
  moveCell,
  rawOf,
  readNotebook,
  removeCell,
  type CellKind,
  type NotebookText,
  type TextCell,
} from './notebook-text.ts'
import { keepUnwritten, takeUnwritten, unwrittenRuns, type UnwrittenRun } from './unwritten-runs.ts'

interface NotebookFileOptions {
  live: LiveWorkspace | undefined
  path: string
  session: Session
  /** Undefined where nothing runs it. */
  languageOf: (cell: TextCell) => Language | undefined
}

/** A run of a cell that was started in this window, or in one that was closed before it ended. */
interface CellRun {
  runId?: string
  /** The outputs that it left in the file; once others are there, those are shown. */
  wrote?: string
}

// the server refuses texts of more than a megabyte
const mostOfFile = 900_000
// each is an editor with a memory of its own
const mostEditors = 6

export type NotebookFileActs = ReturnType<typeof useNotebookFile>

/** What can be done to the cells of an `.ipynb` file: each act changes the text as little as it can, so that others go on typing. */
export function useNotebookFile({ live, path, session, languageOf }: NotebookFileOptions) {
  const interrupt = useSandboxInterrupt()
  const [runs, setRuns] = useState<ReadonlyMap<string, CellRun>>(new Map())
  const [editors, setEditors] = useState<readonly string[]>([])
  const [focused, setFocused] = useState<string>()
  const [isRunningAll, setRunningAll] = useState(false)
  const stopped = useRef(false)

  // runs end when they end, and what is written to a document that was closed is lost
  const open = useRef(live)
  useEffect(() => {
    open.current = live
    return () => void (open.current = undefined)
  }, [live])

  function read(): NotebookText | undefined {
    const notebook = readNotebook(open.current?.textAt(path)?.text.toString() ?? '')
    return typeof notebook === 'string' ? undefined : notebook
  }
  /** Changes the text as it is now, with what others typed since it was drawn. */
  function change(edit: (notebook: NotebookText) => TextEdit[]) {
    const [found, notebook] = [open.current?.textAt(path), read()]
    if (found && notebook) editText(found.text, edit(notebook), 'notebook')
  }
  function changeCell(key: string, edit: (notebook: NotebookText, cell: TextCell, at: number) => TextEdit[]) {
    change((notebook) => {
      const at = notebook.cells.findIndex((cell) => cell.key === key)
      const cell = notebook.cells[at]
      return cell ? edit(notebook, cell, at) : []
    })
  }
  const put = (key: string, run: CellRun | undefined) =>
    setRuns((before) => {
      const next = new Map(before)
      if (run) next.set(key, run)
      else next.delete(key)
      return next
    })

  /** Writes what came of a run into its cell, once among all windows; later where the file is not open. */
  function writeOutputs({ runId, key, source }: UnwrittenRun, ended: Run, isKept: boolean) {
    if (!open.current || (isKept && !takeUnwritten(open.current.id, runId))) return
    change((notebook) => {
      // a cell without an id may be another one by now
      const target = notebook.cells.find((one) => one.key === key && (!key.startsWith('#') || one.source === source))
      if (!target) return []
      const count = Math.max(0, ...notebook.cells.map((one) => one.count ?? 0)) + 1
      const taken = notebook.text.length - JSON.stringify(target.outputs).length
      return editOutputs(notebook, target, boundOutputs(outputsOfRun(ended, count), mostOfFile - taken), count)
    })
    const written = read()?.cells.find((one) => one.key === key)?.outputs
    put(key, { runId, wrote: JSON.stringify(written) })
  }

  /** Shows a run that a closed window left, and writes what comes of it. */
  async function adopt(workspaceId: string, unwritten: UnwrittenRun, awaitRun: (runId: string) => Promise<Run>) {
    const { key, runId } = unwritten
    put(key, { runId })
    try {
      writeOutputs(unwritten, await awaitRun(runId), true)
      session.tellEnd()
    } catch (error) {
      put(key, undefined)
      if (error instanceof CoherexError && error.code === 'not_found') takeUnwritten(workspaceId, runId)
    }
  }
  const workspaceId = live?.id
  const adoptAll = useEffectEvent((of: string, awaitRun: (runId: string) => Promise<Run>) => {
    for (const unwritten of unwrittenRuns(of, path)) void adopt(of, unwritten, awaitRun)
  })
  useEffect(() => {
    if (!workspaceId || unwrittenRuns(workspaceId, path).length === 0) return undefined
    let gone = false
    import('../../../data/run/await-run.ts').then(
      ({ awaitRun }) => !gone && adoptAll(workspaceId, awaitRun),
      () => undefined, // they are there when the page is opened again
    )
    return () => {
      gone = true
    }
  }, [workspaceId, path])

  /** Runs a cell to its end and writes what came of it into the file; answers whether it succeeded. */
  async function run(key: string): Promise<boolean> {
    const cell = read()?.cells.find((one) => one.key === key)
    const language = cell && languageOf(cell)
    if (!cell || cell.kind !== 'code' || cell.source.trim() === '') return true
    if (!language) return false
    put(key, {})
    try {
      const { id, end } = await session.run({ language, code: cell.source })
      const unwritten = { runId: id, path, key, source: cell.source }
      const isKept = live !== undefined && keepUnwritten(live.id, unwritten)
      put(key, { runId: id })
      const ended = await end()
      writeOutputs(unwritten, ended, isKept)
      session.tellEnd()
      return ended.status === 'succeeded'
    } catch (error) {
      put(key, undefined)
      toast({ title: 'The cell was not run', description: explainRefusal(error as Error), tone: 'error' })
      return false
    }
  }
  async function runAll() {
    stopped.current = false
    setRunningAll(true)
    for (const { key } of read()?.cells ?? []) if (stopped.current || !(await run(key))) break
    setRunningAll(false)
  }
  function edit(key: string) {
    setEditors((before) => [key, ...before.filter((one) => one !== key)].slice(0, mostEditors))
    setFocused(key)
  }
  function insert(at: number, kind: CellKind) {
    change((notebook) => insertCell(notebook, at, { kind, source: '' }))
    const made = read()?.cells[at]
    if (made) edit(made.key)
  }
  function drop(key: string) {
    changeCell(key, (notebook, cell, at) => {
      const raw = rawOf(notebook, cell)
      const undo = () => change((now) => insertRaw(now, at, raw))
      toast({ title: 'Cell deleted', tone: 'info', action: { label: 'Undo', run: undo } })
      return removeCell(notebook, at)
    })
  }
  return {
    ...{ run, runAll, isRunningAll, edit, focused, setFocused, insert, drop },
    /** Stops the cell that runs, keeps its variables, and starts no more. */
    stop() {
      stopped.current = true
      if (session.sandboxId) interrupt.mutate({ params: { id: session.sandboxId }, body: {} })
    },
    write: (key: string, source: string) => changeCell(key, (notebook, cell) => editSource(notebook, cell, source)),
    setKind: (key: string, kind: CellKind) => changeCell(key, (notebook, cell) => editKind(notebook, cell, kind)),
    move: (key: string, by: -1 | 1) => changeCell(key, (notebook, _cell, at) => moveCell(notebook, at, at + by)),
    clear(key: string) {
      put(key, undefined)
      changeCell(key, (notebook, cell) => editOutputs(notebook, cell, [], null))
    },
    clearAll() {
      setRuns(new Map())
      change((notebook) =>
        notebook.cells.flatMap((cell) => (cell.kind === 'code' ? editOutputs(notebook, cell, [], null) : [])),
      )
    },
    isEditing: (key: string) => editors.includes(key),
    leave: (key: string) => setEditors((before) => before.filter((one) => one !== key)),
    isStarting: (key: string) => runs.has(key) && runs.get(key)?.runId === undefined,
    /** The run whose output a cell shows in place of what the file keeps. */
    runOf({ key, outputs }: TextCell): string | undefined {
      const run = runs.get(key)
      return run?.wrote === undefined || run.wrote === JSON.stringify(outputs) ? run?.runId : undefined
    },
  }
}
