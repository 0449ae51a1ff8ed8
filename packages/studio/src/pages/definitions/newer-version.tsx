import { useState, type ReactNode } from 'react'
import { Changes } from '../../change/changes.tsx'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { ErrorState } from '../../ui/error-state.tsx'

interface NewerVersionProps {
  version: number
  /** The version that was changed; 0 for one that came with Coherex. */
  base: number
  onForget: () => void
  onRebase: () => void
  /** What changed between the two. */
  comparison: ReactNode
}

/** Someone saved while this person was typing: what they saved is not written over unless it is meant. */
export function NewerVersion({ version, base, onForget, onRebase, comparison }: NewerVersionProps) {
  const [isShown, setShown] = useState(false)
  const isOurs = base > 0
  return (
    <div className="flex max-h-3/5 shrink-0 flex-col gap-2 overflow-y-auto border-b border-line p-3">
      <Callout tone="warning">
        Version {version} was saved while you were changing{' '}
        {isOurs ? `version ${base}` : 'the one that came with Coherex'}.
      </Callout>
      <div className="flex flex-wrap gap-2">
        {isOurs && (
          <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide what it changed' : 'Show what it changed'}
          </Button>
        )}
        <Button onClick={onForget}>Discard mine</Button>
        <Button onClick={onRebase}>Keep mine</Button>
      </div>
      {isShown && comparison}
    </div>
  )
}

interface ComparisonProps {
  from: number
  to: number
  diff: { data?: { diff: string } | undefined; error: Error | null; refetch: () => unknown }
}

/** What changed from one version to another. */
export function Comparison({ from, to, diff: { data, error, refetch } }: ComparisonProps) {
  if (error) return <ErrorState doing="compare the versions" error={error} onRetry={() => void refetch()} />
  if (!data) return null
  return (
    <div className="shrink-0">
      <Changes diff={data.diff} label={`From version ${from} to version ${to}`} />
    </div>
  )
}
