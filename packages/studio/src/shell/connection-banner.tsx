import { CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

/** Says when what is shown may be old. */
export function ConnectionBanner({ connected }: { connected: boolean }) {
  const online = useSyncExternalStore(watchOnline, () => navigator.onLine)
  const message = !online
    ? 'You are offline. What you see may be old; it catches up by itself.'
    : !connected
      ? 'The server does not answer. Trying again; what you see may be old.'
      : undefined
  return (
    <div role="status">
      {message && (
        <p className="flex items-center justify-center gap-2 border-b border-line bg-amber-soft px-4 py-1.5 text-dense text-amber">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          {message}
        </p>
      )}
    </div>
  )
}

function watchOnline(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
