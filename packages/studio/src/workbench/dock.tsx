import { Tabs as Base } from '@base-ui/react/tabs'
import type { LucideIcon } from 'lucide-react'
import { X } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'
import { IconButton } from '../ui/icon-button.tsx'
import type { DockSide } from './use-workbench.ts'

export interface DockPanel {
  value: string
  label: string
  icon: LucideIcon
  /** How many things are in it. */
  count?: number | undefined
  content: ReactNode
  /** Right of the tabs while it is in sight. */
  actions?: ReactNode
}

export interface DockProps {
  side: DockSide
  panels: readonly DockPanel[]
  value: string
  /** It is in sight. */
  isOpen: boolean
  shortcut: string
  onChange: (panel: string) => void
  onHide?: (() => void) | undefined
}

const hidesName: Record<DockSide, string> = {
  left: 'sr-only',
  right: '@max-[560px]:sr-only',
  bottom: '@max-[720px]:sr-only',
}

/** Panels behind tabs. A panel is made when it is first seen, and goes on while another is looked at or the dock is shut. */
export function Dock({ side, panels, value, isOpen, shortcut, onChange, onHide }: DockProps) {
  const current = panels.find((panel) => panel.value === value) ?? panels[0]
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  if (isOpen && current && !seen.has(current.value)) setSeen(new Set([...seen, current.value]))
  if (!current) return null
  return (
    <Base.Root value={current.value} onValueChange={onChange} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="@container flex h-9 shrink-0 items-stretch gap-1 border-b border-line bg-canvas px-1.5">
        <Base.List aria-label={`Panels of the ${side} dock`} className="flex min-w-0 flex-1 overflow-x-auto">
          {panels.map(({ value: panel, label, icon: Icon, count }) => (
            <Base.Tab
              key={panel}
              value={panel}
              title={label}
              className="group -mb-px flex items-center gap-1.5 border-b-2 border-transparent px-2 text-dense font-medium whitespace-nowrap text-muted transition-colors hover:text-text focus-visible:-outline-offset-2 data-active:border-accent-text data-active:text-text"
            >
              <Icon aria-hidden className="size-4 shrink-0" />
              {/* a narrow dock has room for one name only */}
              <span className={classNames(panel !== current.value && hidesName[side])}>{label}</span>
              {count ? (
                <span className="rounded-full bg-grey-soft px-1.5 text-[11px] leading-4 text-muted tabular">
                  {count}
                </span>
              ) : null}
            </Base.Tab>
          ))}
        </Base.List>
        <div className="flex shrink-0 items-center gap-0.5">
          <Suspense>{current.actions}</Suspense>
          {onHide && (
            <IconButton
              label={`Close the ${side} dock`}
              shortcut={shortcut}
              size="small"
              icon={<X aria-hidden />}
              className="w-7!"
              onClick={onHide}
            />
          )}
        </div>
      </div>
      {panels.map(({ value: panel, content }) => (
        <Base.Panel
          key={panel}
          value={panel}
          keepMounted
          // what scrolls is reached by keys, also where nothing in it is
          tabIndex={0}
          className="flex min-h-0 flex-1 flex-col overflow-y-auto focus-visible:-outline-offset-2"
        >
          <Suspense>{seen.has(panel) && content}</Suspense>
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
