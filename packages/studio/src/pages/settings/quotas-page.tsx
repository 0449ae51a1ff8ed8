import type { Quotas } from '@coherex/contract'
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '../../data/access/me.ts'
import { useQuotas } from '../../data/access/quota.ts'
import { Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { quotaLines } from './quota-lines.ts'
import { SetQuotasDialog } from './set-quotas-dialog.tsx'

export function QuotasPage() {
  const { person } = useMe()
  const quotas = useQuotas()
  const [editing, setEditing] = useState(false)
  return (
    <Page
      title="Quotas"
      description={
        person.operator
          ? 'The limits of the team, with its current use. You run the installation, so you can set it.'
          : 'The limits of the team, with its current use. Whoever runs the installation sets it.'
      }
      actions={
        person.operator && (
          <Button icon={<SlidersHorizontal aria-hidden />} disabled={!quotas.data} onClick={() => setEditing(true)}>
            Set quotas
          </Button>
        )
      }
    >
      <Card flush>
        {quotas.data ? (
          <QuotaList limits={quotas.data.limits} used={quotas.data.used} />
        ) : quotas.error ? (
          <ErrorState doing="load the quotas" error={quotas.error} onRetry={() => void quotas.refetch()} />
        ) : (
          <Waiting label="Loading">
            {quotaLines.map(({ name }) => (
              <div key={name} className="border-b border-line px-5 py-4 last:border-0">
                <Skeleton className="mb-3 h-4 w-40" />
                <Skeleton className="h-1.5 w-full" />
              </div>
            ))}
          </Waiting>
        )}
      </Card>
      {editing && quotas.data && <SetQuotasDialog limits={quotas.data.limits} onClose={() => setEditing(false)} />}
    </Page>
  )
}

function QuotaList({ limits, used }: { limits: Quotas; used: Record<string, number> }) {
  return (
    <ul>
      {quotaLines.map(({ name, label, hint, format }) => {
        const usedNow = used[name]
        const limit = format(limits[name])
        return (
          <li key={name} className="border-b border-line px-5 py-4 last:border-0 max-md:px-4">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <p className="text-dense font-medium">
                {label} <span className="font-normal text-muted max-sm:hidden">· {hint}</span>
              </p>
              <p className="tabular text-dense">
                {/* what the server does not count yet is not zero */}
                {usedNow === undefined ? 'up to ' : `${format(usedNow)} `}
                <span className="text-muted">{usedNow === undefined ? limit : `of ${limit}`}</span>
              </p>
            </div>
            {usedNow !== undefined && (
              <div className="mt-2">
                <Meter label={label} value={usedNow} max={limits[name]} text={`${format(usedNow)} of ${limit}`} />
              </div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
