import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '../../../ui/error-state.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'

interface LoadedProps<Data> {
  query: UseQueryResult<Data>
  /** For “Could not load …”. */
  what: string
  children: (data: Data) => ReactNode
}

/** What an item is about, once it is here. */
export function Loaded<Data>({ query, what, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) {
    return <ErrorState doing={`load ${what}`} error={query.error} onRetry={() => void query.refetch()} />
  }
  return <WaitingLines label="Loading" className="gap-3 p-4" lines={['h-4 w-60', 'h-24 w-full', 'h-8 w-40']} />
}
