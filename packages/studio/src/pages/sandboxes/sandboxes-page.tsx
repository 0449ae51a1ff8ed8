import { formatDuration, languageFacts, type Sandbox, type SandboxStatus } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { Box, LayoutTemplate, Plus } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../data/rights.ts'
import { useSandboxList } from '../../data/sandbox.ts'
import { CataloguePage } from '../../shell/catalogue-page.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { NamedPerson } from '../../ui/list/named-person.tsx'
import type { Column } from '../../ui/list/table.tsx'
import { Reason } from '../../ui/reason.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { formatMegabytes } from '../../words/quantity.ts'
import { CreateSandboxDialog } from './create-sandbox-dialog.tsx'
import { SandboxPill } from './sandbox-pill.tsx'
import { TemplatesDialog } from './templates/templates-dialog.tsx'

type Shown = SandboxStatus | 'all'

const choices: readonly { value: Shown; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'running', label: 'Awake' },
  { value: 'sleeping', label: 'Sleeping' },
  { value: 'ended', label: 'Ended' },
]

export function SandboxesPage() {
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  const [showsTemplates, setShowsTemplates] = useState(false)
  const [shown, setShown] = useState<Shown>('all')
  const sandboxes = useSandboxList(shown === 'all' ? undefined : shown)
  const mayUse = useRight('editor', 'make sandboxes')
  const create = (
    <Reason why={mayUse.why}>
      <Button look="primary" icon={<Plus aria-hidden />} disabled={!mayUse.may} onClick={() => setCreating(true)}>
        New sandbox
      </Button>
    </Reason>
  )
  return (
    <CataloguePage
      wide
      title="Sandboxes"
      description="Places that live on: cell after cell with variables kept, files in and out, commands in the background."
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
          <Segmented label="Which" value={shown} choices={choices} onChange={setShown} />
        </div>
      }
      pages={sandboxes}
      columns={columns}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/sandboxes/$id', params: { id } })}
      empty={
        shown === 'all' ? (
          <Empty icon={Box} title="No sandbox yet" action={create}>
            A sandbox remembers: load data once, look at it from many sides, in several languages on the same files.
          </Empty>
        ) : (
          <Empty icon={Box} title="None of these" action={<Button onClick={() => setShown('all')}>Show all</Button>}>
            No sandbox of the team is like that now.
          </Empty>
        )
      }
    >
      {creating && <CreateSandboxDialog onClose={() => setCreating(false)} />}
      {showsTemplates && <TemplatesDialog onClose={() => setShowsTemplates(false)} />}
    </CataloguePage>
  )
}

const columns: Column<Sandbox>[] = [
  { key: 'status', header: 'State', cell: (sandbox) => <SandboxPill sandbox={sandbox} /> },
  {
    key: 'name',
    header: 'Name',
    className: 'w-full max-w-0',
    cell: ({ id, name, reason }) => (
      <span className="block min-w-0">
        <span className="block truncate">
          <TextLink to="/sandboxes/$id" params={{ id }} onClick={(event) => event.stopPropagation()}>
            {name}
          </TextLink>
        </span>
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
    header: 'By',
    from: 'lg',
    cell: ({ createdBy }) => <NamedPerson name={createdBy.name} />,
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
