import type { Language } from '@coherex/contract'
import { ChevronDown, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Right } from '../data/access/rights.ts'
import { hasEnded } from '../data/run/run-get.ts'
import type { NamesAfter } from '../data/sandbox.ts'
import { runTime, statusWord } from '../output/run-words.ts'
import type { Choice } from '../ui/field/select.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { StatusPill } from '../ui/pill.tsx'
import { useNow } from '../ui/state/use-now.ts'
import { CellCode } from './cell-code.tsx'
import { LanguageField, RunButton } from './cell-controls.tsx'
import { CellOutput } from './cell-output.tsx'
import { useLiveRun } from './use-live-run.ts'

export interface CellProps {
  label: string
  /** Where the editor keeps its code. */
  folder: string
  source: string
  language: Language
  languages: readonly Choice<Language>[]
  /** In place of the code, such as the form of a tool's input. */
  body?: ReactNode
  /** Without these the cell is only shown. */
  onSource?: ((source: string) => void) | undefined
  onLanguage?: ((language: Language) => void) | undefined
  /** Starts it; what comes of it is followed by `runId`. */
  onRun: () => void
  /** Starts it and goes on to the next one. */
  onRunNext?: (() => void) | undefined
  /** Names that its session knows. */
  namesAfter?: NamesAfter | undefined
  mayRun: Right
  /** It was started, and the answer is on its way. */
  isStarting: boolean
  /** The run whose output it shows. */
  runId: string | undefined
  /** A fix ran it again, as this run; without it, the run's own page is opened. */
  onMoved?: ((runId: string) => void) | undefined
  isEditing: boolean
  onEdit: () => void
  autoFocus?: boolean
  /** Its person goes on where the code asks for a line. */
  takesInput?: boolean
  isCollapsed?: boolean
  onCollapse?: ((isCollapsed: boolean) => void) | undefined
  /** Beside the language, such as `RunOptions`. */
  options?: ReactNode
  /** At the end of the bar: a link to the run, a menu. */
  actions?: ReactNode
  /** Below the code, such as why it could not be started. */
  note?: ReactNode
}

/** Code with its language and options, the buttons that run and stop it, and what came of it. It knows no page. */
export function Cell(props: CellProps) {
  const { label, language, source, mayRun, isStarting, runId, isCollapsed = false, onCollapse, onRun } = props
  const live = useLiveRun(runId)
  const { run } = live
  const now = useNow(run?.status === 'running')
  const isRunning = runId !== undefined && run !== undefined && !hasEnded(run)
  return (
    <section
      aria-label={label}
      className="overflow-hidden rounded-lg border border-line bg-surface focus-within:border-line-strong"
    >
      <header className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-sunken px-2 py-1 text-small">
        <RunButton
          running={isRunning ? run : undefined}
          right={mayRun}
          isStarting={isStarting}
          isEmpty={props.body === undefined && source.trim() === ''}
          onRun={onRun}
          size="small"
        />
        <LanguageField language={language} choices={props.languages} onChange={props.onLanguage} size="small" />
        {props.options}
        <div className="ml-auto flex items-center gap-2">
          {run && (
            <>
              <span aria-live="polite">
                <StatusPill status={statusWord(run)} />
              </span>
              <span className="text-muted tabular max-sm:hidden">{runTime(run, now)}</span>
            </>
          )}
          {props.actions}
          {onCollapse && (
            <IconButton
              label={isCollapsed ? 'Expand' : 'Collapse'}
              size="small"
              className="w-7!"
              icon={isCollapsed ? <ChevronRight aria-hidden /> : <ChevronDown aria-hidden />}
              onClick={() => onCollapse(!isCollapsed)}
            />
          )}
        </div>
      </header>
      {isCollapsed ? (
        <p className="truncate px-3 py-1.5 font-mono text-small text-muted">{firstLine(source)}</p>
      ) : (
        <>
          {props.body ?? (
            <CellCode
              label={`Code of ${label}`}
              folder={props.folder}
              language={language}
              source={source}
              onChange={props.onSource}
              isEditing={props.isEditing}
              onEdit={props.onEdit}
              autoFocus={props.autoFocus ?? false}
              onRun={() => !isRunning && onRun()}
              onRunNext={props.onRunNext}
              namesAfter={props.namesAfter}
            />
          )}
          {props.note}
          {run && <CellOutput live={{ ...live, run }} takesFocus={props.takesInput ?? false} onMoved={props.onMoved} />}
        </>
      )}
    </section>
  )
}

function firstLine(source: string): string {
  return source.split('\n').find((line) => line.trim() !== '') ?? 'Empty'
}
