import type { SandboxVariablePage } from '@coherex/contract'
import { ArrowLeft, ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { rowsPerPage, useSandboxVariable, type VariableReader } from '../../data/sandbox.ts'
import { FrameTable } from '../../output/frame-table.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { formatNumber } from '../../words/quantity.ts'
import { describeShape } from './describe-shape.ts'

interface VariableViewProps {
  id: string
  context: string
  name: string
  /** The last cell that ended: what it left is shown. */
  after: string | undefined
  reader?: VariableReader | undefined
  onClose: () => void
}

/** One variable in full; a frame, page by page. */
export function VariableView({ id, context, name, after, reader, onClose }: VariableViewProps) {
  const [page, setPage] = useState(0)
  const { data, error, refetch } = useSandboxVariable(id, { context, name, page, after }, reader)
  return (
    <section aria-label={name} className="flex min-h-0 flex-1 flex-col">
      <header className="flex h-10 shrink-0 items-center gap-2 border-b border-line pr-2 pl-1">
        <IconButton label="All variables" size="small" icon={<ArrowLeft aria-hidden />} onClick={onClose} />
        <h2 className="truncate font-mono text-small font-medium">{name}</h2>
        {data && (
          <span className="truncate text-small text-muted">
            {data.type} {describeShape(data.shape)}
          </span>
        )}
        <span className="flex-1" />
        {data?.table && <Pages table={data.table} page={page} onPage={setPage} />}
      </header>
      {error && !data && <ErrorState doing={`read ${name}`} error={error} onRetry={() => void refetch()} />}
      {data &&
        (data.table ? (
          // another page is another table: its place and filter begin anew
          <FrameTable key={page} name={name} frame={data.table} offset={data.table.offset} fills />
        ) : (
          <Text variable={data} />
        ))}
    </section>
  )
}

type Frame = NonNullable<SandboxVariablePage['table']>

function Pages({ table, page, onPage }: { table: Frame; page: number; onPage: (page: number) => void }) {
  const { offset, rows, total } = table
  return (
    <>
      <span className="text-small whitespace-nowrap text-muted tabular">
        {total === 0
          ? 'empty'
          : `${formatNumber(offset + 1)}–${formatNumber(offset + rows.length)} of ${formatNumber(total)}`}
      </span>
      <IconButton
        label="Rows before"
        size="small"
        icon={<ChevronLeft aria-hidden />}
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        label="More rows"
        size="small"
        icon={<ChevronRight aria-hidden />}
        disabled={(page + 1) * rowsPerPage >= total}
        onClick={() => onPage(page + 1)}
      />
    </>
  )
}

function Text({ variable: { text, value } }: { variable: SandboxVariablePage }) {
  return (
    <pre
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto px-4 py-3 text-small leading-5 break-words whitespace-pre-wrap"
    >
      {text ?? value}
    </pre>
  )
}
