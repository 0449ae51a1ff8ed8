import { isResultShown, type Fix, type Run } from '@coherex/contract'
import { Copy, WifiOff } from 'lucide-react'
import { useState } from 'react'
import { InputLine } from '../../cell/input-line.tsx'
import { useFix } from '../../cell/use-fix.tsx'
import type { LiveRun } from '../../cell/use-live-run.ts'
import { hasEnded } from '../../data/run/run-get.ts'
import { RunErrorCard } from '../../output/details/run-error.tsx'
import { RunFiles } from '../../output/details/run-files.tsx'
import { RunInput } from '../../output/details/run-input.tsx'
import { RunReceipt } from '../../output/details/run-receipt.tsx'
import { RunRequests } from '../../output/details/run-requests.tsx'
import { RunResult } from '../../output/details/run-result.tsx'
import type { CodePlace } from '../../output/find-places.ts'
import { OutputView } from '../../output/output-view.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { PanelTabs, type PanelTab } from '../../ui/panel-tabs.tsx'
import { copyText } from '../../ui/text/copy-text.ts'
import { toast } from '../../ui/toast/toast.ts'

interface RunPaneProps {
  live: LiveRun & { run: Run }
  paths: readonly string[]
  onShow: (place: CodePlace) => void
  /** Another run took its place: the same program with a fix. */
  onMoved?: ((id: string) => void) | undefined
  onFixed?: ((fix: Fix, stdin?: string) => void) | undefined
  /** The code as one more tab, where it has no place of its own. */
  codeTab?: PanelTab | undefined
  tab?: string
  onTab?: (tab: string) => void
}

/** What came of a run and what it was given: output with error and result, input, files, requests, details. */
export function RunPane({ live, paths, onShow, onMoved, onFixed, codeTab, tab, onTab }: RunPaneProps) {
  const { run, log } = live
  const [own, setOwn] = useState('output')
  const copy = () => void copyText(log.toText()).then((done) => done && toast({ title: 'Output copied' }))
  return (
    <PanelTabs
      label="Parts of the run"
      value={tab ?? own}
      onChange={onTab ?? setOwn}
      actions={<IconButton label="Copy output" size="small" icon={<Copy aria-hidden />} onClick={copy} />}
      tabs={[
        {
          value: 'output',
          label: 'Output',
          content: <Output live={live} paths={paths} onShow={onShow} onMoved={onMoved} onFixed={onFixed} />,
        },
        ...(codeTab ? [codeTab] : []),
        { value: 'input', label: 'Input', content: <RunInput run={run} /> },
        { value: 'files', label: 'Files', count: run.files.length, content: <RunFiles run={run} /> },
        {
          value: 'requests',
          label: 'Requests',
          count: run.requests.length,
          content: <RunRequests requests={run.requests} />,
        },
        { value: 'details', label: 'Details', content: <RunReceipt run={run} /> },
      ]}
    />
  )
}

type OutputProps = Pick<RunPaneProps, 'live' | 'paths' | 'onShow' | 'onMoved' | 'onFixed'>

function Output({ live, paths, onShow, ...then }: OutputProps) {
  const { run, log, version, asked, lost } = live
  const ended = hasEnded(run)
  const silent = log.blocks.length === 0
  const hasResult = ended && run.result !== undefined && !isResultShown(run)
  const fix = useFix(run, then)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {lost && !ended && (
        <p
          role="status"
          className="flex items-center gap-2 border-b border-line bg-amber-soft px-4 py-1.5 text-small text-amber"
        >
          <WifiOff aria-hidden className="size-3.5" /> Connection lost. Output continues when it is back.
        </p>
      )}
      {silent && !hasResult && !run.error && (
        <p className="px-4 py-6 text-center text-dense text-muted">{silence(run)}</p>
      )}
      {!silent && <OutputView log={log} version={version} live={!ended} />}
      {run.truncated && (
        <p className="shrink-0 border-t border-line bg-amber-soft px-4 py-1.5 text-small text-amber">
          The output was cut at its limit. A higher limit can be set in the options.
        </p>
      )}
      {run.error && <RunErrorCard run={run} error={run.error} paths={paths} onShow={onShow} {...fix} />}
      {hasResult && <RunResult run={run} alone={silent} />}
      {asked && !ended && <InputLine runId={run.id} request={asked} takesFocus={false} onAnswered={live.onAnswered} />}
    </div>
  )
}

function silence(run: Run): string {
  if (run.status === 'queued') return 'Waiting in the queue.'
  if (run.status === 'loading') return 'Preparing the sandbox.'
  if (run.status === 'running') return 'No output yet.'
  return 'No output.'
}
