import type { ThreadSummary } from '@coherex/contract'
import { useThreadList } from '../../data/thread/thread-list.ts'

/** The conversations whose agents work in a sandbox, by its id: of the newest hundred. */
export function useSandboxThreads(): ReadonlyMap<string, ThreadSummary> {
  const { items = [] } = useThreadList({ search: '', limit: 100 })
  return new Map(items.flatMap((thread) => (thread.sandboxId ? [[thread.sandboxId, thread] as const] : [])))
}
