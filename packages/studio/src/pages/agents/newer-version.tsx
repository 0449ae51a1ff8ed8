import type { Agent } from '@coherex/contract'
import { useState } from 'react'
import { useAgentDiff } from '../../data/agent.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { DiffView } from '../../ui/diff-view.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import type { EditorState } from './agent-editor.tsx'

/** Someone saved while this person was typing: what they saved is not written over unless it is meant. */
export function NewerVersion({ agent, state }: { agent: Agent; state: EditorState }) {
  const [isShown, setShown] = useState(false)
  const { name, version } = agent
  const isOurs = state.base > 0
  return (
    <div className="flex max-h-3/5 shrink-0 flex-col gap-2 overflow-y-auto border-b border-line p-3">
      <Callout tone="warning">
        Version {version} was saved while you were changing{' '}
        {isOurs ? `version ${state.base}` : 'the one that came with Coherex'}.
      </Callout>
      <div className="flex flex-wrap gap-2">
        {isOurs && (
          <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide what it changed' : 'Show what it changed'}
          </Button>
        )}
        <Button onClick={state.forget}>Discard mine</Button>
        <Button onClick={state.rebase}>Keep mine</Button>
      </div>
      {isShown && <Changes name={name} from={state.base} to={version} />}
    </div>
  )
}

function Changes({ name, from, to }: { name: string; from: number; to: number }) {
  const { data, error, refetch } = useAgentDiff(name, { from, to })
  if (error) return <ErrorState doing="compare the versions" error={error} onRetry={() => void refetch()} />
  if (!data) return null
  return (
    <div className="shrink-0">
      <DiffView diff={data.diff} label={`From version ${from} to version ${to}`} />
    </div>
  )
}
