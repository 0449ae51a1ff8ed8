import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../ui/state/stored.ts'

const listeners = new Set<() => void>()

/** Whether this browser shows notifications: someone asked for them here, and the browser lets them through. */
export function useIsNotifying(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, isNotifying)
}

function isNotifying(): boolean {
  return readStored('notify') === 'on' && 'Notification' in window && Notification.permission === 'granted'
}

/** Asks the browser, then remembers the choice. False when the browser does not let them through. */
export async function setNotifying(wanted: boolean): Promise<boolean> {
  if (wanted && !('Notification' in window)) return false
  if (wanted && (await Notification.requestPermission()) !== 'granted') return false
  writeStored('notify', wanted ? 'on' : undefined)
  for (const listener of listeners) listener()
  return true
}
