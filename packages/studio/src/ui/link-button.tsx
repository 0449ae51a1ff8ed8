import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { buttonClass, type ButtonLook } from './button.tsx'

/** A link to another page that looks like a button. */
export const LinkButton = createLink(({ look, ...rest }: ComponentProps<'a'> & { look?: ButtonLook }) => (
  <a {...rest} className={buttonClass(look)} />
))
