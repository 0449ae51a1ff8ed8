import type { SkillFiles, SkillVerdict } from '@coherex/contract'
import { useMemo, useState, type ReactNode } from 'react'
import { useSkillValidate } from '../../data/skill.ts'
import { CodeEditor, type EditorMark } from '../../editor/code-editor.tsx'
import { EditorPage } from '../../editor/editor-page.tsx'
import { useDraft } from '../../ui/draft.ts'
import type { PanelTab } from '../../ui/panel-tabs.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { SkillCheck } from './skill-check.tsx'
import { SkillFileList } from './skill-files.tsx'

export interface EditorState {
  files: SkillFiles
  /** As its front matter says; undefined while it is not valid. */
  name: string | undefined
  isChanged: boolean
  forget: () => void
  /** These files are stored now; what was typed since then stays. */
  saved: () => void
}

interface SkillEditorProps {
  draftName: string
  /** The name the skill must keep. */
  folder?: string | undefined
  title: ReactNode
  initial: SkillFiles
  canEdit: boolean
  actions: (state: EditorState) => ReactNode
  moreTabs?: readonly PanelTab[]
  firstTab?: string
}

const instructions = 'SKILL.md'
const settleMs = 300

/** The files of a skill, checked while they are typed. */
export function SkillEditor(props: SkillEditorProps) {
  const { draftName, folder, title, initial, canEdit, actions, moreTabs = [], firstTab = 'check' } = props
  const draft = useDraft<{ files?: SkillFiles }>(`skill.${draftName}`, {})
  const files = draft.value.files ?? initial
  const json = useMemo(() => JSON.stringify(files), [files])
  const verdict = useSkillValidate(useSettled(json, settleMs), folder)
  const [active, setActive] = useState(instructions)
  const [reveal, setReveal] = useState<{ path: string; line: number; column: number }>()
  const isCurrent = verdict.data?.json === json
  const marks = useMemo(() => marksOf(isCurrent ? verdict.data : undefined), [isCurrent, verdict.data])
  const texts = useMemo(() => textsOf(files), [files])
  const change = (next: SkillFiles) => draft.change({ files: next })
  const shown = active in files ? active : instructions
  const problems = verdict.data?.problems.length ?? 0
  const tabs: PanelTab[] = [
    {
      value: 'check',
      label: 'Check',
      count: problems,
      content: (
        <SkillCheck
          verdict={verdict.data}
          error={verdict.error}
          isChecking={!isCurrent}
          onShow={({ file, line = 1, column = 1 }) => {
            if (!(file in texts)) return
            setActive(file)
            setReveal({ path: file, line, column })
          }}
        />
      ),
    },
    ...moreTabs,
  ]
  return (
    <EditorPage
      noun="skill"
      back={{ to: '/skills', label: 'All skills' }}
      title={title}
      actions={actions({
        files,
        name: isCurrent && verdict.data?.valid ? verdict.data.frontMatter?.name : undefined,
        isChanged: files !== initial && json !== JSON.stringify(initial),
        forget: () => draft.forget({}),
        saved: () => draft.forgetSent({ files }),
      })}
      about="About the skill"
      tabs={tabs}
      firstTab={firstTab}
    >
      <div className="flex min-h-0 flex-1 max-md:flex-col">
        <SkillFileList files={files} active={shown} canEdit={canEdit} onOpen={setActive} onChange={change} />
        {shown in texts ? (
          <CodeEditor
            label={`Text of ${shown}`}
            folder={`skills/${draftName}`}
            files={texts}
            active={shown}
            onChange={canEdit ? (path, text) => change({ ...files, [path]: text }) : undefined}
            marks={marks}
            reveal={reveal}
          />
        ) : (
          <p className="flex-1 p-5 text-dense text-muted">{shown} is no text: it is kept as it is.</p>
        )}
      </div>
    </EditorPage>
  )
}

function textsOf(files: SkillFiles): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).flatMap(([path, file]) => (typeof file === 'string' ? [[path, file]] : [])),
  )
}

function marksOf(verdict: SkillVerdict | undefined): EditorMark[] {
  return (
    verdict?.problems.map(({ file, line = 1, column, path, message }) => ({
      path: file || instructions,
      line,
      column,
      message: [path, message].filter(Boolean).join(' '),
    })) ?? []
  )
}
