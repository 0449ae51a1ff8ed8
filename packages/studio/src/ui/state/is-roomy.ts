import { useSyncExternalStore } from 'react'

const roomy = '(min-width: 1024px)'

/** Whether details fit beside a list, and code beside its output. */
export function useIsRoomy(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(roomy)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => matchMedia(roomy).matches,
  )
}
