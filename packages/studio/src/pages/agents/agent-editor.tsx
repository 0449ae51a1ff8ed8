import type { DefinitionVerdict } from '@coherex/contract'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { useAgentValidate } from '../../data/agent/agent-validate.ts'
import { CodeEditor, type EditorMark } from '../../editor/code-editor.tsx'
import { useDraft } from '../../shell/draft.ts'
import { useIsRoomy } from '../../ui/is-roomy.ts'
import { PanelTabs, type PanelTab } from '../../ui/panel-tabs.tsx'
import { SplitPane } from '../../ui/split-pane.tsx'
import { DefinitionCheck } from './definition-check.tsx'
import { ToolTicks } from './tool-ticks.tsx'
import { useSettled } from './use-settled.ts'

interface EditorState {
  source: string
  /** Something differs from what is stored. */
  isChanged: boolean
  isValid: boolean
  /** Drops what was typed for what is stored. */
  forget: () => void
}

interface AgentEditorProps {
  draftName: string
  title: ReactNode
  initial: string
  canEdit: boolean
  actions: (state: EditorState) => ReactNode
  /** Beside the checks and the tools. */
  moreTabs?: readonly PanelTab[]
}

const path = 'agent.yaml'
const settleMs = 300

/** A definition as text, checked while it is typed, with its tools to tick. */
export function AgentEditor({ draftName, title, initial, canEdit, actions, moreTabs = [] }: AgentEditorProps) {
  const draft = useDraft<{ source?: string }>(`agent.${draftName}`, {})
  const source = draft.value.source ?? initial
  const verdict = useAgentValidate(useSettled(source, settleMs))
  const [tab, setTab] = useState('check')
  const [reveal, setReveal] = useState<{ path: string; line: number; column: number }>()
  const roomy = useIsRoomy()
  const isCurrent = verdict.data?.source === source
  const marks = useMemo(() => marksOf(isCurrent ? verdict.data : undefined), [isCurrent, verdict.data])
  const change = (next: string) => draft.change({ source: next })
  const files = useMemo(() => ({ [path]: source }), [source])
  const state = {
    source,
    isChanged: source !== initial,
    isValid: isCurrent && verdict.data?.valid === true,
    forget: () => draft.forget({}),
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
          isChecking={!isCurrent && source.trim() !== ''}
          onShow={(line, column) => setReveal({ path, line, column })}
        />
      ),
    },
    { value: 'tools', label: 'Tools', content: <ToolTicks source={source} canEdit={canEdit} onChange={change} /> },
    ...moreTabs,
  ]
  return (
    <div className="flex h-dvh min-h-0 flex-col max-md:h-[calc(100dvh-56px-env(safe-area-inset-bottom))]">
      <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2.5">
        <Link to="/agents" aria-label="All agents" className="rounded-md p-1 text-muted hover:bg-hover hover:text-text">
          <ArrowLeft aria-hidden className="size-4" />
        </Link>
        <h1 className="mr-2 flex min-w-0 items-center gap-2 text-lead font-semibold">{title}</h1>
        <span className="flex-1" />
        {actions(state)}
      </header>
      <SplitPane
        name="agent"
        direction={roomy ? 'row' : 'column'}
        secondLabel="About the definition"
        initial={roomy ? 0.38 : 0.5}
        second={<PanelTabs label="About the definition" tabs={tabs} value={tab} onChange={setTab} />}
      >
        <CodeEditor
          label="Definition"
          folder={`agents/${draftName}`}
          files={files}
          active={path}
          onChange={canEdit ? (_path, text) => change(text) : undefined}
          marks={marks}
          reveal={reveal}
        />
      </SplitPane>
    </div>
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
