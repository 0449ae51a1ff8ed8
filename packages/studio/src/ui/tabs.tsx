import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

interface TabsProps {
  tabs: readonly { value: string; label: string; content: ReactNode }[]
  label: string
}

export function Tabs({ tabs, label }: TabsProps) {
  return (
    <Base.Root defaultValue={tabs[0]?.value}>
      <Base.List aria-label={label} className="relative flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px h-9 shrink-0 border-b-2 border-transparent px-2.5 text-dense font-medium whitespace-nowrap text-muted transition-colors hover:text-text focus-visible:-outline-offset-2 data-active:border-accent-text data-active:text-text"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="pt-4">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
