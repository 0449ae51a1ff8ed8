import { useRight } from '../../../data/access/rights.ts'
import { usePackagePolicy } from '../../../data/package.ts'
import { Page } from '../../../shell/page.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { PolicyForm } from './policy-form.tsx'
import { PolicyShown } from './policy-shown.tsx'
import { SetsCard } from './sets-card.tsx'

/** The rules for packages of npm and PyPI, and the sets that are kept. */
export function PackagesPage() {
  const policy = usePackagePolicy()
  const right = useRight('admin', 'set the rules')
  return (
    <Page
      title="Packages"
      description="Packages of npm and PyPI that runs, sandboxes and workspaces use. Each set is resolved once, locked and kept."
    >
      <Card title="Rules" description={right.why ?? 'They hold for every package that is added from now on.'}>
        {policy.data ? (
          right.may ? (
            <PolicyForm policy={policy.data} />
          ) : (
            <PolicyShown policy={policy.data} />
          )
        ) : policy.error ? (
          <ErrorState doing="load the rules" error={policy.error} onRetry={() => void policy.refetch()} />
        ) : (
          // as high as what comes: the card below stays where it is
          <WaitingLines
            label="Loading the rules"
            className={right.may ? 'min-h-72 gap-3' : 'min-h-32 gap-3'}
            lines={['h-8 w-64', 'h-4 w-52', 'h-8 w-60']}
          />
        )}
      </Card>
      <SetsCard mayChange={right.may} />
    </Page>
  )
}
