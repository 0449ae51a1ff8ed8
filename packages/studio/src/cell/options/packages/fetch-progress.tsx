import { LoaderCircle } from 'lucide-react'

/** What is being fetched, while it is. */
export function FetchProgress({ line }: { line: string | undefined }) {
  if (line === undefined) return null
  return (
    <p role="status" className="flex min-w-0 items-center gap-1.5 text-small text-muted">
      <LoaderCircle aria-hidden className="size-3.5 shrink-0 animate-spin" />
      <span className="min-w-0 truncate tabular">{line}</span>
    </p>
  )
}
