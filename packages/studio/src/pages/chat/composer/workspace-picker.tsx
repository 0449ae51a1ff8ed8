import { useWorkspaceList } from '../../../data/workspace.ts'
import { Select } from '../../../ui/field/select.tsx'

interface WorkspacePickerProps {
  value: string | null
  onChange: (workspaceId: string | null) => void
  disabled?: boolean
}

const none = 'none'

/** Where an agent works; it can be chosen at any time, and its next turn works there. */
export function WorkspacePicker({ value, onChange, disabled = false }: WorkspacePickerProps) {
  const workspaces = useWorkspaceList({ archived: false }).items ?? []
  const isKnown = value === null || workspaces.some(({ id }) => id === value)
  return (
    <Select
      label="Workspace"
      size="small"
      className="w-auto! max-w-48"
      disabled={disabled}
      value={value ?? none}
      choices={[
        { value: none, label: 'No workspace', hint: 'The agent works in a sandbox without your files' },
        ...workspaces.map(({ id, name }) => ({ value: id as string, label: name })),
        ...(isKnown ? [] : [{ value, label: 'Another workspace' }]),
      ]}
      onChange={(next) => onChange(next === none ? null : next)}
    />
  )
}
