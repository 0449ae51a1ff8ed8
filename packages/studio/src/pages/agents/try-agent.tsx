import type { Agent } from '@coherex/contract'
import { useState } from 'react'
import { Select } from '../../ui/field/select.tsx'
import { DockChat } from '../chat/dock-chat.tsx'
import type { EditorState } from './agent-editor.tsx'

/** A conversation with the agent beside its definition: as it is saved, or as it is being written. */
export function TryAgent({ agent: { name, version, isBuiltIn }, state }: { agent: Agent; state: EditorState }) {
  const { isChanged, isValid, source } = state
  const [picked, setPicked] = useState<'saved' | 'unsaved'>('unsaved')
  const isUnsaved = isChanged && picked === 'unsaved'
  return (
    <>
      {isChanged && (
        <div className="flex items-center gap-2 border-b border-line bg-amber-soft px-4 py-2 text-small text-amber">
          Try
          <Select
            label="Definition to try"
            size="small"
            className="w-auto!"
            value={picked}
            choices={[
              { value: 'unsaved', label: 'your unsaved changes' },
              { value: 'saved', label: isBuiltIn ? 'the built-in one' : `version ${version}` },
            ]}
            onChange={setPicked}
          />
        </div>
      )}
      {isUnsaved && !isValid ? (
        <p className="m-auto px-6 text-center text-dense text-muted">Fix the definition first: it is not valid.</p>
      ) : (
        <DockChat key={String(isUnsaved)} about={{ agent: name, ...(isUnsaved && { definition: source }) }}>
          {isUnsaved
            ? 'Ask something. Your changes answer, and nothing is saved. A new chat takes later changes.'
            : `Ask ${name} something, and see what it does.`}
        </DockChat>
      )}
    </>
  )
}
