import { useEffect, useMemo, useState } from 'react'
import { readOwn, writeOwn } from '../ui/state/stored.ts'

export const dockSides = ['left', 'bottom', 'right'] as const
export type DockSide = (typeof dockSides)[number]
export type Region = DockSide | 'centre'

interface DockState {
  isOpen: boolean
  /** The panel in sight, or in sight once it opens. */
  panel: string
  sizePx: number
}

type Docks = Record<DockSide, DockState>

export interface Bench {
  docks: Docks
  /** The one region in sight where there is no room for more. */
  region: Region
  /** Opens a dock, at this panel or the last one. */
  show: (side: DockSide, panel?: string) => void
  hide: (side: DockSide) => void
  toggle: (side: DockSide) => void
  resize: (side: DockSide, sizePx: number) => void
  goTo: (region: Region) => void
}

/** How small and how large a dock may be; the centre takes back what it needs. */
export const dockLimits: Record<DockSide, { least: number; most: number; first: number }> = {
  left: { least: 180, most: 520, first: 264 },
  bottom: { least: 96, most: 720, first: 280 },
  right: { least: 280, most: 800, first: 400 },
}

interface FirstTime {
  /** Panels that docks show before anyone chose; those of `open` are open. */
  panels: Partial<Record<DockSide, string>>
  open?: readonly DockSide[]
  region?: Region
}

/** What is open on a workbench and how large, remembered for each kind of page. */
export function useWorkbench(kind: string, { panels, open = ['left'], region: first = 'centre' }: FirstTime): Bench {
  const key = `workbench.${kind}`
  const [docks, setDocks] = useState<Docks>(() => {
    const stored = parseDocks(readOwn(key))
    const dock = (side: DockSide): DockState => ({
      isOpen: stored[side]?.isOpen ?? open.includes(side),
      panel: stored[side]?.panel ?? panels[side] ?? '',
      sizePx: clampSize(side, stored[side]?.sizePx ?? dockLimits[side].first),
    })
    return { left: dock('left'), bottom: dock('bottom'), right: dock('right') }
  })
  const [region, setRegion] = useState(first)
  useEffect(() => writeOwn(key, JSON.stringify(docks)), [key, docks])

  const acts = useMemo(() => {
    const change = (side: DockSide, part: (dock: DockState) => Partial<DockState>) =>
      setDocks((before) => ({ ...before, [side]: { ...before[side], ...part(before[side]) } }))
    return {
      show(side: DockSide, panel?: string) {
        change(side, () => ({ isOpen: true, ...(panel === undefined ? {} : { panel }) }))
        setRegion(side)
      },
      hide(side: DockSide) {
        change(side, () => ({ isOpen: false }))
        setRegion((now) => (now === side ? 'centre' : now))
      },
      toggle: (side: DockSide) => change(side, ({ isOpen }) => ({ isOpen: !isOpen })),
      resize: (side: DockSide, sizePx: number) => change(side, () => ({ sizePx: clampSize(side, sizePx) })),
      goTo: setRegion,
    }
  }, [])
  return { docks, region, ...acts }
}

function clampSize(side: DockSide, sizePx: number): number {
  const { least, most } = dockLimits[side]
  return Math.round(Math.min(most, Math.max(least, sizePx)))
}

function parseDocks(stored: string | undefined): Partial<Record<DockSide, Partial<DockState>>> {
  try {
    const docks = JSON.parse(stored ?? '{}') as Record<string, Record<string, unknown> | undefined>
    return Object.fromEntries(
      dockSides.map((side) => {
        const { isOpen, panel, sizePx } = docks[side] ?? {}
        return [
          side,
          {
            ...(typeof isOpen === 'boolean' ? { isOpen } : {}),
            ...(typeof panel === 'string' ? { panel } : {}),
            ...(typeof sizePx === 'number' ? { sizePx } : {}),
          },
        ]
      }),
    )
  } catch {
    // what another version stored only costs the memory of a choice
    return {}
  }
}
