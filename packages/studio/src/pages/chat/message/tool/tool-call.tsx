import { formatDuration, type MessagePart } from '@coherex/contract'
import { Ban, Check, ChevronRight, CirclePause, LoaderCircle, X } from 'lucide-react'
import { lazy, Suspense, useState, type ComponentType } from 'react'
import { AddedRemoved } from '../../../../change/added-removed.tsx'
import type { CallFixesProps } from './call-fixes.tsx'
import { ToolData } from './tool-data.tsx'
import { readChange, readAppOwner } from './tool-results.ts'
import type { ToolViewProps } from './tool-view.tsx'
import { hintOf, toolState, titleOf, type ToolOutput, type ToolState } from './tool-words.ts'

// most calls stay folded
const ToolBody = lazy(async () => ({ default: (await import('./tool-body.tsx')).ToolBody }))

// most calls show nothing
const DisplayBlock = lazy(async (): Promise<{ default: ComponentType<{ data: Record<string, unknown> }> }> => {
  try {
    return { default: (await import('../../../../output/display-block.tsx')).DisplayBlock }
  } catch {
    return { default: () => <p className="text-dense text-muted">Could not load the output.</p> }
  }
})

// only what runs now prints
const LiveOutput = lazy(async () => ({ default: (await import('./live-output.tsx')).LiveOutput }))

// few tools have a view
const ToolView = lazy(async (): Promise<{ default: ComponentType<ToolViewProps> }> => {
  try {
    return { default: (await import('./tool-view.tsx')).ToolView }
  } catch {
    return { default: () => <p className="text-dense text-muted">Could not load the view of the tool.</p> }
  }
})

// fewer fail
const CallFixes = lazy(async (): Promise<{ default: ComponentType<CallFixesProps> }> => {
  try {
    return { default: (await import('./call-fixes.tsx')).CallFixes }
  } catch {
    return { default: () => null }
  }
})

interface ToolCallProps {
  part: MessagePart
  threadId: string
  messageId: string
  /** The turn that made it is still at work. */
  isLive: boolean
  durationMs: number | null | undefined
  workspaceId: string | null
}

/** One call of a tool: folded to a line, with what it showed in sight. */
export function ToolCall({ part, threadId, messageId, isLive, durationMs, workspaceId }: ToolCallProps) {
  const state = toolState(part, isLive)
  const output = part['output'] as ToolOutput | undefined
  const [wasOpened, setOpened] = useState(false)
  const change = readChange(output?.data)
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <details
        className="group/call min-w-0 rounded-md border border-line bg-surface"
        onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
      >
        <summary className="flex h-9 cursor-pointer list-none items-center gap-2 rounded-md px-2.5 text-dense hover:bg-hover [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="size-4 shrink-0 text-muted transition-transform group-open/call:rotate-90"
          />
          <StateIcon state={state} />
          <span className="shrink-0 font-medium">{titleOf(part)}</span>
          <code className="min-w-0 flex-1 truncate text-small text-muted">{hintOf(part)}</code>
          {change && <AddedRemoved {...change} />}
          <span className="shrink-0 text-small text-muted tabular">
            {state === 'working' || state === 'waiting' ? state : durationMs ? formatDuration(durationMs) : ''}
          </span>
        </summary>
        {wasOpened && (
          <Suspense>
            <ToolBody part={part} isWorking={state === 'working'} />
          </Suspense>
        )}
      </details>
      {state === 'working' && output?.runId && (
        <Suspense>
          <LiveOutput runId={output.runId} />
        </Suspense>
      )}
      {output?.error && (
        <div className="rounded-md bg-red-soft px-3 py-1.5 text-dense break-words text-red">
          <p>
            {output.error.summary ?? output.error.message.split('\n')[0]}
            {output.error.line !== undefined && `, line ${output.error.line}`}
          </p>
          {output.runId && output.error.fixes && (
            <Suspense>
              <CallFixes runId={output.runId} fixes={output.error.fixes} />
            </Suspense>
          )}
        </div>
      )}
      {output?.displays?.map((data, index) => (
        <Suspense key={index}>
          <DisplayBlock data={data} />
        </Suspense>
      ))}
      {state === 'done' && output && readAppOwner(output.data) && (
        <Suspense>
          <ToolView part={part} output={output} threadId={threadId} messageId={messageId} />
        </Suspense>
      )}
      {output?.data !== undefined && <ToolData data={output.data} workspaceId={workspaceId} />}
    </div>
  )
}

function StateIcon({ state }: { state: ToolState }) {
  switch (state) {
    case 'working':
      return <LoaderCircle aria-label="working" className="size-4 shrink-0 animate-spin text-blue" />
    case 'done':
      return <Check aria-label="done" className="size-4 shrink-0 text-green" />
    case 'failed':
      return <X aria-label="failed" className="size-4 shrink-0 text-red" />
    case 'waiting':
      return <CirclePause aria-label="waiting for a person" className="size-4 shrink-0 text-amber" />
    case 'stopped':
      return <Ban aria-label="stopped" className="size-4 shrink-0 text-muted" />
  }
}
