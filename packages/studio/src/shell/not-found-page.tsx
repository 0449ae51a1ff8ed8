import { useLocation } from '@tanstack/react-router'
import { LinkButton } from '../ui/link-button.tsx'
import { Logo } from './logo.tsx'
import { usePageTitle } from './page-title.ts'

export function NotFoundPage() {
  return (
    <main className="flex min-h-dvh flex-col">
      <NotFound />
    </main>
  )
}

/** The same within a page: what is another's cannot be told from what does not exist. */
export function NotFound() {
  const { pathname } = useLocation()
  usePageTitle('Not found')
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-2 px-6 text-center">
      <Logo className="mb-3 size-9" />
      <h1 className="text-title font-semibold">Page not found</h1>
      <p className="max-w-100 text-body break-words text-muted">
        <code className="text-dense">{pathname}</code> does not exist, or it is not yours to see. The link may be old.
      </p>
      <div className="mt-4">
        <LinkButton to="/" look="primary">
          Go home
        </LinkButton>
      </div>
    </div>
  )
}
