import { PanelBottom, PanelLeft, PanelRight, type LucideIcon } from 'lucide-react'
import type { ComponentType, CSSProperties, ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'
import { Segmented } from '../ui/field/segmented.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useIsRoomy } from '../ui/state/is-roomy.ts'
import { DockSeparator } from './dock-separator.tsx'
import type { DockPanel, DockProps } from './dock.tsx'
import { dockKeys, useDockKeys } from './use-dock-keys.ts'
import { dockSides, type Bench, type DockSide, type Region } from './use-workbench.ts'

interface WorkbenchProps {
  bench: Bench
  /** Panels behind tabs; a page whose docks are mostly shut gives one that is loaded later. */
  Dock: ComponentType<DockProps>
  /** The name of what is worked on and what can be done with it as a whole. */
  header: ReactNode
  left?: readonly DockPanel[]
  bottom?: readonly DockPanel[]
  right?: readonly DockPanel[]
  /** What the centre is called where regions are switched, such as "Editor". */
  centreLabel: string
  status?: ReactNode
  children: ReactNode
}

const icons: Record<DockSide, LucideIcon> = { left: PanelLeft, bottom: PanelBottom, right: PanelRight }

/** A page to work on one thing: docks around a centre, and a line of facts below. With little room one region at a time. */
export function Workbench(props: WorkbenchProps) {
  const { bench, Dock, header, left = [], bottom = [], right = [], centreLabel, status, children } = props
  const roomy = useIsRoomy()
  const panels: Record<DockSide, readonly DockPanel[]> = { left, bottom, right }
  const sides = dockSides.filter((side) => panels[side].length > 0)
  const isShown = (region: Region) =>
    roomy ? region === 'centre' || bench.docks[region].isOpen : bench.region === region
  const toggle = (side: DockSide) => {
    if (panels[side].length === 0) return
    if (roomy) bench.toggle(side)
    else bench.goTo(bench.region === side ? 'centre' : side)
  }
  useDockKeys(toggle)

  const dock = (side: DockSide) => {
    if (panels[side].length === 0) return null
    const { sizePx, panel } = bench.docks[side]
    const shown = isShown(side)
    const style: CSSProperties = roomy ? { flexBasis: sizePx, flexGrow: 0 } : { flexGrow: 1 }
    const separator = roomy && shown && (
      <DockSeparator side={side} sizePx={sizePx} onResize={(next) => bench.resize(side, next)} />
    )
    return (
      <>
        {side !== 'left' && separator}
        <section
          data-dock={side}
          aria-label={dockNames[side]}
          hidden={!shown}
          style={style}
          className={classNames(
            'flex min-h-0 min-w-0 flex-col',
            side === 'left' ? 'bg-canvas' : 'bg-surface',
            roomy && (side === 'left' ? 'shrink-[2]' : 'shrink'),
          )}
        >
          <Dock
            side={side}
            panels={panels[side]}
            value={panel}
            isOpen={shown}
            shortcut={dockKeys[side]}
            onChange={(next) => bench.show(side, next)}
            onHide={roomy && side !== 'left' ? () => bench.hide(side) : undefined}
          />
        </section>
        {side === 'left' && separator}
      </>
    )
  }
  const hasMiddle = isShown('centre') || isShown('bottom')
  const regions: Region[] = [
    ...sides.filter((side) => side === 'left'),
    'centre',
    ...sides.filter((side) => side !== 'left'),
  ]
  return (
    <div className="flex h-window min-h-0 flex-col">
      <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-4 max-lg:px-2">
        {header}
        <div className="ml-auto flex shrink-0 items-center max-lg:hidden">
          {sides.map((side) => {
            const Icon = icons[side]
            const { isOpen } = bench.docks[side]
            return (
              <IconButton
                key={side}
                label={`${isOpen ? 'Close' : 'Open'} the ${side} dock`}
                shortcut={dockKeys[side]}
                aria-pressed={isOpen}
                icon={<Icon aria-hidden />}
                className={isOpen ? 'text-text!' : ''}
                onClick={() => toggle(side)}
              />
            )
          })}
        </div>
      </header>
      {!roomy && (
        <div className="flex shrink-0 overflow-x-auto border-b border-line px-2 py-1.5">
          <Segmented
            label="Part of the page"
            value={bench.region}
            choices={regions.map((region) => ({
              value: region,
              label: region === 'centre' ? centreLabel : nameOf(panels[region], bench.docks[region].panel),
            }))}
            onChange={bench.goTo}
          />
        </div>
      )}
      <div className="flex min-h-0 flex-1">
        {dock('left')}
        <div hidden={!hasMiddle} className="flex min-h-0 min-w-0 flex-1 flex-col lg:min-w-80">
          <div hidden={!isShown('centre')} className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface lg:min-h-24">
            {children}
          </div>
          {dock('bottom')}
        </div>
        {dock('right')}
      </div>
      {status && (
        <footer
          aria-label="Status"
          className="flex h-6 shrink-0 items-center gap-4 overflow-hidden border-t border-line bg-canvas px-4 text-small whitespace-nowrap text-muted tabular max-lg:px-2"
        >
          {status}
        </footer>
      )}
    </div>
  )
}

const dockNames: Record<DockSide, string> = { left: 'Left dock', bottom: 'Bottom dock', right: 'Right dock' }

function nameOf(panels: readonly DockPanel[], value: string): string {
  return (panels.find((panel) => panel.value === value) ?? panels[0])?.label ?? ''
}
