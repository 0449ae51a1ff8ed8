import type { LanguageStatus, PythonStack } from '@coherex/contract'
import { useRight } from '../../data/access/rights.ts'
import { useLanguageList } from '../../data/run/language-list.ts'
import { languageNames } from '../../output/run-words.ts'
import { Page } from '../../shell/page.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { CopyField } from '../../ui/text/copy.tsx'

/** The languages of this server, and how to get those it does not have. */
export function LanguagesPage() {
  const list = useLanguageList()
  const items = list.data?.items ?? []
  const missing = items.filter(({ available }) => !available)
  return (
    <Page title="Languages" description="What this server runs, and in which version.">
      {!list.data &&
        (list.error ? (
          <ErrorState doing="load the languages" error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <WaitingLines label="Loading the languages" className="gap-3" lines={['h-4 w-64', 'h-4 w-52', 'h-4 w-60']} />
        ))}
      {list.data && (
        <Card flush title="Installed">
          <ul aria-label="Installed languages">
            {items
              .filter(({ available }) => available)
              .map(({ language, version, runtimes }) => (
                <li
                  key={language}
                  className="flex flex-wrap items-baseline gap-x-3 border-b border-line px-5 py-2.5 text-dense last:border-0"
                >
                  <span className="w-32 font-medium">{languageNames[language]}</span>
                  <span className="min-w-0 flex-1 text-muted">{version}</span>
                  <span className="text-small text-muted">{runtimes.join(', ')}</span>
                </li>
              ))}
          </ul>
        </Card>
      )}
      {items
        .filter(({ packages }) => packages !== undefined)
        .map((one) => (
          <PackagesCard key={one.language} status={one} />
        ))}
      {missing.length > 0 && <MissingLanguages items={missing} />}
    </Page>
  )
}

const stackWords: Record<PythonStack, string> = {
  pypi: 'Current versions, installed by the lock of Coherex. Programs import them without asking.',
  debian:
    'Versions of the operating system: no index of Python packages could be reached when the server was started. Programs import them without asking.',
  own: 'Versions of the Python that the operator chose. Programs import them without asking.',
}

function PackagesCard({ status: { language, stack, packages = [] } }: { status: LanguageStatus }) {
  return (
    <Card title={`Packages of ${languageNames[language]}`} {...(stack && { description: stackWords[stack] })}>
      <ul
        aria-label={`Packages of ${languageNames[language]}`}
        className="grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-x-6 gap-y-1 text-dense"
      >
        {packages.map(({ name, version }) => (
          <li key={name} className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 truncate">{name}</span>
            <span className="text-small text-muted">{version}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function MissingLanguages({ items }: { items: readonly LanguageStatus[] }) {
  const { may } = useRight('admin', 'install languages')
  return (
    <Card
      flush
      title="Not installed"
      description={
        may
          ? 'The operator of the server installs them with these commands, on the server.'
          : 'An admin can ask the operator of the server to install them.'
      }
    >
      <ul aria-label="Languages that are not installed">
        {items.map(({ language, reason, install }) => (
          <li key={language} className="flex flex-col gap-1.5 border-b border-line px-5 py-3 text-dense last:border-0">
            <span className="font-medium">{languageNames[language]}</span>
            {may && install ? (
              <CopyField label={`How to install ${languageNames[language]}`} text={install} />
            ) : (
              <span className="text-muted">{reason}</span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
