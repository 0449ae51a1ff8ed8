import { lazy, Suspense } from 'react'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { PackagesFieldProps } from './packages-field.tsx'

const Loaded = lazy(async () => ({ default: (await import('./packages-field.tsx')).PackagesField }))

/** The field without its weight on pages where no one opens it. */
export function LazyPackagesField(props: PackagesFieldProps) {
  return (
    <Suspense fallback={<Skeleton className="h-16 w-full" />}>
      <Loaded {...props} />
    </Suspense>
  )
}
