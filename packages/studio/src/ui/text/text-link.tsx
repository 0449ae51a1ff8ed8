import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** A link within text. */
export const TextLink = createLink((props: ComponentProps<'a'>) => (
  <a
    {...props}
    className="rounded-sm font-medium text-accent-text underline decoration-current/30 underline-offset-2 hover:decoration-current"
  />
))
