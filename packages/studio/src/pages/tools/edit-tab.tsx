import type { ToolVerdict } from '@coherex/contract'
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { CodeEditor, type EditorMark } from '../../editor/code-editor.tsx'
import { TextAndForm } from '../definitions/definition-bench.tsx'
import { FolderCheck } from '../definitions/folder-check.tsx'
import { toolPath, type ToolDraft } from './use-tool-draft.ts'

// the part that understands YAML
const ToolForm = lazy(async () => ({ default: (await import('./tool-form.tsx')).ToolForm }))

interface EditTabProps {
  name: string
  draft: ToolDraft
  /** The file in sight. */
  active: string
  onOpen: (path: string) => void
  canEdit: boolean
  /** Above the text. */
  notice: ReactNode
}

/** The files of a tool, and its tool.yaml as a form. */
export function EditTab({ name, draft, active, onOpen, canEdit, notice }: EditTabProps) {
  const { files, verdict, isChecking } = draft
  const [reveal, setReveal] = useState<{ path: string; line: number; column: number }>()
  const texts = useMemo(
    () =>
      Object.fromEntries(Object.entries(files).filter((file): file is [string, string] => typeof file[1] === 'string')),
    [files],
  )
  const marks = useMemo(() => marksOf(isChecking ? undefined : verdict), [isChecking, verdict])
  return (
    <TextAndForm
      noun="tool"
      form={
        <>
          <FolderCheck
            noun="tool"
            verdict={verdict}
            error={draft.checkError}
            isChecking={isChecking}
            onShow={({ file, line = 1, column = 1 }) => {
              if (!(file in texts)) return
              onOpen(file)
              setReveal({ path: file, line, column })
            }}
          />
          <Suspense>
            <ToolForm source={draft.source} canEdit={canEdit} onChange={draft.changeSource} />
          </Suspense>
        </>
      }
    >
      {notice}
      {active in texts ? (
        <CodeEditor
          label={`Text of ${active}`}
          folder={`tools/${name}`}
          files={texts}
          active={active}
          onChange={canEdit ? (path, text) => draft.change({ ...files, [path]: text }) : undefined}
          marks={marks}
          reveal={reveal}
        />
      ) : (
        <p className="flex-1 p-5 text-dense text-muted">{active} is not a text file. It is kept as it is.</p>
      )}
    </TextAndForm>
  )
}

function marksOf(verdict: ToolVerdict | undefined): EditorMark[] {
  return (
    verdict?.problems.map(({ file, line = 1, column, path, message }) => ({
      path: file || toolPath,
      line,
      column,
      message: [path, message].filter(Boolean).join(' '),
    })) ?? []
  )
}
