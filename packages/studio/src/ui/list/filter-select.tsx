import { Select } from '../field/select.tsx'

interface FilterSelectProps<Value extends string> {
  label: string
  /** What it says while it filters nothing. */
  all: string
  value: Value | undefined
  values: readonly Value[]
  /** Names of those values that are no words to show. */
  names?: Partial<Record<Value, string>>
  onChange: (value: Value | undefined) => void
}

/** Picks what a list is narrowed to, or all of it. */
export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, all, value, values, names, onChange } = props
  return (
    <Select<Value | 'all'>
      label={label}
      className="w-36!"
      value={value ?? 'all'}
      choices={[
        { value: 'all', label: all },
        ...values.map((one) => ({ value: one, label: names?.[one] ?? one.charAt(0).toUpperCase() + one.slice(1) })),
      ]}
      onChange={(next) => onChange(next === 'all' ? undefined : next)}
    />
  )
}
