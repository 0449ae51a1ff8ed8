import { createContext, use, type ReactNode } from 'react'

/** A part of a page that can be looked at beside it: a block, a file, a change. */
export interface BesideItem {
  /** Tells it from others, also when it is drawn again. */
  key: string
  title: string
  content: ReactNode
}

export interface Beside {
  /** The item in sight. */
  openKey: string | undefined
  open: (item: BesideItem) => void
  close: () => void
}

/** Undefined where a page has no room beside it, and in what is shown there. */
export const BesideContext = createContext<Beside | undefined>(undefined)

export const useBeside = () => use(BesideContext)
