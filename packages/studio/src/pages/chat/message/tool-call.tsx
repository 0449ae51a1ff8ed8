import { formatDuration, type MessagePart } from '@coherex/contract'
import { Ban, Check, ChevronRight, CirclePause, LoaderCircle, X } from 'lucide-react'
import { lazy, Suspense, type ComponentType } from 'react'
import { CodeText } from '../../../markdown/code-block.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { ToolData } from './tool-data.tsx'
import { hintOf, inputOf, toolState, titleOf, type ToolOutput, type ToolState } from './tool-words.ts'

// most calls show nothing
const DisplayBlock = lazy(async (): Promise<{ default: ComponentType<{ data: Record<string, unknown> }> }> => {
  try {
    return { default: (await import('../../../output/display-block.tsx')).DisplayBlock }
  } catch {
    return { default: () => <p className="text-dense text-muted">What it showed cannot be loaded.</p> }
  }
})

interface ToolCallProps {
  part: MessagePart
  /** The turn that made it is still at work. */
  isLive: boolean
  durationMs: number | null | undefined
  workspaceId: string | null
}

/** One call of a tool: folded to a line, with what it showed in sight. */
export function ToolCall({ part, isLive, durationMs, workspaceId }: ToolCallProps) {
  const state = toolState(part, isLive)
  const output = part['output'] as ToolOutput | undefined
  const { code, language } = inputOf(part)
  const errorText = typeof part['errorText'] === 'string' ? part['errorText'] : undefined
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <details className="group/call min-w-0 rounded-md border border-line bg-surface">
        <summary className="flex h-9 cursor-pointer list-none items-center gap-2 rounded-md px-2.5 text-dense hover:bg-hover [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="size-4 shrink-0 text-muted transition-transform group-open/call:rotate-90"
          />
          <StateIcon state={state} />
          <span className="shrink-0 font-medium">{titleOf(part)}</span>
          <code className="min-w-0 flex-1 truncate text-small text-muted">{hintOf(part)}</code>
          <span className="shrink-0 text-small text-muted tabular">
            {state === 'working' || state === 'waiting' ? state : durationMs ? formatDuration(durationMs) : ''}
          </span>
        </summary>
        <div className="flex flex-col border-t border-line">
          {code !== '' && <CodeText text={code} language={language} label="Arguments" />}
          {(output?.text || errorText) && (
            <pre
              tabIndex={0}
              role="region"
              aria-label="Result"
              className={`max-h-80 overflow-auto border-t border-line bg-sunken px-3 py-2 text-small leading-5 break-words whitespace-pre-wrap first:border-0 ${errorText ? 'text-red' : ''}`}
            >
              {errorText ?? output?.text}
            </pre>
          )}
          {output?.runId && (
            <p className="border-t border-line px-3 py-1.5 text-small">
              <TextLink to="/runs/$id" params={{ id: output.runId }}>
                Open the run
              </TextLink>
            </p>
          )}
        </div>
      </details>
      {output?.error && (
        <p className="rounded-md bg-red-soft px-3 py-1.5 text-dense break-words text-red">
          {output.error.message.split('\n')[0]}
          {output.error.line !== undefined && `, line ${output.error.line}`}
        </p>
      )}
      {output?.displays?.map((data, index) => (
        <Suspense key={index}>
          <DisplayBlock data={data} />
        </Suspense>
      ))}
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
