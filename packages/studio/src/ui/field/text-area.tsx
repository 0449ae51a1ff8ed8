import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'
import { useField } from './field.tsx'
import { controlClass } from './input.tsx'

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  const field = useField()
  return (
    <textarea
      id={field?.id}
      aria-describedby={field?.describedBy}
      aria-invalid={field?.invalid || undefined}
      rows={4}
      {...rest}
      className={classNames(controlClass, 'px-2.5 py-1.5 max-md:text-lead', className)}
    />
  )
}
