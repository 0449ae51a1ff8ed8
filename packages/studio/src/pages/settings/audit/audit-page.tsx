import type { AuditEvent } from '@coherex/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Bot, Cpu, Download, FileJson, FileSpreadsheet, KeyRound, ScrollText, ShieldOff } from 'lucide-react'
import { useAuditExport, useAuditList } from '../../../data/access/audit.ts'
import { useRight } from '../../../data/access/rights.ts'
import { ListPage } from '../../../shell/list-page.tsx'
import { Page } from '../../../shell/page.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogBody } from '../../../ui/dialog/dialog.tsx'
import { Empty } from '../../../ui/empty.tsx'
import type { Column } from '../../../ui/list/table.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { useIsRoomy } from '../../../ui/state/is-roomy.ts'
import { Time } from '../../../ui/text/time.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { AuditEventDetails, AuditEventPanel } from './audit-event-details.tsx'
import { AuditFilterBar } from './audit-filter-bar.tsx'
import { hasFilters, toAuditQuery, type AuditFilters } from './audit-filters.ts'
import { deedOf, objectOf } from './audit-words.ts'

const columns: Column<AuditEvent>[] = [
  {
    key: 'what',
    header: 'What happened',
    className: 'w-full max-w-0',
    cell: (event) => (
      <span className="flex min-w-0 items-center gap-2.5">
        <ActorIcon actor={event.actor} />
        <span className="truncate">
          <span className="font-medium">{event.actor.name}</span>{' '}
          <span className="text-muted">{deedOf(event.action)}</span>
          <span> {objectOf(event)}</span>
        </span>
      </span>
    ),
  },
  { key: 'ip', header: 'From', from: 'lg', cell: ({ ip }) => <span className="text-muted">{ip ?? '–'}</span> },
  { key: 'at', header: 'When', align: 'right', cell: ({ at }) => <Time at={at} /> },
]

export function AuditPage() {
  const filters = useSearch({ from: '/shell/settings/team-pages/audit' })
  const navigate = useNavigate()
  const right = useRight('admin', 'read the audit log')
  const query = toAuditQuery(filters)
  const events = useAuditList({ query, enabled: right.may })
  const roomy = useIsRoomy()

  const setFilters = (next: AuditFilters) => void navigate({ to: '/settings/audit', search: next, replace: true })
  const close = () => setFilters({ ...filters, event: undefined } as AuditFilters)
  const open = events.items?.find(({ id }) => id === filters.event)

  if (!right.may) {
    return (
      <Page title="Audit log">
        <Empty icon={ShieldOff} title="Not for your role">
          {right.why}
        </Empty>
      </Page>
    )
  }
  const details = open && <AuditEventDetails event={open} onFilter={(part) => setFilters({ ...filters, ...part })} />
  return (
    <ListPage
      title="Audit log"
      description="Who did what, on what, when and from where. Kept for 90 days unless the installation says otherwise."
      actions={<ExportMenu filters={filters} />}
      filters={<AuditFilterBar filters={filters} onChange={setFilters} events={events.items ?? []} />}
      detailsLabel="Event details"
      details={
        roomy &&
        details && (
          <AuditEventPanel onClose={close} key={open.id}>
            {details}
          </AuditEventPanel>
        )
      }
      label="Events"
      isFiltered={hasFilters(filters)}
      onClear={() => setFilters({})}
      pages={events}
      columns={columns}
      linkOf={({ id }) => ({ to: '/settings/audit', search: { ...filters, event: id } })}
      onOpen={(id) => setFilters({ ...filters, event: id })}
      openKey={filters.event}
      stickyHeader={roomy}
      empty={{
        icon: ScrollText,
        unmatched: 'No event matches the filters.',
        title: 'Nothing happened yet',
        text: 'Every change in the team is recorded here.',
      }}
    >
      {!roomy && details && (
        <Dialog open onClose={close} title="Event">
          <DialogBody>{details}</DialogBody>
          <div className="h-4" />
        </Dialog>
      )}
    </ListPage>
  )
}

function ActorIcon({ actor }: { actor: AuditEvent['actor'] }) {
  if (actor.kind === 'person') return <Avatar name={actor.name} size="small" />
  const Icon = { key: KeyRound, agent: Bot, system: Cpu }[actor.kind]
  return (
    <span
      title={actor.kind}
      className="flex size-5 shrink-0 items-center justify-center rounded-full bg-grey-soft text-muted"
    >
      <Icon aria-label={actor.kind} className="size-3" />
    </span>
  )
}

function ExportMenu({ filters }: { filters: AuditFilters }) {
  const exportLog = useAuditExport()
  const start = (format: 'csv' | 'json') =>
    exportLog.mutate(
      { query: toAuditQuery(filters), format },
      {
        onError: (error) =>
          toast({ title: 'Could not export the audit log', description: error.message, tone: 'error' }),
      },
    )
  const what = hasFilters(filters) ? 'With the filters that are on' : undefined
  return (
    <Menu
      trigger={
        <Button icon={<Download aria-hidden />} busy={exportLog.isPending}>
          Export
        </Button>
      }
    >
      <MenuItem icon={<FileSpreadsheet />} hint={what} onSelect={() => start('csv')}>
        Export as CSV
      </MenuItem>
      <MenuItem icon={<FileJson />} hint={what} onSelect={() => start('json')}>
        Export as JSON
      </MenuItem>
    </Menu>
  )
}
