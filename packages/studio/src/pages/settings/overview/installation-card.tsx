import type { Health } from '@coherex/contract'
import { BookOpen, CircleCheck, CircleSlash, Code, TriangleAlert } from 'lucide-react'
import { useHealth } from '../../../data/health.ts'
import { languageNames } from '../../../output/run-words.ts'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Skeleton, Waiting } from '../../../ui/skeleton.tsx'

/** Whether the server is well, and where code can run. */
export function InstallationCard() {
  const health = useHealth()
  if (health.error && !health.data) {
    return (
      <Card title="Installation" flush>
        <ErrorState doing="ask the server how it is" error={health.error} onRetry={() => void health.refetch()} />
      </Card>
    )
  }
  if (!health.data) {
    return (
      <Card title="Installation">
        <Waiting label="Loading">
          <Skeleton className="mb-3 h-4 w-40" />
          <Skeleton className="h-4 w-56" />
        </Waiting>
      </Card>
    )
  }
  const { status, version, runtimes, languages } = health.data
  const well = status === 'ok'
  return (
    <Card
      title="Installation"
      description={`Version ${version}`}
      flush
      actions={
        <Pill tone={well ? 'green' : 'amber'} icon={well ? <CircleCheck aria-hidden /> : <TriangleAlert aria-hidden />}>
          {status}
        </Pill>
      }
    >
      <ul>
        {runtimes.map(({ name, available, reason }) => (
          <li key={name} className="flex items-start gap-2.5 border-b border-line px-5 py-2.5 text-dense max-md:px-4">
            {available ? (
              <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-green" />
            ) : (
              <CircleSlash aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
            )}
            <span className="min-w-0 flex-1">
              <span className="flex justify-between gap-2">
                {name} <span className="text-muted">{available ? 'ready' : 'not available'}</span>
              </span>
              {reason && <span className="block text-small break-words text-muted">{reason}</span>}
            </span>
          </li>
        ))}
        <LanguageList languages={languages} />
        <li>
          <a
            href="/api/docs"
            className="flex h-11 items-center gap-2.5 rounded-b-lg px-5 text-dense transition-colors hover:bg-hover focus-visible:-outline-offset-2 max-md:px-4"
          >
            <BookOpen aria-hidden className="size-4 text-muted" />
            API reference
          </a>
        </li>
      </ul>
    </Card>
  )
}

/** What can be written here, and how to get the rest. */
function LanguageList({ languages }: Pick<Health, 'languages'>) {
  const missing = languages.filter(({ available }) => !available)
  return (
    <li className="flex items-start gap-2.5 border-b border-line px-5 py-2.5 text-dense max-md:px-4">
      <Code aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        {languages
          .filter(({ available }) => available)
          .map(({ language }) => languageNames[language])
          .join(', ') || 'No language runs here'}
        {missing.length > 0 && (
          <details className="text-small text-muted">
            <summary className="cursor-pointer">{missing.length} more can be installed</summary>
            <ul className="mt-1 space-y-1">
              {missing.map(({ language, reason }) => (
                <li key={language} className="break-words">
                  {languageNames[language]}: {reason}
                </li>
              ))}
            </ul>
          </details>
        )}
      </span>
    </li>
  )
}
