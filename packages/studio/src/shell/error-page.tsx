import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { ErrorState } from '../ui/error-state.tsx'
import { usePageTitle } from './page-title.ts'

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  usePageTitle('Error')
  const failure = error instanceof Error ? error : new Error(String(error))
  // after an update of the server, pages of the old version are gone: only a fresh load finds the new ones
  const outdated = /dynamically imported module|Importing a module script failed/.test(failure.message)
  const retry = () => {
    if (outdated) return location.reload()
    reset()
    void router.invalidate()
  }
  return (
    <div className="flex min-h-[60dvh] items-center justify-center">
      <ErrorState
        doing="open this page"
        error={outdated ? new Error('Coherex was updated, or the connection broke.') : failure}
        onRetry={retry}
      />
    </div>
  )
}
