import { Link } from '@tanstack/react-router'
import { ArrowLeft, MessageSquare, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { PanelTabs, type PanelTab } from '../../ui/panel-tabs.tsx'
import { SplitPane } from '../../ui/split-pane.tsx'
import { useIsRoomy } from '../../ui/state/is-roomy.ts'
import { Dock, type DockPanel } from '../../workbench/dock.tsx'
import type { Bench } from '../../workbench/use-workbench.ts'
import { Workbench } from '../../workbench/workbench.tsx'

interface DefinitionBenchProps {
  bench: Bench
  noun: 'agent' | 'skill' | 'tool'
  title: ReactNode
  actions: ReactNode
  /** Drops what was typed; undefined when nothing was. */
  onDiscard?: (() => void) | undefined
  tabs: readonly PanelTab[]
  tab: string
  onTab: (tab: string) => void
  left?: readonly DockPanel[]
  /** Of the button that opens what tries it; a conversation unless said. */
  trialIcon?: LucideIcon
  /** What tries it, such as a conversation; undefined where it cannot be tried. */
  trial?: ReactNode
  status: ReactNode
}

const backs = {
  agent: { to: '/agents', label: 'All agents' },
  skill: { to: '/skills', label: 'All skills' },
  tool: { to: '/tools', label: 'All tools' },
} as const

/** The page of something people define: its tabs in the centre, what tries it on the right. */
export function DefinitionBench(props: DefinitionBenchProps) {
  const {
    bench,
    noun,
    title,
    actions,
    onDiscard,
    tabs,
    tab,
    onTab,
    left = [],
    trial,
    trialIcon: TrialIcon = MessageSquare,
    status,
  } = props
  const back = backs[noun]
  return (
    <Workbench
      bench={bench}
      Dock={Dock}
      centreLabel="Definition"
      left={left}
      right={trial ? [{ value: 'try', label: 'Try', icon: TrialIcon, content: trial }] : []}
      header={
        <>
          <Link
            to={back.to}
            aria-label={back.label}
            className="rounded-md p-1 text-muted hover:bg-hover hover:text-text"
          >
            <ArrowLeft aria-hidden className="size-4" />
          </Link>
          <h1 className="flex min-w-0 flex-1 items-center gap-2 text-body font-semibold">{title}</h1>
          <div className="flex shrink-0 items-center gap-2">
            {trial && (
              <Button className="max-lg:hidden" onClick={() => bench.show('right', 'try')}>
                <TrialIcon aria-hidden /> Try
              </Button>
            )}
            {onDiscard && (
              <Button look="quiet" className="max-sm:hidden" onClick={onDiscard}>
                Discard changes
              </Button>
            )}
            {actions}
          </div>
        </>
      }
      status={
        <>
          {status}
          {onDiscard && (
            <button type="button" className="text-accent-text hover:underline sm:hidden" onClick={onDiscard}>
              Discard changes
            </button>
          )}
        </>
      }
    >
      <PanelTabs label={`About the ${noun}`} tabs={tabs} value={tab} onChange={onTab} />
    </Workbench>
  )
}

/** Text and form of a definition, side by side; below each other with little room. */
export function TextAndForm({ noun, form, children }: { noun: string; form: ReactNode; children: ReactNode }) {
  const roomy = useIsRoomy()
  return (
    <SplitPane
      name={noun}
      direction={roomy ? 'row' : 'column'}
      secondLabel={`Form of the ${noun}`}
      initial={roomy ? 0.42 : 0.5}
      second={<div className="min-h-0 flex-1 overflow-y-auto">{form}</div>}
    >
      {children}
    </SplitPane>
  )
}
