import type { ExecutionReport, InputRequest, Language, Run } from '@coherex/contract'
import { useEffect, useRef, useState } from 'react'
import { OutputLog } from '../output/output-log.ts'
import type { Progress } from '../runtimes/browser-session.ts'
import { preloadWhenIdle, rememberUse } from '../runtimes/preload.ts'
import type { ShownLine } from '../runtimes/runtime-messages.ts'

/** What this browser runs, or has run and not yet kept. */
export interface BrowserRun {
  run: Run
  log: OutputLog
  version: number
  progress: Progress | undefined
  needsServer: string | undefined
  /** The line that it waits for. */
  asked: InputRequest | undefined
  onAnswer: ((line: string | null) => void) | undefined
}

/** Runs code in this browser, in the session that its conversation has for the language. */
export function useBrowserRun(threadId: string, language: string) {
  const [shown, setShown] = useState<BrowserRun>()
  const [last, setLast] = useState<Run>()
  const stopping = useRef<AbortController>(undefined)
  // a page that is left takes what runs with it
  useEffect(() => () => stopping.current?.abort(), [])
  useEffect(() => preloadWhenIdle(language), [language])

  async function start(code: string): Promise<ExecutionReport | undefined> {
    // a second press while it runs is none
    if (stopping.current) return undefined
    const stop = (stopping.current = new AbortController())
    const log = new OutputLog()
    const output: ShownLine[] = []
    let truncated = false
    let state: BrowserRun = {
      ...{ run: beginRun(language), log, version: 0, progress: undefined, needsServer: undefined },
      ...{ asked: undefined, onAnswer: undefined },
    }
    const show = (change: Partial<BrowserRun>, run: Partial<Run> = {}) => {
      state = { ...state, ...change, run: { ...state.run, ...run }, version: log.version }
      setShown(state)
    }
    show({})
    rememberUse(language)
    try {
      const { sessionOf } = await import('../runtimes/browser-sessions.ts')
      const onProgress = (progress: Progress) => show({ progress })
      const session = await sessionOf(threadId, language, { onProgress, signal: stop.signal })
      show({ progress: undefined }, { status: 'running', createdAt: new Date().toISOString() })
      const { outcome, durationMs } = await session.run(
        { language, code },
        {
          signal: stop.signal,
          onOutput(lines, isCut) {
            truncated ||= isCut
            for (const line of lines) {
              output.push(line)
              log.append(line)
            }
            show({})
          },
          onInput: (prompt, signal) =>
            new Promise((resolve) => {
              const answer = (line: string | null) => {
                show({ asked: undefined, onAnswer: undefined })
                resolve(line)
              }
              signal.addEventListener('abort', () => answer(null), { once: true })
              show({ asked: { prompt, secret: false }, onAnswer: answer })
            }),
        },
      )
      const { needsServer, ...ended } = outcome
      const report = { ...ended, output, truncated, durationMs }
      show({ needsServer }, { ...(report as Partial<Run>), endedAt: new Date().toISOString() })
      setLast(state.run)
      return report
    } catch (error) {
      const isStopped = stop.signal.aborted
      show(
        { progress: undefined, ...(!isStopped && { needsServer: 'This browser could not load what runs it.' }) },
        {
          status: isStopped ? 'cancelled' : 'failed',
          error: {
            kind: isStopped ? 'cancelled' : 'internal',
            message: isStopped ? 'The run was cancelled' : (error as Error).message,
          },
        },
      )
      return undefined
    } finally {
      stopping.current = undefined
    }
  }

  function stop() {
    stopping.current?.abort()
  }

  return { shown, last, start, stop, clear: () => setShown(undefined) }
}

/** A run that nobody keeps. */
export function beginRun(language: string): Run {
  return {
    id: 'run_browser',
    status: 'loading',
    language: language as Language,
    runtime: { name: 'browser', reason: '', passedOver: [] },
    ...{ output: [], files: [], truncated: false, queuedMs: 0, durationMs: 0, peakMemoryMb: null },
    ...{ createdAt: new Date().toISOString(), startedAt: null, endedAt: null, codeHash: '' },
    ...{ createdBy: { id: '', name: '' }, reportedBy: 'client', signs: [], requests: [] },
  }
}
