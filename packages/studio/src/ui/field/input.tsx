import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'
import { useField } from './field.tsx'

export const controlClass =
  'w-full rounded-md border border-control bg-surface text-body text-text transition-colors hover:border-muted ' +
  'focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-focus aria-invalid:border-red ' +
  'disabled:cursor-not-allowed disabled:border-line-strong disabled:bg-sunken disabled:text-muted'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  const field = useField()
  return (
    <input
      id={field?.id}
      aria-describedby={field?.describedBy}
      aria-invalid={field?.invalid || undefined}
      autoComplete="off"
      {...rest}
      // 16 px on touch screens: smaller text makes iOS zoom the page
      className={classNames(controlClass, 'h-8 px-2.5 max-md:h-10 max-md:text-lead', className)}
    />
  )
}
