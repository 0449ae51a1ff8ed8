import { formatBytes, type SandboxVariable } from '@coherex/contract'
import { Table2 } from 'lucide-react'
import { useState } from 'react'
import { useSandboxVariables, type VariableReader } from '../../data/sandbox.ts'
import { describeShape } from './describe-shape.ts'
import { VariableView } from './variable-view.tsx'

interface SessionVariablesProps {
  /** The sandbox that the session is in. */
  id: string
  context: string
  /** The last cell that ended: what it left is shown. */
  after: string | undefined
  /** Where they are not in a sandbox. */
  reader?: VariableReader | undefined
}

/** The variables of a session, and one of them in full. */
export function SessionVariables(session: SessionVariablesProps) {
  const [open, setOpen] = useState<string>()
  if (open === undefined) return <VariableList {...session} onOpen={setOpen} />
  const close = () => setOpen(undefined)
  return <VariableView key={open} {...session} name={open} onClose={close} />
}

interface VariableListProps extends SessionVariablesProps {
  onOpen: (name: string) => void
}

function VariableList({ id, context, after, reader, onOpen }: VariableListProps) {
  const { data, error } = useSandboxVariables(id, context, after, reader)
  if (!data) return error ? <p className="px-4 py-6 text-center text-dense text-muted">{error.message}</p> : null
  if (data.items.length === 0) {
    return <p className="px-4 py-6 text-center text-dense text-muted">The session has no variables yet.</p>
  }
  return (
    <ul aria-label="Variables" className="min-h-0 flex-1 overflow-y-auto">
      {data.items.map((variable) => (
        <li key={variable.name} className="border-b border-line">
          <button
            type="button"
            onClick={() => onOpen(variable.name)}
            className="flex w-full items-baseline gap-3 px-4 py-2 text-left hover:bg-hover focus-visible:-outline-offset-2"
          >
            <span className="flex min-w-0 shrink-0 items-center gap-1.5 font-mono text-small font-medium">
              {variable.shape && <Table2 aria-hidden className="size-3.5 text-muted" />}
              {variable.name}
            </span>
            <span className="min-w-0 flex-1 truncate font-mono text-small text-muted">{variable.value}</span>
            <span className="shrink-0 text-small text-muted tabular">{describe(variable)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function describe({ type, shape, size }: SandboxVariable): string {
  return [type, describeShape(shape), size === undefined ? '' : formatBytes(size)].filter(Boolean).join(' · ')
}
