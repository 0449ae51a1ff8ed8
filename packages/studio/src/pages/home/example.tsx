import type { Language } from '@coherex/contract'
import { Play, SquarePen } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLiveRun } from '../../cell/use-live-run.ts'
import { useLanguageList } from '../../data/run/language-list.ts'
import { useRunCreate } from '../../data/run/run-create.ts'
import { hasEnded } from '../../data/run/run-get.ts'
import { RunErrorCard } from '../../output/details/run-error.tsx'
import { OutputView } from '../../output/output-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { StatusPill } from '../../ui/pill.tsx'
import { Code } from '../../ui/text/code.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'
import { toast } from '../../ui/toast/toast.ts'

const programs = {
  python: `import math
import matplotlib.pyplot as plt

x = [n / 20 for n in range(200)]
plt.figure(figsize=(8, 2.6))
for k in (1, 2, 3):
    plt.plot(x, [math.sin(k * v) / k for v in x], label=f"sin {k}x / {k}")
plt.legend()
plt.show()
`,
  javascript: `const wave = (k) =>
  Array.from({ length: 201 }, (_, n) => [4 * n, 110 - (90 / k) * Math.sin((k * n) / 20)].join(',')).join(' ')
const line = (k, colour) => \`<polyline points="\${wave(k)}" fill="none" stroke="\${colour}" stroke-width="2.5"/>\`

display.svg(\`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 220" width="800" height="220">
  \${line(1, '#5b5bd6')}\${line(2, '#2a9d8f')}\${line(3, '#e07a3f')}
</svg>\`)
`,
} satisfies Partial<Record<Language, string>>

type Shown = keyof typeof programs

/** A program that draws something, for those who have not run anything yet. It runs where it stands. */
export function Example() {
  const languages = useLanguageList().data?.items
  const [runId, setRunId] = useState<string>()
  const [isPlain, setIsPlain] = useState(false)
  const create = useRunCreate()
  const hasPython = languages?.some(({ language, available }) => language === 'python' && available) ?? true
  const shown: Shown = hasPython && !isPlain ? 'python' : 'javascript'
  const run = (language: Shown) =>
    create.mutate(
      { query: { wait: 'false' }, body: { language, code: programs[language] } },
      {
        onSuccess: ({ id }) => setRunId(id),
        onError: (error) => toast({ title: 'Could not start the example', description: error.message, tone: 'error' }),
      },
    )
  // a Python without matplotlib cannot draw: then the same waves are drawn in JavaScript
  const runPlain = () => {
    setIsPlain(true)
    run('javascript')
  }
  return (
    <Card title="Run something" description="A small program that draws. It runs in a sandbox of its own.">
      <div className="flex flex-col gap-3">
        <Code label="The example" text={programs[shown]} />
        <div className="flex flex-wrap items-center gap-2">
          <Button look="primary" icon={<Play aria-hidden />} busy={create.isPending} onClick={() => run(shown)}>
            Run the example
          </Button>
          <LinkButton to="/scratch">
            <SquarePen aria-hidden /> Write your own
          </LinkButton>
        </div>
        {runId && <ExampleOutput key={runId} id={runId} onNoModule={shown === 'python' ? runPlain : undefined} />}
      </div>
    </Card>
  )
}

function ExampleOutput({ id, onNoModule }: { id: string; onNoModule: (() => void) | undefined }) {
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
