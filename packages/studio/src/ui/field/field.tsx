import { CircleAlert } from 'lucide-react'
import { createContext, use, useId, type ReactNode } from 'react'
import { classNames } from '../class-names.ts'

interface FieldIds {
  id: string
  describedBy: string | undefined
  invalid: boolean
}

const FieldContext = createContext<FieldIds | undefined>(undefined)

/** The ids that tie a control to its label, hint and error. */
export function useField(): FieldIds | undefined {
  return use(FieldContext)
}

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** Beside the label, such as a link. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

export function Field({ label, hint, error, aside, className, children }: FieldProps) {
  const id = useId()
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined
  return (
    <FieldContext value={{ id, describedBy, invalid: Boolean(error) }}>
      <div className={classNames('flex flex-col gap-1.5', className)}>
        <div className="flex items-baseline justify-between gap-3">
          <label htmlFor={id} className="text-dense font-medium text-text">
            {label}
          </label>
          {aside}
        </div>
        {children}
        {error && (
          <p id={`${id}-error`} className="flex items-start gap-1.5 text-small text-red">
            <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
            {error}
          </p>
        )}
        {hint && (
          <p id={`${id}-hint`} className="text-small text-muted">
            {hint}
          </p>
        )}
      </div>
    </FieldContext>
  )
}
