import { useModelList } from '../../../data/library/model.ts'
import { Select } from '../../../ui/field/select.tsx'

interface ModelPickerProps {
  /** Null leaves it to the agent and the team. */
  value: string | null
  onChange: (model: string | null) => void
  disabled?: boolean
  className?: string
}

const ownChoice = 'default'

/** Which model answers: those of every provider that is set up. */
export function ModelPicker({ value, onChange, disabled, className }: ModelPickerProps) {
  const { data } = useModelList()
  const models = data?.providers.flatMap(({ setBy, models: all }) => (setBy ? all : [])) ?? []
  const isKnown = value === null || models.some(({ name }) => name === value)
  return (
    <Select
      label="Model"
      size="small"
      disabled={disabled ?? false}
      className={className ?? 'w-auto! max-w-56'}
      value={value ?? ownChoice}
      onChange={(next) => onChange(next === ownChoice ? null : next)}
      choices={[
        { value: ownChoice, label: 'Default model', hint: data?.defaultModel ?? 'There is none yet' },
        ...models.map(({ name, title }) => ({ value: name, label: title, hint: name })),
        ...(isKnown ? [] : [{ value, label: value, hint: 'No longer set up' }]),
      ]}
    />
  )
}
