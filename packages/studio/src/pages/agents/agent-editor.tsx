import type { DefinitionVerdict } from '@coherex/contract'
import { useMemo, useState, type ReactNode } from 'react'
import { useAgentValidate } from '../../data/agent.ts'
import { CodeEditor, type EditorMark } from '../../editor/code-editor.tsx'
import { EditorPage } from '../../editor/editor-page.tsx'
import { useDraft } from '../../ui/draft.ts'
import type { PanelTab } from '../../ui/panel-tabs.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { DefinitionCheck } from './definition-check.tsx'
import { useDraftKey } from './draft-key.ts'
import { ToolTicks } from './tool-ticks.tsx'

export interface EditorState {
  source: string
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
  /** The version that `initial` is; 0 when it is not stored. */
  version?: number
  canEdit: boolean
  actions: (state: EditorState) => ReactNode
  /** Above the text. */
  notice?: (state: EditorState) => ReactNode
  /** Beside the checks and the tools. */
  moreTabs?: readonly PanelTab[]
  firstTab?: string
}

const path = 'agent.yaml'
const settleMs = 300

/** A definition as text, checked while it is typed, with its tools to tick. */
export function AgentEditor({ moreTabs = [], firstTab = 'check', version = 0, ...props }: AgentEditorProps) {
  const { draftName, title, initial, canEdit, actions, notice } = props
  const draft = useDraft<{ source?: string; base?: number }>(useDraftKey(draftName), {})
  const { source = initial, base = version } = draft.value
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
    isChanged: source !== initial,
    isValid: isCurrent && verdict.data?.valid === true,
    base,
    forget: () => draft.forget({}),
    saved: (stored: number) => draft.forgetSent({ source }, { base: stored }),
    rebase: () => draft.change({ base: version }),
  }
  const problems = verdict.data?.problems.length ?? 0
  const tabs: PanelTab[] = [
    {
      value: 'check',
      label: 'Check',
      count: problems,
      content: (
        <DefinitionCheck
          verdict={verdict.data}
          error={verdict.error}
          isChecking={!isCurrent}
          onShow={(line, column) => setReveal({ path, line, column })}
        />
      ),
    },
    { value: 'tools', label: 'Tools', content: <ToolTicks source={source} canEdit={canEdit} onChange={change} /> },
    ...moreTabs,
  ]
  return (
    <EditorPage
      noun="agent"
      back={{ to: '/agents', label: 'All agents' }}
      title={title}
      actions={actions(state)}
      about="About the definition"
      tabs={tabs}
      firstTab={firstTab}
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
    </EditorPage>
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
