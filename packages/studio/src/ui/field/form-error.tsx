import { CircleAlert } from 'lucide-react'

/** Why the form was not accepted, read aloud when it appears. */
export function FormError({ error }: { error: Error | null | undefined }) {
  if (!error) return null
  return (
    <div role="alert" className="flex items-start gap-2 rounded-md bg-red-soft px-3 py-2 text-dense text-red">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">{error.message}</span>
    </div>
  )
}
