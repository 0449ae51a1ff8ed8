import { languageOfFile, type Run } from '@coherex/contract'
import { useState } from 'react'
import { explainRefusal } from '../../cell/explain-refusal.ts'
import { readOptions } from '../../cell/options/typed-options.ts'
import type { OptionCheck } from '../../cell/options/use-option-check.ts'
import { useRunCreate } from '../../data/run/run-create.ts'
import type { EditorMark, EditorResult } from '../../editor/code-editor.tsx'
import type { LiveWorkspace } from '../../live/live-workspace.ts'
import { readOwn, writeOwn } from '../../ui/state/stored.ts'
import { toast } from '../../ui/toast/toast.ts'
import { keepsVariables } from '../sandboxes/sandbox-words.ts'
import type { RunState } from './run/file-run.tsx'
import type { FileOptions } from './run/use-file-options.ts'
import type { Session } from './run/use-session.ts'

/** A selection or a cell of a file. */
export interface FilePart {
  code: string
  lastLine: number
}

interface RunFileOptions {
  workspaceId: string
  live: LiveWorkspace | undefined
  options: FileOptions
  /** Where parts of files run. */
  session: Session
  onStarted: () => void
  /** Its options cannot be sent. */
  onWrong: (path: string) => void
}

/** Runs a file with all files of its workspace, or a part of it in the session of its language; what is typed runs as typed. */
export function useRunFile({ workspaceId, live, options, session, onStarted, onWrong }: RunFileOptions) {
  const create = useRunCreate()
  const key = `draft.run.${workspaceId}`
  const [runId, setRunId] = useState(() => readOwn(key))
  const [cell, setCell] = useState(() => readOwn(`${key}.cell`))
  // its marks fit the code as it is; those of earlier runs do not
  const [startedId, setStarted] = useState<string>()
  const [isLive, setLive] = useState(false)
  const [isOptionsOpen, setOptionsOpen] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const [marks, setMarks] = useState<readonly EditorMark[]>(noMarks)
  // of the part that was run last, in this window
  const [part, setPart] = useState<{ runId: string; path: string; lastLine: number }>()
  const [results, setResults] = useState<readonly EditorResult[]>(noResults)

  function show(id: string | undefined) {
    setMarks(noMarks)
    setResults(noResults)
    setLive(false)
    setRunId(id)
    writeOwn(key, id)
  }
  /** Shows a run that has just begun. */
  function follow(id: string) {
    show(id)
    setStarted(id)
    setLive(true)
  }
  function keepCell(next: string) {
    setCell(next)
    writeOwn(`${key}.cell`, next)
  }
  async function start(path: string, given?: FilePart): Promise<unknown> {
    const language = languageOfFile(path)
    if (!language || create.isPending || session.isStarting || isLive) return undefined
    const { part: asked, errors } = readOptions(options.latest(path))
    if (Object.keys(errors).length > 0) {
      onWrong(path)
      setOptionsOpen(true)
      return setRefusals(refusals + 1)
    }
    const started = ({ id }: Pick<Run, 'id'>) => {
      follow(id)
      onStarted()
    }
    const refused = (error: Error) =>
      toast({ title: 'Could not start the run', description: explainRefusal(error), tone: 'error' })
    if (given !== undefined && keepsVariables(language)) {
      return session.run({ language, code: given.code, part: asked }).then((run) => {
        keepCell(`${run.id} ${path}`)
        started(run)
        setPart({ runId: run.id, path, lastLine: given.lastLine })
      }, refused)
    }
    // once the server has what was typed, it takes all files from there
    const isStored = (await live?.stored()) ?? true
    const code = given?.code ?? (isStored ? '' : (live?.textAt(path)?.text.toString() ?? ''))
    create.mutate(
      { query: { wait: 'false' }, body: { ...asked, language, code, entry: path, workspaceId } },
      { onSuccess: started, onError: refused },
    )
    return undefined
  }
  function tellState(id: string, state: RunState) {
    if (id !== startedId) return
    setLive(!state.ended)
    setMarks(state.marks)
    const { value } = state
    if (!value || part?.runId !== id) return
    const { text, isError, line = part.lastLine } = value
    setResults([{ path: part.path, line, text, isError }])
  }
  const check: OptionCheck = { isOpen: isOptionsOpen, setOpen: setOptionsOpen, refusals }
  const starting = create.isPending || session.isStarting
  /** The file that the run is a cell of. */
  const cellPath = runId !== undefined && cell?.startsWith(`${runId} `) ? cell.slice(runId.length + 1) : undefined
  return { runId, cellPath, show, follow, start, starting, isLive, marks, results, tellState, check }
}

const noMarks: EditorMark[] = []
const noResults: EditorResult[] = []
