import type { Run, RunError, RunRequest } from '@coherex/contract'
import { createGuestText } from '../guest-text.ts'
import { paint, type Terminal } from '../terminal.ts'
import { describeFixes } from './describe-fixes.ts'

/** What was sent, to find the line again. */
export type ErrorSource = Pick<RunRequest, 'entry' | 'code' | 'files'>

/** Why a run did not succeed: kind, message, place, the line of the source with the place marked, and the flags that help. */
export function describeError(terminal: Terminal, run: Run, source?: ErrorSource): string {
  const { error, status } = run
  const head = status === 'cancelled' ? 'the run was cancelled' : `the run failed (${error?.kind ?? 'unknown'})`
  // without a reason it would be said twice
  if (!error || (status === 'cancelled' && / was (?:cancelled|interrupted)$/.test(error.message)))
    return `coherex: ${head}`
  const { line, column, stack } = error
  const file = findFile(error) ?? source?.entry
  const beside = file === undefined ? undefined : source?.files?.[file]
  const code = typeof beside === 'string' ? beside : source?.code
  const parts = [
    `coherex: ${paint(terminal, 'red', head)}: ${error.summary ?? error.message}`,
    ...(error.summary === undefined ? [] : [`  ${error.message}`]),
    ...(line === undefined ? [] : [`  at ${file ? `${file}:` : 'line '}${line}${column ? `:${column}` : ''}`]),
    ...(line === undefined || code === undefined ? [] : markSource(terminal, code, { line, column })),
    // one frame says no more than the marked line, and frames of libraries no more than the summary; `runs show` has them
    ...(stack && countFrames(stack) > 1 && !(error.summary && source) ? [paint(terminal, 'dim', stack.trimEnd())] : []),
    ...describeFixes(run),
  ]
  // colours of the message end with it
  const guest = createGuestText()
  return guest.write(parts.join('\n')) + guest.end()
}

/** The file whose line it is: an error has the number, its stack the names. */
function findFile({ line, stack = '' }: RunError): string | undefined {
  const frames = [...stack.matchAll(/File "([^"]+)", line (\d+)|([^\s()"]+):(\d+):\d+/g)]
  const frame = frames.find(([, , python, , script]) => Number(python ?? script) === line)
  return frame?.[1] ?? frame?.[3]
}

const countFrames = (stack: string): number => stack.match(/^\s+(at |File )/gm)?.length ?? 0

const widest = 200

function markSource(terminal: Terminal, code: string, { line, column }: { line: number; column: number | undefined }) {
  const lines = code.split(/\r?\n/)
  const text = lines[line - 1]
  if (text === undefined) return []
  const gutter = String(line).length
  const before =
    line > 1 ? [`  ${String(line - 1).padStart(gutter)} | ${(lines[line - 2] ?? '').slice(0, widest)}`] : []
  const shown = `${paint(terminal, 'red', '>')} ${line} | ${text.slice(0, widest)}`
  if (!column || column > Math.min(text.length + 1, widest)) return [...before, shown]
  // tabs stay tabs, so that the mark stands below its character whatever their width
  const indent = text.slice(0, column - 1).replace(/[^\t]/g, ' ')
  return [...before, shown, `  ${' '.repeat(gutter)} | ${indent}${paint(terminal, 'red', '^')}`]
}
