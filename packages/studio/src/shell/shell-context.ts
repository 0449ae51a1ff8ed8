import { createContext, use } from 'react'

interface ShellActions {
  openPalette: () => void
  openCreateTeam: () => void
}

export const ShellContext = createContext<ShellActions | undefined>(undefined)

/** What any page may ask of the frame around it. */
export function useShell(): ShellActions {
  const actions = use(ShellContext)
  if (!actions) throw new Error('useShell() works inside the shell only')
  return actions
}
