import type { Language } from '@coherex/contract'
import { Braces } from 'lucide-react'
import { useEffect } from 'react'
import { useSandbox } from '../../../data/sandbox.ts'
import { Empty } from '../../../ui/empty.tsx'
import { VariablesPanel } from '../../sandboxes/panels/variables-panel.tsx'

interface SessionVariablesProps {
  sandboxId: string | undefined
  /** Of the open file: its session is shown first. */
  language: Language | undefined
  /** A new value looks at the variables again, such as the state of the last run. */
  after: string
}

/** The variables of the session that cells share; a frame opens as a table. */
export function SessionVariables({ sandboxId, ...rest }: SessionVariablesProps) {
  return sandboxId === undefined ? nothing : <OfSandbox sandboxId={sandboxId} {...rest} />
}

function OfSandbox({ sandboxId, language, after }: SessionVariablesProps & { sandboxId: string }) {
  const { data: sandbox, refetch } = useSandbox(sandboxId)
  useEffect(() => void refetch(), [after, refetch])
  if (!sandbox || sandbox.sessions.length === 0) return nothing
  return <VariablesPanel key={language} sandbox={sandbox} after={after} language={language} />
}

const nothing = (
  <Empty icon={Braces} title="No variables yet">
    Run a cell of a notebook or of a file, which begins with <code>{'# %%'}</code>, or run selected lines. What they
    define is listed here and stays for the next cell.
  </Empty>
)
