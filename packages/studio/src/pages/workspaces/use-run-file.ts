import { languageOfFile, type WorkspaceFile } from '@coherex/contract'
import { useState } from 'react'
import { useRunCreate } from '../../data/run/run-create.ts'
import type { EditorMark } from '../../editor/code-editor.tsx'
import { toast } from '../../ui/toast.ts'
import { explainRefusal } from '../runs/explain-refusal.ts'
import type { FileDrafts } from './file/use-file-drafts.ts'

export interface FileRun {
  id: string
  path: string
}

/** Runs a file with all files of its workspace; what is typed and not saved runs as typed. */
export function useRunFile(workspaceId: string, drafts: FileDrafts, onStarted: () => void) {
  const create = useRunCreate()
  const [run, setRun] = useState<FileRun>()
  const [marks, setMarks] = useState<readonly EditorMark[]>(noMarks)

  function start({ path }: Pick<WorkspaceFile, 'path'>) {
    const language = languageOfFile(path)
    if (!language || create.isPending) return
    create.mutate(
      {
        query: { wait: 'false' },
        body: { language, code: drafts.latest(path)?.text ?? '', entry: path, workspaceId },
      },
      {
        onSuccess({ id }) {
          setMarks(noMarks)
          setRun({ id, path })
          onStarted()
        },
        onError: (error) =>
          toast({ title: 'Could not start the run', description: explainRefusal(error), tone: 'error' }),
      },
    )
  }
  return { run, start, starting: create.isPending, marks, setMarks }
}

const noMarks: EditorMark[] = []
