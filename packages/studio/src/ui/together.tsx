import type { ReactNode } from 'react'
import { WaitingLines } from './skeleton.tsx'

interface TogetherProps {
  /** What the parts are made of. */
  queries: readonly { isLoading: boolean }[]
  children: ReactNode
}

/** Parts of a page that are fetched apart and shown at once: nothing that one is about to press is moved by what comes above it. */
export function Together({ queries, children }: TogetherProps) {
  if (!queries.some(({ isLoading }) => isLoading)) return children
  return (
    <WaitingLines label="Loading" className="gap-3" lines={['h-4 w-72', 'h-20 w-full', 'h-8 w-64', 'h-40 w-full']} />
  )
}
