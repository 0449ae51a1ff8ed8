import type { Run } from '@coherex/contract'
import { useEffect, useState } from 'react'
import { watchRun } from '../../../../data/run/watch-run.ts'
import { AnsiText } from '../../../../output/ansi-text.tsx'
import { OutputLog, type OutputRow } from '../../../../output/output-log.ts'

const shownRows = 12

/** The last lines of a run that a call waits for, as it prints them. Plots and results come with its end. */
export function LiveOutput({ runId }: { runId: string }) {
  const [shown, setShown] = useState<{ rows: OutputRow[]; earlier: number }>({ rows: [], earlier: 0 })
  const [status, setStatus] = useState<Run['status']>('running')

  useEffect(() => {
    const log = new OutputLog()
    let frame = 0
    const show = () => {
      frame = 0
      const rows = log.blocks
        .flatMap((block) => (block.kind === 'text' ? block.rows : []))
        .filter(({ length }) => length > 0)
      setShown({ rows: rows.slice(-shownRows), earlier: Math.max(0, rows.length - shownRows) })
    }
    const stop = watchRun(runId, {
      onRun: (run) => setStatus(run.status),
      onOutput(line) {
        log.append(line)
        frame ||= requestAnimationFrame(show)
      },
      onInputRequest: () => undefined,
      onLost: () => undefined,
      onOpen: () => undefined,
      // the call tells its result all the same
      onRefused: () => undefined,
    })
    return () => {
      cancelAnimationFrame(frame)
      stop()
    }
  }, [runId])

  if (shown.rows.length === 0) {
    return status === 'queued' ? <p className="px-1 text-small text-muted">Waiting in the queue.</p> : null
  }
  return (
    <pre
      tabIndex={0}
      role="region"
      aria-label="Live output"
      className="overflow-auto rounded-md border border-line bg-sunken px-3 py-2 text-small leading-5 break-words whitespace-pre-wrap"
    >
      {shown.earlier > 0 && <span className="text-muted">{`… ${shown.earlier} earlier lines\n`}</span>}
      {shown.rows.map(({ spans }, index) => (
        <span key={shown.earlier + index}>
          <AnsiText spans={spans} />
          {'\n'}
        </span>
      ))}
    </pre>
  )
}
