import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useIsRoomy } from '../ui/is-roomy.ts'
import { PanelTabs, type PanelTab } from '../ui/panel-tabs.tsx'
import { SplitPane } from '../ui/split-pane.tsx'

interface EditorPageProps {
  /** What is edited: how the room is shared is remembered under it. */
  noun: string
  back: { to: '/agents' | '/skills'; label: string }
  title: ReactNode
  actions: ReactNode
  /** What the panel beside the editor is about. */
  about: string
  tabs: readonly PanelTab[]
  firstTab: string
  /** The editor. */
  children: ReactNode
}

/** A page that edits text, with what there is to know about the text beside it. */
export function EditorPage({ noun, back, title, actions, about, tabs, firstTab, children }: EditorPageProps) {
  const [tab, setTab] = useState(firstTab)
  const roomy = useIsRoomy()
  return (
    <div className="flex h-window min-h-0 flex-col">
      <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2.5">
        <Link to={back.to} aria-label={back.label} className="rounded-md p-1 text-muted hover:bg-hover hover:text-text">
          <ArrowLeft aria-hidden className="size-4" />
        </Link>
        <h1 className="mr-2 flex min-w-0 items-center gap-2 text-lead font-semibold">{title}</h1>
        <span className="flex-1" />
        {actions}
      </header>
      <SplitPane
        name={noun}
        direction={roomy ? 'row' : 'column'}
        secondLabel={about}
        initial={roomy ? 0.38 : 0.5}
        second={<PanelTabs label={about} tabs={tabs} value={tab} onChange={setTab} />}
      >
        {children}
      </SplitPane>
    </div>
  )
}
