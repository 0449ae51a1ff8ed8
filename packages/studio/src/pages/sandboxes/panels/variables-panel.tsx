import type { Language, Sandbox } from '@coherex/contract'
import { useState } from 'react'
import { SessionVariables } from '../../../cell/variables/session-variables.tsx'
import { Select } from '../../../ui/field/select.tsx'

interface VariablesPanelProps {
  sandbox: Sandbox
  after: string | undefined
  /** Its session is shown first, where there are several. */
  language?: Language | undefined
}

/** What the cells have made so far, and one of it in full. */
export function VariablesPanel({ sandbox, after, language }: VariablesPanelProps) {
  const contexts = sandbox.sessions.map(({ context }) => context)
  const [picked, setPicked] = useState<string>()
  const first = sandbox.sessions.find((one) => one.language === language)?.context ?? contexts[0]
  const context = contexts.find((one) => one === picked) ?? first
  if (context === undefined) {
    return (
      <p className="px-4 py-6 text-center text-dense text-muted">
        Variables are listed here once a cell has made some.
      </p>
    )
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {contexts.length > 1 && (
        <div className="border-b border-line px-4 py-2">
          <Select
            label="Session"
            size="small"
            value={context}
            choices={contexts.map((value) => ({ value, label: value }))}
            onChange={setPicked}
          />
        </div>
      )}
      <SessionVariables key={context} id={sandbox.id} context={context} after={after} />
    </div>
  )
}
