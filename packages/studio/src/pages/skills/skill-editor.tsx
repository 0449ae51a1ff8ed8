import type { SkillFiles, SkillVerdict } from '@coherex/contract'
import { Files } from 'lucide-react'
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { useSkillValidate } from '../../data/library/skill.ts'
import { CodeEditor, type EditorMark } from '../../editor/code-editor.tsx'
import type { PanelTab } from '../../ui/panel-tabs.tsx'
import { useDraft } from '../../ui/state/draft.ts'
import { useSettled } from '../../ui/state/use-settled.ts'
import { useWorkbench } from '../../workbench/use-workbench.ts'
import { DefinitionBench, TextAndForm } from '../definitions/definition-bench.tsx'
import { DefinitionStatus } from '../definitions/definition-status.tsx'
import { useDraftKey } from '../definitions/draft-key.ts'
import { FolderCheck } from '../definitions/folder-check.tsx'
import { AddFolderFile, FolderFileList } from '../definitions/folder-files.tsx'

// the part that understands YAML
const SkillForm = lazy(async () => ({ default: (await import('./skill-form.tsx')).SkillForm }))

export interface EditorState {
  files: SkillFiles
  /** As its front matter says; undefined while it is not valid. */
  name: string | undefined
  isChanged: boolean
  /** The version that was changed; an older one than the stored when someone else saved meanwhile. */
  base: number
  forget: () => void
  /** These files are stored now as that version; what was typed since then stays. */
  saved: (version: number) => void
  /** Keeps what was typed, as a change of the stored version. */
  rebase: () => void
}

interface SkillEditorProps {
  draftName: string
  /** The name the skill must keep. */
  folder?: string | undefined
  title: ReactNode
  initial: SkillFiles
  /** The newest version when `initial` was read; none when it is not stored. */
  version?: number
  canEdit: boolean
  actions: (state: EditorState) => ReactNode
  /** Above the text. */
  notice?: (state: EditorState) => ReactNode
  moreTabs?: readonly PanelTab[]
  firstTab?: string
  trial?: ((state: EditorState) => ReactNode) | undefined
}

const instructions = 'SKILL.md'
const settleMs = 300

/** The files of a skill, and its SKILL.md as a form, checked while they are typed. */
export function SkillEditor({ moreTabs = [], firstTab = 'edit', version, ...props }: SkillEditorProps) {
  const { draftName, folder, title, initial, canEdit, actions, notice, trial } = props
  const bench = useWorkbench('skill', { panels: { left: 'files', right: 'try' }, open: ['left'] })
  const [tab, setTab] = useState(firstTab)
  const draft = useDraft<{ files?: SkillFiles; base?: number }>(useDraftKey('skill', draftName), {})
  const { files = initial, base = version ?? 0 } = draft.value
  const json = useMemo(() => JSON.stringify(files), [files])
  const verdict = useSkillValidate(useSettled(json, settleMs), folder)
  const [active, setActive] = useState(instructions)
  const [reveal, setReveal] = useState<{ path: string; line: number; column: number }>()
  const isCurrent = verdict.data?.json === json
  const marks = useMemo(() => marksOf(isCurrent ? verdict.data : undefined), [isCurrent, verdict.data])
  const texts = useMemo(() => textsOf(files), [files])
  const change = (next: SkillFiles) => draft.change({ files: next, base })
  const shown = active in files ? active : instructions
  const problems = verdict.data?.problems.length ?? 0
  const state: EditorState = {
    files,
    name: isCurrent && verdict.data?.valid ? verdict.data.frontMatter?.name : undefined,
    isChanged: files !== initial && json !== JSON.stringify(initial),
    base,
    forget: () => draft.forget({}),
    saved: (stored) => draft.forgetSent({ files }, { base: stored }),
    rebase: () => draft.change({ base: version ?? 0 }),
  }
  function open(path: string) {
    setActive(path)
    setTab('edit')
    bench.goTo('centre')
  }
  const tabs: PanelTab[] = [
    {
      value: 'edit',
      label: 'Edit',
      count: problems,
      stays: true,
      content: (
        <TextAndForm
          noun="skill"
          form={
            <>
              <FolderCheck
                noun="skill"
                verdict={verdict.data}
                error={verdict.error}
                isChecking={!isCurrent}
                onShow={({ file, line = 1, column = 1 }) => {
                  if (!(file in texts)) return
                  setActive(file)
                  setReveal({ path: file, line, column })
                }}
              />
              <Suspense>
                <SkillForm
                  text={texts[instructions] ?? ''}
                  canEdit={canEdit}
                  keepsName={folder !== undefined}
                  onChange={(text) => change({ ...files, [instructions]: text })}
                />
              </Suspense>
            </>
          }
        >
          {notice?.(state)}
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
            <p className="flex-1 p-5 text-dense text-muted">{shown} is not a text file. It is kept as it is.</p>
          )}
        </TextAndForm>
      ),
    },
    ...moreTabs,
  ]
  return (
    <DefinitionBench
      bench={bench}
      noun="skill"
      title={title}
      actions={actions(state)}
      onDiscard={state.isChanged && version !== undefined ? state.forget : undefined}
      tabs={tabs}
      tab={tab}
      onTab={setTab}
      left={[
        {
          value: 'files',
          label: 'Files',
          icon: Files,
          actions: canEdit && (
            <AddFolderFile
              hint="Scripts usually are in scripts, texts to read on demand in references."
              files={files}
              onOpen={open}
              onChange={change}
            />
          ),
          content: (
            <FolderFileList
              noun="skill"
              first={instructions}
              files={files}
              active={shown}
              canEdit={canEdit}
              onOpen={open}
              onChange={change}
            />
          ),
        },
      ]}
      trial={trial?.(state)}
      status={
        <DefinitionStatus
          problems={isCurrent ? problems : undefined}
          isChanged={state.isChanged}
          version={version}
          path={shown}
        />
      }
    />
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
