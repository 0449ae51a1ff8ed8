import { formatDuration } from '@coherex/contract'
import { useState } from 'react'
import { Card } from '../../ui/card.tsx'
import { Table, TableSkeleton, type Column } from '../../ui/list/table.tsx'
import { StatusPill, type Status } from '../../ui/pill.tsx'
import { SplitPane } from '../../ui/split-pane.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Sample } from './sample.tsx'

interface SampleRun {
  id: string
  name: string
  status: Status
  durationMs: number
}

const runs: SampleRun[] = [
  { id: '1', name: 'invoice totals', status: 'succeeded', durationMs: 12 },
  { id: '2', name: 'weekly report', status: 'running', durationMs: 1400 },
  { id: '3', name: 'import customers', status: 'failed', durationMs: 200_000 },
]

const columns: Column<SampleRun>[] = [
  { key: 'name', header: 'Name', cell: ({ name }) => <span className="font-medium">{name}</span> },
  { key: 'status', header: 'Status', cell: ({ status }) => <StatusPill status={status} /> },
  { key: 'duration', header: 'Duration', align: 'right', cell: ({ durationMs }) => formatDuration(durationMs) },
]

export function ListSamples({ theme }: { theme: string }) {
  const [openKey, setOpenKey] = useState<string | undefined>('2')
  const open = runs.find(({ id }) => id === openKey)
  return (
    <>
      <Card title="Table" description="Arrows or j and k move, Enter opens." flush>
        <Table
          label="Sample runs"
          columns={columns}
          rows={runs}
          rowKey={({ id }) => id}
          linkOf={() => ({ to: '/design' })}
          onOpen={({ id }) => setOpenKey(id)}
          openKey={openKey}
        />
      </Card>
      <Card title="Table that is coming" flush>
        <TableSkeleton columns={columns} rows={2} />
      </Card>
      <Card title="SplitPane" description="Drag the line, or focus it and press the arrows." flush>
        <div className="flex h-32">
          <SplitPane
            name="sample"
            direction="row"
            secondLabel={`Sample details, ${theme}`}
            second={<p className="p-4 text-dense">{open?.name}</p>}
          >
            <p className="p-4 text-dense text-muted">The list stays where it is.</p>
          </SplitPane>
        </div>
      </Card>
      <Sample name="Tabs">
        <div className="w-full">
          <Tabs
            label="Sample tabs"
            tabs={[
              { value: 'output', label: 'Output', content: <p className="text-dense">What the run printed.</p> },
              { value: 'files', label: 'Files', content: <p className="text-dense">What the run wrote.</p> },
            ]}
          />
        </div>
      </Sample>
    </>
  )
}
