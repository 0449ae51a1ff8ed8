import { Link, type LinkProps } from '@tanstack/react-router'
import { Gauge, KeyRound, Lock, Users, type LucideIcon } from 'lucide-react'
import { useKeyList } from '../../../data/access/key.ts'
import { useMe } from '../../../data/access/me.ts'
import { useMemberList } from '../../../data/access/member.ts'
import { useQuotas } from '../../../data/access/quota.ts'
import { useRight } from '../../../data/access/rights.ts'
import { useSecretList } from '../../../data/secret.ts'
import { Card } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { closestQuota } from '../quota-lines.ts'

interface Counted {
  items: unknown[] | undefined
  hasNextPage: boolean
  error: Error | null
}

/** What the team has, each line a way there. */
export function TeamCard() {
  const { team } = useMe()
  const maySeeSecrets = useRight('editor', 'see secrets').may
  const quotas = useQuotas()
  const secrets = useSecretList({ enabled: maySeeSecrets })
  return (
    <Card title={team?.name ?? ''} flush>
      <ul>
        <TeamLine icon={Users} label="Members" to="/settings/members" value={countOf(useMemberList())} />
        <TeamLine icon={KeyRound} label="API keys" to="/settings/keys" value={countOf(useKeyList())} />
        {maySeeSecrets && <TeamLine icon={Lock} label="Secrets" to="/secrets" value={countOf(secrets)} />}
        <TeamLine
          icon={Gauge}
          label="Quotas"
          to="/settings/quotas"
          value={quotas.data ? closestQuota(quotas.data) : quotas.error ? 'unknown' : undefined}
        />
      </ul>
    </Card>
  )
}

function countOf({ items, hasNextPage, error }: Counted): string | undefined {
  if (items) return `${items.length}${hasNextPage ? '+' : ''}`
  return error ? 'unknown' : undefined
}

interface TeamLineProps {
  icon: LucideIcon
  label: string
  to: LinkProps['to']
  /** Undefined while it is on its way. */
  value: string | undefined
}

function TeamLine({ icon: Icon, label, to, value }: TeamLineProps) {
  return (
    <li className="border-b border-line last:border-0">
      <Link
        to={to}
        className="flex h-11 items-center gap-2.5 px-5 text-dense transition-colors hover:bg-hover focus-visible:-outline-offset-2 max-md:px-4"
      >
        <Icon aria-hidden className="size-4 text-muted" />
        <span className="flex-1">{label}</span>
        <span className="tabular text-muted">{value ?? <Skeleton className="h-3 w-8" />}</span>
      </Link>
    </li>
  )
}
