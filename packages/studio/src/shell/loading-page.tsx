import { Skeleton, Waiting } from '../ui/skeleton.tsx'

export function LoadingPage() {
  return (
    <Waiting label="Loading the page">
      <div className="mx-auto flex w-full max-w-240 flex-col gap-4 px-8 py-8 max-md:px-4">
        <Skeleton className="h-6 w-48" />
        <Skeleton className="h-4 w-80 max-w-full" />
        <Skeleton className="h-40 w-full" />
      </div>
    </Waiting>
  )
}
