import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

export interface PanelTab {
  value: string
  label: string
  /** How many things are in it. */
  count?: number | undefined
  content: ReactNode
  /** It is kept while another one is looked at. */
  stays?: boolean
}

interface PanelTabsProps {
  label: string
  tabs: readonly PanelTab[]
  value: string
  onChange: (value: string) => void
  /** Right of the tabs. */
  actions?: ReactNode
}

/** Tabs that fill a panel: the content has all the height that is left. */
export function PanelTabs({ label, tabs, value, onChange, actions }: PanelTabsProps) {
  const current = tabs.some((tab) => tab.value === value) ? value : (tabs[0]?.value ?? '')
  return (
    <Base.Root value={current} onValueChange={onChange} className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-10 shrink-0 items-stretch justify-between gap-2 border-b border-line pr-2 pl-2">
        <Base.List aria-label={label} className="flex min-w-0 overflow-x-auto">
          {tabs.map((tab) => (
            <Base.Tab
              key={tab.value}
              value={tab.value}
              className="-mb-px flex items-center gap-1.5 border-b-2 border-transparent px-2.5 max-md:px-1.5 text-dense font-medium whitespace-nowrap text-muted transition-colors hover:text-text focus-visible:-outline-offset-2 data-active:border-accent-text data-active:text-text"
            >
              {tab.label}
              {tab.count ? (
                <span className="rounded-full bg-grey-soft px-1.5 text-[11px] leading-4 text-muted tabular">
                  {tab.count}
                </span>
              ) : null}
            </Base.Tab>
          ))}
        </Base.List>
        <div className="flex items-center gap-1">{actions}</div>
      </div>
      {tabs.map((tab) => (
        <Base.Panel
          key={tab.value}
          value={tab.value}
          keepMounted={tab.stays ?? false}
          // what scrolls is reached by keys, also where nothing in it is
          tabIndex={0}
          className="flex min-h-0 flex-1 flex-col overflow-y-auto focus-visible:-outline-offset-2"
        >
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
