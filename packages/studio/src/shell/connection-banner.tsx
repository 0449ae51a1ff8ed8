import { CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

/** Says when what is shown may be old. It floats, so that nothing jumps when it comes and goes. */
export function ConnectionBanner({ connected }: { connected: boolean }) {
  const online = useSyncExternalStore(watchOnline, () => navigator.onLine)
  const message = !online
    ? 'You are offline. This page may be out of date until you are back online.'
    : !connected
      ? 'The server does not answer. Trying again. This page may be out of date.'
      : undefined
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-50 flex justify-center px-4 max-md:bottom-17"
    >
      {message && (
        <p className="flex animate-rise items-center gap-2 rounded-lg border border-amber/40 bg-amber-soft px-3 py-2 text-dense font-medium text-amber shadow-float">
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
