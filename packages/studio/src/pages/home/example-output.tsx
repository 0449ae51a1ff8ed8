import { useEffect, useEffectEvent } from 'react'
import { useLiveRun } from '../../cell/use-live-run.ts'
import { hasEnded } from '../../data/run/run-get.ts'
import { RunErrorCard } from '../../output/details/run-error.tsx'
import { OutputView } from '../../output/output-view.tsx'
import { StatusPill } from '../../ui/pill.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'

interface ExampleOutputProps {
  id: string
  /** Python has no module to draw with. */
  onNoModule: (() => void) | undefined
}

export function ExampleOutput({ id, onNoModule }: ExampleOutputProps) {
  const { run, log, version } = useLiveRun(id)
  const lacksModule = run?.error?.message.includes('No module named') ?? false
  const tell = useEffectEvent(() => onNoModule?.())
  useEffect(() => {
    if (lacksModule) tell()
  }, [lacksModule])
  if (lacksModule && onNoModule) return <div className="h-84" />
  return (
    <section
      aria-label="Output of the example"
      className="flex h-84 flex-col overflow-hidden rounded-md border border-line"
    >
      <header className="flex items-center justify-between gap-3 border-b border-line px-3 py-1.5 text-small">
        <StatusPill status={run?.status ?? 'queued'} />
        <TextLink to="/runs/$id" params={{ id }}>
          Open the run
        </TextLink>
      </header>
      <OutputView log={log} version={version} live={!run || !hasEnded(run)} />
      {run?.error && <RunErrorCard run={run} error={run.error} paths={[]} onShow={() => undefined} />}
    </section>
  )
}
