import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import type { ReactNode } from 'react'

interface SegmentedProps<Value extends string> {
  label: string
  value: Value
  choices: readonly { value: Value; label: string; icon?: ReactNode }[]
  onChange: (value: Value) => void
}

/** One of a few, all in sight. */
export function Segmented<Value extends string>({ label, value, choices, onChange }: SegmentedProps<Value>) {
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className="inline-flex rounded-md border border-line-strong bg-sunken p-0.5"
    >
      {choices.map((choice) => (
        <Radio.Root
          key={choice.value}
          value={choice.value}
          aria-label={choice.label}
          className="inline-flex h-7 items-center gap-1.5 rounded-sm px-2.5 text-dense font-medium text-muted transition-colors select-none hover:text-text data-checked:bg-selected data-checked:text-text data-checked:ring-1 data-checked:ring-line-strong max-md:h-9 [&_svg]:size-4"
        >
          {choice.icon}
          {choice.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}
