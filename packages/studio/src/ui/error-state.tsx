import { CoherexError, formatDuration } from '@coherex/contract'
import { CircleAlert, RotateCw } from 'lucide-react'
import { Button } from './button.tsx'

interface ErrorStateProps {
  /** What was tried, such as "load the members". */
  doing: string
  error: Error
  onRetry?: () => void
}

/** What happened and what to do about it. */
export function ErrorState({ doing, error, onRetry }: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-1 px-6 py-12 text-center">
      <span className="mb-2 flex size-10 items-center justify-center rounded-lg bg-red-soft text-red">
        <CircleAlert aria-hidden className="size-5" />
      </span>
      <h2 className="text-body font-medium">Could not {doing}</h2>
      <p className="max-w-96 text-dense text-pretty break-words text-muted">{error.message}</p>
      <p className="max-w-96 text-dense text-pretty text-muted">{whatToDo(error)}</p>
      {onRetry && (
        <Button className="mt-4" icon={<RotateCw aria-hidden />} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

function whatToDo(error: Error): string {
  if (!(error instanceof CoherexError))
    return 'Load the page again. If it happens again, tell whoever runs this installation.'
  switch (error.code) {
    case 'unavailable':
      return 'Check that the server runs and that you are online, then try again.'
    case 'forbidden':
      return 'Ask an admin of the team for the right to do this.'
    case 'unauthenticated':
      return 'Sign in again.'
    case 'quota_exceeded':
      return error.retryAfterSeconds
        ? `Wait ${formatDuration(error.retryAfterSeconds * 1000)}, then try again.`
        : 'Wait a moment, then try again.'
    case 'internal':
      return 'The server has logged it. Try again; if it happens again, tell whoever runs this installation.'
    case 'not_found':
    case 'method_not_allowed':
    case 'conflict':
    case 'invalid_input':
    case 'too_large':
      return 'Load the page again to see how things are now.'
  }
}
