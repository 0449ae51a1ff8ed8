import type { Language } from '@coherex/contract'
import { Play, SquarePen } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useLanguageList } from '../../data/run/language-list.ts'
import { useRunCreate } from '../../data/run/run-create.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Code } from '../../ui/text/code.tsx'
import { toast } from '../../ui/toast/toast.ts'

const loadOutput = () => import('./example-output.tsx')
const ExampleOutput = lazy(async () => ({ default: (await loadOutput()).ExampleOutput }))

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
    <Card title="Run something" description="A small program that draws a plot. It runs in its own sandbox.">
      <div className="flex flex-col gap-3">
        <Code label="The example" text={programs[shown]} />
        <div className="flex flex-wrap items-center gap-2">
          <Button
            look="primary"
            icon={<Play aria-hidden />}
            busy={create.isPending}
            onPointerEnter={() => void loadOutput()}
            onClick={() => run(shown)}
          >
            Run the example
          </Button>
          <LinkButton to="/scratch">
            <SquarePen aria-hidden /> Write your own
          </LinkButton>
        </div>
        {runId && (
          <Suspense fallback={<div className="h-84" />}>
            <ExampleOutput key={runId} id={runId} onNoModule={shown === 'python' ? runPlain : undefined} />
          </Suspense>
        )}
      </div>
    </Card>
  )
}
