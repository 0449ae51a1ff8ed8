import type { Fix, Run, RunError } from '@coherex/contract'
import { Ban, CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { findPlaces, placeOfError, type CodePlace } from '../find-places.ts'
import { Fixes } from '../fixes.tsx'
import { adviceFor, isPlainStop, titleOf } from '../run-words.ts'

interface RunErrorProps {
  run: Run
  error: RunError
  /** Files of the program, the entry first. */
  paths: readonly string[]
  onShow: (place: CodePlace) => void
  /** Carries a fix out; without it none is offered. */
  onFix?: ((fix: Fix, stdin?: string) => void) | undefined
  /** A fix is being carried out. */
  busy?: boolean | undefined
  /** Asked before a fix is carried out. */
  question?: ReactNode
}

/** What went wrong, where, how it came to it and what makes it go away. Places in the program's own files lead there. */
export function RunErrorCard({ run, error, paths, onShow, onFix, busy, question }: RunErrorProps) {
  const stopped = run.status === 'cancelled'
  // the pill of the run says it
  if (stopped && isPlainStop(error)) return null
  const fixes = onFix ? error.fixes : undefined
  const advice = fixes?.length ? undefined : adviceFor(error, run)
  const Icon = stopped ? Ban : CircleAlert
  const here = placeOfError(error, paths)
  const rest = stackBelow(error)
  return (
    <div
      role="group"
      aria-label="Error"
      className={classNames(
        'max-h-[65%] min-h-24 shrink-0 overflow-y-auto border-y border-line px-4 py-3',
        stopped ? 'bg-sunken' : 'bg-red-soft',
      )}
    >
      <div className={classNames('flex items-start gap-2', stopped ? 'text-muted' : 'text-red')}>
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-2 text-dense font-medium">
            {error.summary ?? titleOf(error)}
            {!stopped && <code className="text-small font-normal">{error.kind}</code>}
            {here && (
              <button
                type="button"
                onClick={() => onShow(here)}
                className="rounded-sm text-small font-medium underline decoration-current/40 underline-offset-2 hover:decoration-current"
              >
                {here.path}, line {here.line}
              </button>
            )}
          </p>
          <p className="mt-0.5 font-mono text-small leading-5 break-words whitespace-pre-wrap text-text">
            {error.message}
          </p>
          {advice && <p className="mt-1 text-small text-muted">{advice}</p>}
          {onFix && <Fixes fixes={fixes} onFix={onFix} busy={busy} question={question} />}
        </div>
      </div>
      {rest && error.summary === undefined && <StackTrace text={rest} paths={paths} onShow={onShow} />}
      {rest && error.summary !== undefined && (
        <details className="mt-2">
          <summary className="ml-6 cursor-pointer text-small text-muted hover:text-text">Stack trace</summary>
          <StackTrace text={rest} paths={paths} onShow={onShow} />
        </details>
      )}
    </div>
  )
}

interface StackTraceProps extends Pick<RunErrorProps, 'paths' | 'onShow'> {
  text: string
}

function StackTrace({ text: stack, paths, onShow }: StackTraceProps) {
  return (
    <pre
      tabIndex={0}
      aria-label="Stack trace"
      className="mt-2 ml-6 overflow-x-auto text-small leading-5 [font-variant-ligatures:none] text-muted"
    >
      {findPlaces(stack, paths).map(({ text, place }, index) =>
        place ? (
          <button
            key={index}
            type="button"
            onClick={() => onShow(place)}
            className="rounded-sm font-mono text-accent-text underline decoration-current/30 underline-offset-2 hover:decoration-current"
          >
            {text}
          </button>
        ) : (
          <span key={index}>{text}</span>
        ),
      )}
    </pre>
  )
}

/** The stack without the message that stands above it already; nothing where it only says the same again. */
function stackBelow({ stack, message, line, column }: RunError): string | undefined {
  if (!stack || stack.endsWith(`:${line}:${column} ${message}`)) return undefined
  const rest = stack.startsWith(message) ? stack.slice(message.length).replace(/^\n/, '') : stack
  return rest.trimEnd() || undefined
}
