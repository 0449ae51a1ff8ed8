import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-quiet'

export interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook
  size?: 'small' | 'medium'
  icon?: ReactNode
  /** Work is under way: the button keeps its width and takes no second press. */
  busy?: boolean
}

export function Button({ look = 'secondary', size = 'medium', icon, busy, children, ...rest }: ButtonProps) {
  const { className, disabled, onClick, ...attributes } = rest
  return (
    <button
      type="button"
      {...attributes}
      // aria-disabled instead of disabled while busy: focus must not jump away
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      disabled={disabled}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={classNames(buttonClass(look, size), className)}
    >
      {busy ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : icon}
      {children}
    </button>
  )
}

const looks: Record<ButtonLook, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover active:bg-accent-hover border-transparent',
  secondary: 'bg-surface text-text border-line-strong hover:bg-hover active:bg-pressed',
  quiet: 'bg-transparent text-muted border-transparent hover:bg-hover hover:text-text active:bg-pressed',
  danger: 'bg-danger text-on-danger hover:bg-danger-hover border-transparent',
  'danger-quiet': 'bg-transparent text-red border-line-strong hover:bg-red-soft',
}

/** The classes of a button, for links that look like one. */
export function buttonClass(look: ButtonLook = 'secondary', size: 'small' | 'medium' = 'medium'): string {
  return classNames(
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none',
    'transition-colors disabled:cursor-not-allowed disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
    size === 'small' ? 'h-7 px-2 text-dense' : 'h-8 px-3 text-dense max-md:h-10',
    looks[look],
  )
}
