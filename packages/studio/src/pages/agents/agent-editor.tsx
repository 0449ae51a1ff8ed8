import type { DefinitionVerdict } from '@coherex/contract'
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { useAgentValidate } from '../../data/library/agent.ts'
import { CodeEditor, type EditorMark } from '../../editor/code-editor.tsx'
import type { PanelTab } from '../../ui/panel-tabs.tsx'
import { useDraft } from '../../ui/state/draft.ts'
import { useSettled } from '../../ui/state/use-settled.ts'
import { useWorkbench } from '../../workbench/use-workbench.ts'
import { DefinitionBench, TextAndForm } from '../definitions/definition-bench.tsx'
import { DefinitionStatus } from '../definitions/definition-status.tsx'
import { useDraftKey } from '../definitions/draft-key.ts'
import { DefinitionCheck } from './definition-check.tsx'

// the part that understands YAML
const DefinitionForm = lazy(async () => ({ default: (await import('./definition-form.tsx')).DefinitionForm }))

export interface EditorState {
  source: string
  /** Takes this for the text. */
  change: (source: string) => void
  /** Something differs from what is stored. */
  isChanged: boolean
  isValid: boolean
  /** The version that was changed; an older one than the stored when someone else saved meanwhile. */
  base: number
  /** Drops what was typed for what is stored. */
  forget: () => void
  /** This is stored now as that version; what was typed since then stays. */
  saved: (version: number) => void
  /** Keeps what was typed, as a change of the stored version. */
  rebase: () => void
}

interface AgentEditorProps {
  draftName: string
  title: ReactNode
  initial: string
  /** The version that `initial` is, 0 for one that came with Coherex; none when it is not stored. */
  version?: number
  canEdit: boolean
  actions: (state: EditorState) => ReactNode
  /** Above the text. */
  notice?: (state: EditorState) => ReactNode
  /** Beside the one that edits. */
  moreTabs?: (state: EditorState) => readonly PanelTab[]
  firstTab?: string
  /** A conversation that tries it. */
  trial?: ((state: EditorState) => ReactNode) | undefined
  /** What it was used for. */
  facts?: string | undefined
}

const path = 'agent.yaml'
const settleMs = 300

/** A definition as text and as a form, side by side, checked while it is typed. */
export function AgentEditor({ moreTabs, firstTab = 'edit', version, ...props }: AgentEditorProps) {
  const { draftName, title, initial, canEdit, actions, notice, trial, facts } = props
  const bench = useWorkbench('agent', { panels: { right: 'try' }, open: [] })
  const [tab, setTab] = useState(firstTab)
  const draft = useDraft<{ source?: string; base?: number }>(useDraftKey('agent', draftName), {})
  const { source = initial, base = version ?? 0 } = draft.value
  const verdict = useAgentValidate(useSettled(source, settleMs))
  const [reveal, setReveal] = useState<{ path: string; line: number; column: number }>()
  const isCurrent = verdict.data?.source === source
  const marks = useMemo(() => marksOf(isCurrent ? verdict.data : undefined), [isCurrent, verdict.data])
  const change = (next: string) => {
    if (next === initial) draft.forget({})
    else draft.change({ source: next, base })
  }
  const files = useMemo(() => ({ [path]: source }), [source])
  const state = {
    source,
    change,
    isChanged: source !== initial,
    isValid: isCurrent && verdict.data?.valid === true,
    base,
    forget: () => draft.forget({}),
    saved: (stored: number) => draft.forgetSent({ source }, { base: stored }),
    rebase: () => draft.change({ base: version ?? 0 }),
  }
  const problems = verdict.data?.problems.length ?? 0
  const tabs: PanelTab[] = [
    {
      value: 'edit',
      label: 'Edit',
      count: problems,
      stays: true,
      content: (
        <TextAndForm
          noun="agent"
          form={
            <>
              <DefinitionCheck
                verdict={verdict.data}
                error={verdict.error}
                isChecking={!isCurrent}
                onShow={(line, column) => setReveal({ path, line, column })}
              />
              <Suspense>
                <DefinitionForm source={source} canEdit={canEdit} onChange={change} />
              </Suspense>
            </>
          }
        >
          {notice?.(state)}
          <CodeEditor
            label="Definition"
            folder={`agents/${draftName}`}
            files={files}
            active={path}
            onChange={canEdit ? (_path, text) => change(text) : undefined}
            marks={marks}
            reveal={reveal}
          />
        </TextAndForm>
      ),
    },
    ...(moreTabs?.(state) ?? []),
  ]
  return (
    <DefinitionBench
      bench={bench}
      noun="agent"
      title={title}
      actions={actions(state)}
      onDiscard={state.isChanged && version !== undefined ? state.forget : undefined}
      tabs={tabs}
      tab={tab}
      onTab={setTab}
      trial={trial?.(state)}
      status={
        <DefinitionStatus
          problems={isCurrent ? problems : undefined}
          isChanged={state.isChanged}
          version={version}
          facts={facts}
        />
      }
    />
  )
}

function marksOf(verdict: DefinitionVerdict | undefined): EditorMark[] {
  return (
    verdict?.problems.map(({ line = 1, column, path: field, message }) => ({
      path,
      line,
      column,
      message: [field, message].filter(Boolean).join(' '),
    })) ?? []
  )
}
