import type { InputRequest, Run } from '@coherex/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { hasEnded, runQuery } from '../data/run/run-get.ts'
import { watchRun } from '../data/run/watch-run.ts'
import { OutputLog } from '../output/output-log.ts'

export interface LiveRun {
  run: Run | undefined
  log: OutputLog
  /** The log's version: it stays the same object while it grows. */
  version: number
  /** The line it waits for. */
  asked: InputRequest | undefined
  /** The line was given. */
  onAnswered: () => void
  /** Takes the line where no server waits for it. */
  onAnswer?: ((line: string | null) => void) | undefined
  /** The stream broke off and is tried again. */
  lost: boolean
  error: Error | null
  retry: () => void
}

/** A run and what it prints, as it happens; nothing while there is none. */
export function useLiveRun(id: string | undefined): LiveRun {
  const queryClient = useQueryClient()
  const { data: run, error, refetch } = useQuery({ ...runQuery(id ?? ''), enabled: id !== undefined })
  const [shown, setShown] = useState<{ of: string; log: OutputLog; version: number }>()
  const [empty] = useState(() => new OutputLog())
  const [asked, setAsked] = useState<InputRequest>()
  const [lost, setLost] = useState(false)
  const [refused, setRefused] = useState<Error | null>(null)
  const known = run !== undefined

  useEffect(() => {
    if (!known || id === undefined) return undefined
    const { queryKey } = runQuery(id)
    const fresh = new OutputLog()
    let frame = 0
    let begun = false
    const show = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        setShown({ of: id, log: fresh, version: fresh.version })
      })
    }
    const past = queryClient.getQueryData(queryKey)
    if (past && hasEnded(past)) {
      for (const line of past.output) fresh.append(line)
      show()
      return () => cancelAnimationFrame(frame)
    }
    const stop = watchRun(id, {
      onRun(next) {
        setAsked(undefined)
        if (hasEnded(next)) queryClient.setQueryData(queryKey, next)
      },
      onOutput(line) {
        fresh.append(line)
        show()
        if (begun) return
        begun = true
        queryClient.setQueryData(queryKey, (now) =>
          now === undefined || hasEnded(now) ? now : { ...now, status: 'running' as const },
        )
      },
      onInputRequest: setAsked,
      onLost() {
        begun = false
        // what it still waits for is told again
        setAsked(undefined)
        setLost(true)
      },
      onOpen: () => setLost(false),
      onRefused: setRefused,
    })
    return () => {
      cancelAnimationFrame(frame)
      stop()
      setAsked(undefined)
      setRefused(null)
    }
  }, [id, known, queryClient])

  const onAnswered = () => setAsked(undefined)
  // what the run before it printed is not its output
  const { log, version } = shown?.of === id && shown ? shown : { log: empty, version: 0 }
  return { run, log, version, asked, onAnswered, lost, error: refused ?? error, retry: () => void refetch() }
}
