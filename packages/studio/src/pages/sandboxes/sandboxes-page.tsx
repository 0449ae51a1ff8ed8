import { formatDuration, languageFacts, type Sandbox, type SandboxStatus, type ThreadSummary } from '@coherex/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Box, LayoutTemplate, MessageSquare, Plus } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { useSandboxList } from '../../data/sandbox.ts'
import { CataloguePage } from '../../shell/catalogue-page.tsx'
import { places } from '../../shell/places.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Segmented } from '../../ui/field/segmented.tsx'
import { NamedPerson } from '../../ui/list/named-person.tsx'
import type { Column } from '../../ui/list/table.tsx'
import { Reason } from '../../ui/reason.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'
import { Time } from '../../ui/text/time.tsx'
import { formatMegabytes } from '../../words/quantity.ts'
import { CreateSandboxDialog } from './create-sandbox-dialog.tsx'
import { SandboxPill } from './sandbox-pill.tsx'
import { TemplatesDialog } from './templates/templates-dialog.tsx'
import { useSandboxThreads } from './use-sandbox-threads.ts'

type Shown = SandboxStatus | 'all'

const choices: readonly { value: Shown; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'running', label: 'Awake' },
  { value: 'sleeping', label: 'Sleeping' },
  { value: 'ended', label: 'Ended' },
]

export function SandboxesPage() {
  const navigate = useNavigate()
  const { status: given, create: creating = false } = useSearch({ from: '/shell/team-places/sandboxes' })
  const shown = choices.find(({ value }) => value === given)?.value ?? 'all'
  const status = shown === 'all' ? undefined : shown
  const [showsTemplates, setShowsTemplates] = useState(false)
  const show = (next: Shown, create?: true) =>
    void navigate({
      to: '/sandboxes',
      search: { ...(next !== 'all' && { status: next }), ...(create && { create }) },
      replace: true,
    })
  const sandboxes = useSandboxList(status)
  const threads = useSandboxThreads()
  const mayUse = useRight('editor', 'create sandboxes')
  const create = (
    <Reason why={mayUse.why}>
      <Button look="primary" icon={<Plus aria-hidden />} disabled={!mayUse.may} onClick={() => show(shown, true)}>
        New sandbox
      </Button>
    </Reason>
  )
  return (
    <CataloguePage
      wide
      title="Sandboxes"
      place={places.activity}
      description="Sandboxes are long-lived environments: cells that keep their variables, files, background processes and a terminal."
      actions={
        <>
          <Button icon={<LayoutTemplate aria-hidden />} onClick={() => setShowsTemplates(true)}>
            Templates
          </Button>
          {create}
        </>
      }
      filters={
        <div>
          <Segmented label="Which" value={shown} choices={choices} onChange={(next) => show(next)} />
        </div>
      }
      pages={sandboxes}
      columns={columnsFor(threads)}
      rowKey={({ id }) => id}
      linkOf={({ id }) => ({ to: '/sandboxes/$id', params: { id } })}
      empty={
        shown === 'all' ? (
          <Empty icon={Box} title="No sandbox yet" action={create}>
            A sandbox keeps its variables: load data once, then explore it in several languages on the same files.
          </Empty>
        ) : (
          <Empty icon={Box} title="None of these" action={<Button onClick={() => show('all')}>Show all</Button>}>
            No sandbox of the team has this status.
          </Empty>
        )
      }
    >
      {creating && mayUse.may && <CreateSandboxDialog onClose={() => show(shown)} />}
      {showsTemplates && <TemplatesDialog onClose={() => setShowsTemplates(false)} />}
    </CataloguePage>
  )
}

const columnsFor = (threads: ReadonlyMap<string, ThreadSummary>): Column<Sandbox>[] => [
  { key: 'status', header: 'State', cell: (sandbox) => <SandboxPill sandbox={sandbox} /> },
  {
    key: 'name',
    header: 'Name',
    isName: true,
    className: 'w-full max-w-0',
    cell: ({ name, reason }) => (
      <span className="block min-w-0">
        <span className="block truncate font-medium">{name}</span>
        {reason && <span className="block truncate text-small text-muted">{reason}</span>}
      </span>
    ),
  },
  {
    key: 'language',
    header: 'Language',
    from: 'md',
    cell: ({ language }) => (
      <span className="whitespace-nowrap">{language ? languageFacts[language].name : 'any'}</span>
    ),
  },
  {
    key: 'by',
    header: 'Used by',
    from: 'md',
    cell: ({ id, createdBy }) => {
      const thread = threads.get(id)
      if (!thread) return <NamedPerson name={createdBy.name} />
      return (
        <span className="flex max-w-56 items-center gap-1.5">
          <MessageSquare aria-label="conversation" className="size-4 shrink-0 text-muted" />
          <span className="truncate">
            <TextLink to="/threads/$id" params={{ id: thread.id }}>
              {thread.title || 'New conversation'}
            </TextLink>
          </span>
        </span>
      )
    },
  },
  {
    key: 'memory',
    header: 'Memory',
    align: 'right',
    from: 'sm',
    cell: ({ memory, limits }) => (
      <span className="whitespace-nowrap tabular">
        {memory ? formatMegabytes(memory.currentMb) : '–'}
        <span className="text-muted"> of {formatMegabytes(limits.memoryMb)}</span>
      </span>
    ),
  },
  {
    key: 'idle',
    header: 'Sleeps after',
    align: 'right',
    from: 'xl',
    cell: ({ idleTimeoutMs }) => (
      <span className="whitespace-nowrap text-muted tabular">{formatDuration(idleTimeoutMs)}</span>
    ),
  },
  { key: 'used', header: 'Used', align: 'right', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
]
