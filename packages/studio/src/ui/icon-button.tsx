import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { classNames } from './class-names.ts'
import { Tooltip } from './tooltip.tsx'

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'aria-label'> {
  /** What it does: read aloud, and shown as the tooltip. */
  label: string
  icon: ReactNode
  shortcut?: string
}

export function IconButton({ label, icon, shortcut, look = 'quiet', className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <Button
        {...rest}
        look={look}
        aria-label={label}
        icon={icon}
        className={classNames('w-8 px-0! max-md:w-10', className)}
      />
    </Tooltip>
  )
}
