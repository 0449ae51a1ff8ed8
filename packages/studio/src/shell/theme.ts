import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../ui/state/stored.ts'

export type Theme = 'light' | 'dark' | 'system'

const systemDark = () => matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

function readTheme(): Theme {
  const stored = readStored('theme')
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

function showTheme(): void {
  const theme = readTheme()
  const dark = theme === 'dark' || (theme === 'system' && systemDark().matches)
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
  for (const listener of listeners) listener()
}

export function setTheme(theme: Theme): void {
  writeStored('theme', theme === 'system' ? undefined : theme)
  showTheme()
}

/** Follows the system and the other tabs; public/theme.js has set the first paint. */
export function watchTheme(): void {
  systemDark().addEventListener('change', showTheme)
  addEventListener('storage', showTheme)
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, readTheme)
}
