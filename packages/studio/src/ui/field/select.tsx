import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'
import { classNames } from '../class-names.ts'
import { useField } from './field.tsx'
import { controlClass } from './input.tsx'

export interface Choice<Value extends string> {
  value: Value
  label: string
  /** A second line on what the choice means. */
  hint?: string
}

interface SelectProps<Value extends string> {
  value: Value
  choices: readonly Choice<Value>[]
  onChange: (value: Value) => void
  disabled?: boolean
  label?: string
  className?: string
  size?: 'small' | 'medium'
}

export function Select<Value extends string>({ size = 'medium', ...props }: SelectProps<Value>) {
  const { value, choices, onChange, disabled, label, className } = props
  const field = useField()
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
      disabled={disabled ?? false}
      items={choices.map((choice) => ({ value: choice.value, label: choice.label }))}
    >
      <Base.Trigger
        id={field?.id}
        aria-label={label}
        aria-describedby={field?.describedBy}
        className={classNames(
          controlClass,
          'flex items-center justify-between gap-2 text-left select-none data-disabled:cursor-not-allowed data-disabled:border-line-strong data-disabled:bg-sunken data-disabled:text-muted',
          size === 'small' ? 'h-7 px-2 text-dense' : 'h-8 px-2.5 max-md:h-10',
          className,
        )}
      >
        <Base.Value className="truncate" />
        <Base.Icon className="text-muted">
          <ChevronsUpDown aria-hidden className="size-3.5" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} collisionPadding={8} className="z-50">
          <Base.Popup className="max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto rounded-lg border border-line bg-raised p-1 text-text shadow-float outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
            {choices.map((choice) => (
              <Base.Item
                key={choice.value}
                value={choice.value}
                className="grid grid-cols-[16px_1fr] items-start gap-x-2 rounded-md px-2 py-1.5 text-dense outline-none select-none data-highlighted:bg-hover"
              >
                <span className="flex h-5 items-center">
                  <Base.ItemIndicator>
                    <Check aria-hidden className="size-3.5 text-accent-text" />
                  </Base.ItemIndicator>
                </span>
                <span>
                  <Base.ItemText>{choice.label}</Base.ItemText>
                  {choice.hint && <span className="block max-w-72 text-small text-muted">{choice.hint}</span>}
                </span>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
