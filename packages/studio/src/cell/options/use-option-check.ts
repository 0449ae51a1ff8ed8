import { useState } from 'react'
import { readOptions, type RequestPart, type TypedOptions } from './typed-options.ts'

export interface OptionCheck {
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  /** How often a run was asked for that the options do not allow. */
  refusals: number
}

/** Options on their way into a request: `read` answers the part of it, or nothing and opens the options where they are wrong. */
export function useOptionCheck(options: TypedOptions): { check: OptionCheck; read: () => RequestPart | undefined } {
  const [isOpen, setOpen] = useState(false)
  const [refusals, setRefusals] = useState(0)
  function read(): RequestPart | undefined {
    const { part, errors } = readOptions(options)
    if (Object.keys(errors).length === 0) return part
    setOpen(true)
    setRefusals(refusals + 1)
    return undefined
  }
  return { check: { isOpen, setOpen, refusals }, read }
}
