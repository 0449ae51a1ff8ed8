import type { LucideIcon } from 'lucide-react'

/** An entry of the palette: something to do or a thing to open. */
export interface Command {
  id: string
  group: string
  label: string
  /** What it is part of, beside its name. */
  hint?: string
  /** Other words people look for. */
  words?: string
  icon: LucideIcon
  keys?: string
  run: () => void
}
